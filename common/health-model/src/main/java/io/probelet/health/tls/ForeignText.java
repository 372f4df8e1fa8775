package io.probelet.health.tls;

import io.probelet.health.ShortText;

/** Text from certificates: one line of printable characters, cut to a length. */
final class ForeignText {
  /** Enough for the longest host name. */
  static final int MAX_NAME = 255;

  private ForeignText() {}

  static String clean(String text, int max) {
    StringBuilder clean = new StringBuilder();
    ShortText.of(text, max)
        .codePoints()
        .map(each -> isPrintable(each) ? each : '?')
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** {@return the text in quotes, as Go's %q writes it} */
  static String quoted(String text, int max) {
    return '"' + clean(text, max).replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }

  private static boolean isPrintable(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT, // such as right-to-left overrides
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
