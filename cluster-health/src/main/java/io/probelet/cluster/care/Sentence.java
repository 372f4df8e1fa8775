package io.probelet.cluster.care;

/** Ends messages of others with a full stop. */
final class Sentence {

  private Sentence() {}

  /** {@return the text without blanks at its end, and with one full stop there} */
  static String ended(String text) {
    String stripped = text.strip();
    while (stripped.endsWith(".")) {
      stripped = stripped.substring(0, stripped.length() - 1).strip();
    }
    return stripped + ".";
  }
}
