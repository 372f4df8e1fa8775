package io.probelet.probe;

import java.util.List;
import java.util.Map;

/**
 * Puts the values of variables into commands the way Kubernetes does: {@code $(VAR)} becomes the
 * value, {@code $$} a single dollar sign, so that {@code $$(VAR)} stays literal, and whatever is
 * unknown or unfinished stays as it is (H-9). Values are put in as they are, not expanded again.
 */
public final class EnvExpansion {
  private EnvExpansion() {}

  /**
   * Expands one text.
   *
   * @param text what a user wrote
   * @param variables values by name
   * @return the text with all known references replaced
   */
  public static String expand(String text, Map<String, String> variables) {
    int dollar = text.indexOf('$');
    if (dollar < 0) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    int done = 0;
    while (dollar >= 0 && dollar + 1 < text.length()) {
      out.append(text, done, dollar);
      done = dollar + 2;
      char next = text.charAt(dollar + 1);
      int close = next == '(' ? text.indexOf(')', done) : -1;
      if (next == '$') {
        out.append('$');
      } else if (close >= 0) {
        String value = variables.get(text.substring(done, close));
        done = close + 1;
        out.append(value != null ? value : text.substring(dollar, done));
      } else {
        out.append(text, dollar, done);
      }
      dollar = text.indexOf('$', done);
    }
    return out.append(text, done, text.length()).toString();
  }

  /**
   * Expands each element of a command.
   *
   * @param command program and arguments
   * @param variables values by name
   * @return a command of the same length
   */
  public static List<String> expand(List<String> command, Map<String, String> variables) {
    return command.stream().map(word -> expand(word, variables)).toList();
  }
}
