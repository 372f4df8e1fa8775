package io.probelet.probe.http;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What a probe needs to know of an answer's header lines; the rest is checked and forgotten. */
final class HeaderBlock {
  private static final byte[] CONTENT_LENGTH = ascii("content-length");
  private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
  private static final byte[] LOCATION = ascii("location");

  private @Nullable String contentLength;
  private boolean contradictingLengths;
  private @Nullable String transferEncoding;
  private boolean severalEncodings;
  private @Nullable String location;
  private boolean tooLong;

  /**
   * Takes one line.
   *
   * @return what is wrong with it, or null
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
      if (b != ' ' && !HttpBytes.isTokenByte(b)) {
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
      if (!HttpBytes.isValueByte(line[i] & 0xff)) {
        return malformed(line, colon);
      }
    }
    if (rest != null && !rest.isValue()) {
      return malformed(line, colon);
    }
    if (!spaced) { // "Content-Length : 5" is tolerated but is another header, as in Go
      tooLong |= keep(line, colon, length) && rest != null;
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

  /** {@return what is wrong with the headers that frame the body, or null} */
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
