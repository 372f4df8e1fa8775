package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.http.HttpResponse.WantedHeaders;
import io.probelet.probe.http.RequestHead.HeaderField;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads header lines byte by byte up to the empty line that ends them. A line is complete only when
 * the next one begins, as that may go on with it.
 */
final class HeaderLines {
  private final LineBuffer line;
  private final WantedHeaders wanted;
  private HeaderBlock block;
  private @Nullable String fault;

  /**
   * Reads into a buffer that others may use before and after.
   *
   * @param wanted takes what else is asked for
   */
  HeaderLines(LineBuffer line, WantedHeaders wanted) {
    this.line = line;
    this.wanted = wanted;
    this.block = new HeaderBlock(wanted);
  }

  /** Reads lines of which nothing else is asked for, such as those of a trailer. */
  HeaderLines(LineBuffer line) {
    this(line, WantedHeaders.of(HttpExpectation.KUBELET));
  }

  /** {@return the parsed values} */
  HeaderBlock block() {
    return block;
  }

  /** {@return the error of a line, or null} */
  @Nullable String fault() {
    return fault;
  }

  /** Forgets all lines. */
  void restart() {
    block = new HeaderBlock(wanted);
    wanted.restart();
  }

  /**
   * Takes the next byte.
   *
   * @return whether the lines end with it, by the empty one or by a fault
   */
  boolean add(byte next) {
    boolean blank = next == ' ' || next == '\t';
    if (line.ended()) {
      if (blank) {
        line.fold(); // an obsolete way to go on with the header above
        return false;
      }
      fault = block.add(line);
      line.clear();
    } else if (blank && line.isEmpty()) {
      fault = "malformed MIME header initial line";
    }
    if (fault != null) {
      return true;
    }
    if (line.add(next) && line.isEmpty()) {
      line.clear();
      return true;
    }
    return false;
  }

  /**
   * Collects one line byte by byte, without the white space around it. What a line has beyond
   * {@link #MAX_KEPT} bytes is parsed and forgotten: a head may have 10 MiB, a probe must not hold
   * them.
   */
  static final class LineBuffer {
    /** More than any Location that servers agree on. */
    static final int MAX_KEPT = 16 * 1024;

    private byte[] bytes = new byte[64];
    private int length;
    private boolean ended;
    private boolean folding;
    private @Nullable Rest rest;

    /** What can be said of the bytes of a header line that were not kept. */
    static final class Rest {
      private boolean name = true;
      private boolean colon;
      private boolean valueBehindColon = true;
      private boolean value = true;
      private boolean returned;

      private void add(byte next) {
        boolean valid = HeaderField.isValueByte(next & 0xff) && !returned;
        returned |= next == '\r'; // fine where the line ends with it
        valid |= next == '\r';
        value &= valid;
        if (colon) {
          valueBehindColon &= valid;
        } else if (next == ':') {
          colon = true;
        } else {
          name &= next == ' ' || HeaderField.isTokenByte(next);
        }
      }

      /** {@return whether it can go on a value} */
      boolean isValue() {
        return value;
      }

      /** {@return whether it can go on a name, with a colon and a value behind it} */
      boolean endsName() {
        return name && colon && valueBehindColon;
      }
    }

    /**
     * Takes the next byte.
     *
     * @return whether it ends the line
     */
    boolean add(byte next) {
      if (next == '\n') {
        if (rest != null) {
          rest.returned = false;
        } else {
          if (length > 0 && bytes[length - 1] == '\r') {
            length--;
          }
          trimEnd();
        }
        ended = true;
        return true;
      }
      folding &= next == ' ' || next == '\t';
      if (!folding) {
        append(next);
      }
      return false;
    }

    /** Takes the first blank of a line that continues this one; all blanks count as one. */
    void fold() {
      ended = false;
      folding = true;
      append((byte) ' ');
    }

    private void append(byte next) {
      if (length == bytes.length) {
        if (length == MAX_KEPT) {
          forget(next);
          return;
        }
        bytes = Arrays.copyOf(bytes, 2 * length);
      }
      bytes[length++] = next;
    }

    private void forget(byte next) {
      if (rest == null) {
        rest = new Rest();
      }
      rest.add(next);
    }

    private void trimEnd() {
      while (length > 0 && (bytes[length - 1] == ' ' || bytes[length - 1] == '\t')) {
        length--;
      }
    }

    /** {@return whether the last byte ended the line} */
    boolean ended() {
      return ended;
    }

    boolean isEmpty() {
      return length == 0;
    }

    /** {@return what is known of the line beyond what was kept, null if all of it was} */
    @Nullable Rest rest() {
      return rest;
    }

    byte[] bytes() {
      return bytes;
    }

    int length() {
      return length;
    }

    String text() {
      return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    }

    void clear() {
      length = 0;
      ended = false;
      folding = false;
      rest = null;
    }
  }

  /** What a probe needs to know of an answer's header lines; the rest is checked and forgotten. */
  static final class HeaderBlock {
    private static final byte[] CONTENT_LENGTH = ascii("content-length");
    private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
    private static final byte[] LOCATION = ascii("location");

    private final WantedHeaders wanted;
    private @Nullable String contentLength;
    private boolean contradictingLengths;
    private @Nullable String transferEncoding;
    private boolean severalEncodings;
    private @Nullable String location;
    private boolean tooLong;

    HeaderBlock(WantedHeaders wanted) {
      this.wanted = wanted;
    }

    /**
     * Takes one line.
     *
     * @return its error, or null
     */
    @Nullable String add(LineBuffer whole) {
      byte[] line = whole.bytes();
      int length = whole.length();
      LineBuffer.Rest rest = whole.rest();
      int colon = 0;
      boolean spaced = false;
      while (colon < length && line[colon] != ':') {
        int b = line[colon++];
        spaced |= b == ' ';
        if (b != ' ' && !HeaderField.isTokenByte(b)) {
          return malformed(line, 0);
        }
      }
      if (colon == length && rest != null) {
        return rest.endsName() ? null : malformed(line, 0);
      }
      if (colon == 0 || colon == length) {
        return malformed(line, 0);
      }
      for (int i = colon + 1; i < length; i++) {
        if (!HeaderField.isValueByte(line[i] & 0xff)) {
          return malformed(line, colon);
        }
      }
      if (rest != null && !rest.isValue()) {
        return malformed(line, colon);
      }
      if (!spaced) { // "Content-Length : 5" is tolerated but is another header, as in Go
        tooLong |= keep(line, colon, length) && rest != null;
        if (wanted.any()) {
          String name = new String(line, 0, colon, StandardCharsets.ISO_8859_1);
          wanted.add(name, value(line, colon, length));
        }
      }
      return null;
    }

    /** {@return whether the line says something that matters} */
    private boolean keep(byte[] line, int colon, int length) {
      switch (colon) {
        case 14 -> {
          if (is(line, CONTENT_LENGTH)) {
            String value = value(line, colon, length);
            contradictingLengths |= contentLength != null && !contentLength.equals(value);
            contentLength = value;
            return true;
          }
        }
        case 17 -> {
          if (is(line, TRANSFER_ENCODING)) {
            severalEncodings |= transferEncoding != null;
            transferEncoding = value(line, colon, length);
            return true;
          }
        }
        case 8 -> {
          if (location == null && is(line, LOCATION)) {
            location = value(line, colon, length);
            return true;
          }
        }
        default -> {}
      }
      return false;
    }

    /** {@return the first Location, each char one of its bytes} */
    @Nullable String location() {
      return location;
    }

    /** {@return the error of the framing headers, or null} */
    @Nullable String fault(boolean http11) {
      if (tooLong) {
        return "a Location or a length of more than " + LineBuffer.MAX_KEPT + " bytes";
      }
      if (http11 && severalEncodings) {
        return "too many transfer encodings";
      }
      if (http11 && transferEncoding != null && !chunked(true)) {
        return "unsupported transfer encoding";
      }
      if (contradictingLengths) {
        return "http: message cannot contain multiple Content-Length headers";
      }
      return contentLength != null && contentLength() < 0 ? "bad Content-Length" : null;
    }

    boolean chunked(boolean http11) {
      return http11 && transferEncoding != null && transferEncoding.equalsIgnoreCase("chunked");
    }

    /** {@return the length announced, or -1 if there is none or it is no number} */
    long contentLength() {
      if (contentLength == null || contentLength.isEmpty()) {
        return -1;
      }
      long value = 0;
      for (int i = 0; i < contentLength.length(); i++) {
        int digit = contentLength.charAt(i) - '0';
        if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
          return -1;
        }
        value = value * 10 + digit;
      }
      return value;
    }

    private static boolean is(byte[] line, byte[] name) {
      for (int i = 0; i < name.length; i++) {
        byte b = line[i];
        if ((b >= 'A' && b <= 'Z' ? b + 32 : b) != name[i]) {
          return false;
        }
      }
      return true;
    }

    private static String value(byte[] line, int colon, int length) {
      int from = colon + 1;
      while (from < length && (line[from] == ' ' || line[from] == '\t')) {
        from++;
      }
      return new String(line, from, length - from, StandardCharsets.ISO_8859_1);
    }

    /** Names the header at most: a value may be a secret, and a line without a colon, too. */
    private static String malformed(byte[] line, int upTo) {
      String name = new String(line, 0, upTo, StandardCharsets.ISO_8859_1);
      return "malformed MIME header line" + (upTo == 0 ? "" : ": \"" + Quoted.of(name) + "\"");
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }
}
