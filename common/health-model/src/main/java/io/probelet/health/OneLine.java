package io.probelet.health;

/**
 * Converts untrusted text to one line: without terminal escape sequences, control characters,
 * bidirectional control characters and lone surrogates. Line ends and tabs become spaces. Time is
 * linear in the length of the text, and only the result is kept in memory.
 */
public final class OneLine {
  private static final char ESCAPE = '\u001b';

  private OneLine() {}

  /**
   * {@return the text as one line, or its beginning and "…" if it is longer}
   *
   * @param text any
   * @param max most {@code char}s of the result, at least 1
   */
  public static String of(String text, int max) {
    return ShortText.of(clean(text, max + 2), max);
  }

  /**
   * {@return the text as one line, or its beginning if it is longer}
   *
   * @param text any
   * @param max most {@code char}s of the result, at least 0
   */
  public static String beginning(String text, int max) {
    return clean(text, max);
  }

  private static String clean(String text, int max) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), max));
    for (int at = 0; at < text.length() && clean.length() < max; ) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (c == ESCAPE) {
        at = afterSequence(text, at);
      } else if (isBlank(c)) {
        clean.append(' ');
      } else if (isShown(c) && clean.length() + Character.charCount(c) <= max) {
        clean.appendCodePoint(c);
      }
    }
    return clean.toString().strip();
  }

  private static boolean isBlank(int c) {
    int type = Character.getType(c);
    return c == '\n'
        || c == '\t'
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  private static boolean isShown(int c) {
    int type = Character.getType(c);
    // FORMAT includes bidirectional controls; a lone surrogate is not a character.
    return type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE;
  }

  /** Skips {@code ESC [ … letter} as a whole; of any other sequence only the next character. */
  private static int afterSequence(String text, int at) {
    if (at >= text.length() || text.charAt(at) != '[') {
      return Math.min(at + 1, text.length());
    }
    int end = at + 1;
    while (end < text.length() && (text.charAt(end) < '@' || text.charAt(end) > '~')) {
      end++;
    }
    return Math.min(end + 1, text.length());
  }
}
