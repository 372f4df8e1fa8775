package io.probelet.fleet.terminal;

import java.util.Map;

/** Whether words are coloured. The words say everything; a colour only helps to find them. */
public enum Colours {
  /** Text alone, for files, pipes and those who want none. */
  NONE,
  /** As all terminals know them. */
  ANSI;

  /** What a word is about. */
  public enum Meaning {
    /** All is well. */
    GOOD("32"),
    /** To be watched, or on its way. */
    WARNING("33"),
    /** Not well. */
    BAD("31"),
    /** The title of a column. */
    TITLE("1"),
    /** Nothing in particular. */
    PLAIN("");

    private final String code;

    Meaning(String code) {
      this.code = code;
    }
  }

  /**
   * {@return the colours for what is printed to standard output}
   *
   * @param environment of the process: NO_COLOR of any value means none, CLICOLOR_FORCE of any but
   *     0 means colours wherever it goes, TERM of dumb means none
   * @param terminal whether it goes to one
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
   * {@return the text in its colour}
   *
   * @param text without control characters
   */
  public String paint(Meaning meaning, String text) {
    return this == NONE || meaning.code.isEmpty() || text.isBlank()
        ? text
        : "\u001b[" + meaning.code + "m" + text + "\u001b[0m";
  }
}
