package io.probelet.monitor.log;

import io.probelet.health.OneLine;

/** Makes text from logs and programs fit to be shown (B-14). */
public final class CleanText {
  /** What the API server takes as the message of an event. */
  public static final int MAX_CHARS = 1024;

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
    return OneLine.beginning(text, maxChars);
  }
}
