package io.probelet.health;

/**
 * Truncates untrusted text. It never splits a surrogate pair, which UTF-8 encoders would reject or
 * replace by a question mark.
 */
public final class ShortText {
  private static final String MORE = "…";

  private ShortText() {}

  /**
   * {@return the text, or its beginning and "…" if it is longer}
   *
   * @param text any
   * @param max most {@code char}s of the result, at least 1
   */
  public static String of(String text, int max) {
    return text.length() <= max ? text : beginning(text, max - 1) + MORE;
  }

  /**
   * {@return the text, or its beginning if it is longer}
   *
   * @param text any
   * @param max most {@code char}s of the result, at least 0
   */
  public static String beginning(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    boolean splits = max > 0 && Character.isHighSurrogate(text.charAt(max - 1));
    return text.substring(0, splits ? max - 1 : max);
  }

  /**
   * {@return the text, or its beginning, "…" and its end if it is longer}
   *
   * @param text any
   * @param max most {@code char}s of the result, at least 1
   */
  public static String middle(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    int end = (max - 1) / 2;
    int tail = text.length() - end;
    boolean splits = end > 0 && Character.isLowSurrogate(text.charAt(tail));
    return beginning(text, max - 1 - end) + MORE + text.substring(splits ? tail + 1 : tail);
  }
}
