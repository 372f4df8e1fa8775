package io.probelet.monitor.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.charset.Charset;
import java.util.function.Consumer;

/** Splits bytes into lines. A line that is too long is truncated. */
final class LogLineSplitter {
  private static final int LONGEST = 16 * 1024;

  private final byte[] partial = new byte[LONGEST];
  private int length;
  private long unfinished;

  /** Takes the next bytes. */
  void take(byte[] bytes, int from, int to, Consumer<String> lines) {
    int start = from;
    int bits = 0;
    for (int at = from; at < to; at++) {
      byte next = bytes[at];
      bits |= next;
      if (next == '\n') {
        line(bytes, start, at, bits < 0 ? UTF_8 : ISO_8859_1, lines);
        start = at + 1;
        bits = 0;
      }
    }
    keep(bytes, start, to);
    unfinished += to - start;
  }

  /** Decodes ASCII directly, which is faster, if all bytes of the line are ASCII. */
  private void line(byte[] bytes, int start, int end, Charset charset, Consumer<String> lines) {
    if (length == 0) {
      lines.accept(text(bytes, start, Math.min(end, start + LONGEST), charset));
    } else {
      keep(bytes, start, end);
      lines.accept(text(partial, 0, length, UTF_8));
    }
    length = 0;
    unfinished = 0;
  }

  private void keep(byte[] bytes, int start, int end) {
    int kept = Math.min(end - start, LONGEST - length);
    System.arraycopy(bytes, start, partial, length, kept);
    length += kept;
  }

  private static String text(byte[] bytes, int start, int end, Charset charset) {
    int last = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
    return new String(bytes, start, last - start, charset);
  }

  /** {@return the number of bytes of an unfinished line} */
  long unfinished() {
    return unfinished;
  }
}
