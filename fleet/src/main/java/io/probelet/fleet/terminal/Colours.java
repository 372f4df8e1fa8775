package io.probelet.fleet.terminal;

import java.util.Map;

/** Whether words are colored. No meaning is in the color alone. */
public enum Colours {
  /** No colors: for files, pipes and NO_COLOR. */
  NONE,
  /** ANSI escape sequences. */
  ANSI;

  /** What a word means. */
  public enum Meaning {
    /** Healthy. */
    GOOD("32"),
    /** Pending, or to be checked. */
    WARNING("33"),
    /** Unhealthy. */
    BAD("31"),
    /** The title of a column. */
    TITLE("1"),
    /** Neutral. */
    PLAIN("");

    private final String code;

    Meaning(String code) {
      this.code = code;
    }
  }

  /**
   * {@return the colors for standard output}
   *
   * @param environment of the process: any NO_COLOR turns colors off, CLICOLOR_FORCE other than 0
   *     turns them on for files and pipes too, TERM=dumb turns them off
   * @param terminal whether standard output is a terminal
   */
  public static Colours of(Map<String, String> environment, boolean terminal) {
    if (!environment.getOrDefault("NO_COLOR", "").isEmpty()) {
      return NONE;
    }
    String force = environment.getOrDefault("CLICOLOR_FORCE", "0");
    if (!force.isEmpty() && !force.equals("0")) {
      return ANSI;
    }
    return terminal && !environment.getOrDefault("TERM", "dumb").equals("dumb") ? ANSI : NONE;
  }

  /**
   * {@return the text in its color}
   *
   * @param text without control characters
   */
  public String paint(Meaning meaning, String text) {
    return this == NONE || meaning.code.isEmpty() || text.isBlank()
        ? text
        : "\u001b[" + meaning.code + "m" + text + "\u001b[0m";
  }
}
