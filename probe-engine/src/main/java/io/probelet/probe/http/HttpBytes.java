package io.probelet.probe.http;

/** Which bytes may stand where in a header. */
final class HttpBytes {
  private static final boolean[] TOKEN = new boolean[128];

  static {
    for (char c = '!'; c <= '~'; c++) {
      TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
    }
  }

  private HttpBytes() {}

  /** Whether a byte may stand in a header's name. */
  static boolean isTokenByte(int b) {
    return b >= 0 && b < TOKEN.length && TOKEN[b];
  }

  /** Whether a byte, 0 to 255, may stand in a header's value. */
  static boolean isValueByte(int b) {
    return (b >= ' ' && b != 0x7f) || b == '\t';
  }
}
