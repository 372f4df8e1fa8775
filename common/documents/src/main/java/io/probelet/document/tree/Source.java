package io.probelet.document.tree;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of one file, checked to be text. */
public final class Source {
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  private final String text;
  private @Nullable List<String> lines; // most sources never need it

  private Source(String text) {
    this.text = text;
  }

  /**
   * Creates a source from text.
   *
   * @param text any text
   */
  public static Source of(String text) {
    return new Source(text);
  }

  /**
   * Decodes a file.
   *
   * @param bytes its content, which must be UTF-8; a byte order mark is skipped
   * @return the source, or the first position that is not text
   */
  public static Decoded decode(byte[] bytes) {
    if (bytes.length >= 2 && (bytes[0] & 0xFF) >= 0xFE && (bytes[1] & 0xFF) >= 0xFE) {
      return new Decoded.Malformed(
          new SyntaxProblem(Position.START, "is UTF-16 text; save it as UTF-8"));
    }
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    CharBuffer chars = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(ByteBuffer.wrap(bytes), chars, true);
    String text = chars.flip().toString();
    if (result.isError()) {
      return new Decoded.Malformed(new SyntaxProblem(endOf(text), "is not UTF-8 from here on"));
    }
    if (!text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK) {
      text = text.substring(1);
    }
    for (int i = 0; i < text.length(); i++) {
      if (isForbidden(text.charAt(i))) {
        return new Decoded.Malformed(
            new SyntaxProblem(
                endOf(text.substring(0, i)),
                "holds the control character U+%04X; is this a text file?"
                    .formatted((int) text.charAt(i))));
      }
    }
    return new Decoded.Text(new Source(text));
  }

  private static boolean isForbidden(char c) {
    boolean control = c < ' ' || (c >= '\u007F' && c <= '\u009F') || c >= '\uFFFE';
    return control && c != '\t' && c != '\n' && c != '\r' && c != '\u0085';
  }

  private static Position endOf(String text) {
    String[] before = LINE_BREAK.split(text, -1);
    String last = before[before.length - 1];
    return new Position(before.length, last.codePointCount(0, last.length()) + 1);
  }

  /** The result of decoding. */
  public sealed interface Decoded {
    /** Text. */
    record Text(Source source) implements Decoded {}

    /**
     * Not text.
     *
     * @param problem the first invalid position
     */
    record Malformed(SyntaxProblem problem) implements Decoded {}
  }

  /** {@return the whole text, without byte order mark} */
  public String text() {
    return text;
  }

  String line(int number) {
    List<String> all = lines;
    if (all == null) {
      all = List.of(LINE_BREAK.split(text, -1));
      lines = all;
    }
    return number >= 1 && number <= all.size() ? all.get(number - 1) : "";
  }

  boolean startsAsJson() {
    return startsAsJson(text);
  }

  static boolean startsAsJson(String text) {
    String start = text.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }
}
