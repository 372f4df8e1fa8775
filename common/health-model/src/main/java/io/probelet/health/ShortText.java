package io.probelet.health;

/**
 * Texts of strangers, cut to what is shown or kept of them. No cut leaves half of a character of
 * two {@code char}s behind: what writes it as UTF-8 would refuse it, or put a question mark there.
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
}
