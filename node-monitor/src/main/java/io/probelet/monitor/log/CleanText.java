package io.probelet.monitor.log;

/** Makes text from logs and programs fit to be shown (B-14). */
public final class CleanText {
  /** What the API server takes as the message of an event. */
  public static final int MAX_CHARS = 1024;

  private static final char ESCAPE = '\u001b';

  private CleanText() {}

  /**
   * Removes terminal escape sequences and control characters, and cuts what is too long.
   *
   * @param text any text
   * @return at most {@link #MAX_CHARS} characters; newlines and tabs have become spaces
   */
  public static String of(String text) {
    return of(text, MAX_CHARS);
  }

  /**
   * Removes terminal escape sequences and control characters, and cuts what is too long.
   *
   * @param text any text
   * @param maxChars how much of it is kept
   * @return at most so many characters; newlines and tabs have become spaces
   */
  public static String of(String text, int maxChars) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), maxChars));
    for (int at = 0; at < text.length() && clean.length() < maxChars; ) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      if (c == ESCAPE) {
        at = afterSequence(text, at);
      } else if (c == '\n' || c == '\t') {
        clean.append(' ');
      } else if (isShown(c) && clean.length() + Character.charCount(c) <= maxChars) {
        clean.appendCodePoint(c);
      }
    }
    return clean.toString().strip();
  }

  private static boolean isShown(int c) {
    int type = Character.getType(c);
    // FORMAT holds what turns the direction of the text around; a lone surrogate is no character.
    return type != Character.CONTROL && type != Character.FORMAT && type != Character.SURROGATE;
  }

  /** {@code ESC [ … letter} as a whole; of any other sequence just its next character. */
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
