package io.probelet.probe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Expands variables in commands as Kubernetes does: {@code $(VAR)} becomes the value, {@code $$} a
 * single dollar sign, so that {@code $$(VAR)} stays literal. Unknown or incomplete references stay
 * unchanged (H-9), and values are not expanded again.
 */
public final class EnvExpansion {
  /**
   * The longest expanded text, in characters. The kernel limits each argument and variable
   * (MAX_ARG_STRLEN).
   */
  public static final int MAX_CHARS = 128 * 1024;

  /**
   * The most characters of all elements of one command, or of all variables of one container. The
   * kernel's limit for both together is twice that with the usual stack of 8 MiB.
   */
  public static final int MAX_TOTAL_CHARS = 1024 * 1024;

  private EnvExpansion() {}

  /**
   * The expanded text is too large for any program. A short manifest can cause that: thousands of
   * references to one long variable, or a chain of variables that each double the previous one.
   */
  public static final class TooLargeException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Says what is too large.
     *
     * @param message for the user
     */
    public TooLargeException(String message) {
      super(message);
    }

    /** {@return what is too large, for the user} */
    public String text() {
      return String.valueOf(getMessage());
    }
  }

  /**
   * Expands one text.
   *
   * @param text what a user wrote
   * @param variables values by name
   * @return the text with all known references replaced
   * @throws TooLargeException if that has more than {@value #MAX_CHARS} characters
   */
  public static String expand(String text, Map<String, String> variables) throws TooLargeException {
    int dollar = text.indexOf('$');
    if (dollar < 0) {
      return text;
    }
    // One search for all: a search from each of a million "$(" would take hours.
    int lastClose = text.lastIndexOf(')');
    StringBuilder out = new StringBuilder();
    int done = 0;
    while (dollar >= 0 && dollar + 1 < text.length()) {
      out.append(text, done, dollar);
      done = dollar + 2;
      char next = text.charAt(dollar + 1);
      int close = next == '(' && done <= lastClose ? text.indexOf(')', done) : -1;
      if (next == '$') {
        out.append('$');
      } else if (close >= 0) {
        String value = variables.get(text.substring(done, close));
        done = close + 1;
        out.append(value != null ? value : text.substring(dollar, done));
      } else {
        out.append(text, dollar, done);
      }
      check(out.length() + (long) text.length() - done);
      dollar = text.indexOf('$', done);
    }
    return out.append(text, done, text.length()).toString();
  }

  private static void check(long chars) throws TooLargeException {
    if (chars > MAX_CHARS) {
      throw new TooLargeException(
          "with its variables expanded, one text has more than " + MAX_CHARS + " characters");
    }
  }

  /**
   * Expands each element of a command.
   *
   * @param command program and arguments
   * @param variables values by name
   * @return a command of the same length
   * @throws TooLargeException if an element has more than {@value #MAX_CHARS} characters, or all
   *     together more than {@value #MAX_TOTAL_CHARS}
   */
  public static List<String> expand(List<String> command, Map<String, String> variables)
      throws TooLargeException {
    List<String> expanded = new ArrayList<>(command.size());
    long total = 0;
    for (String word : command) {
      String whole = expand(word, variables);
      total += whole.length();
      if (total > MAX_TOTAL_CHARS) {
        throw new TooLargeException(
            "with its variables expanded, the command has more than "
                + MAX_TOTAL_CHARS
                + " characters");
      }
      expanded.add(whole);
    }
    return Collections.unmodifiableList(expanded);
  }
}
