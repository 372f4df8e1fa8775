package io.probelet.health;

/** What a condition says (CH-1): Kubernetes' three values, and one for what is on its way. */
public enum ConditionStatus {
  /** It holds. */
  TRUE("True"),
  /** It does not hold. */
  FALSE("False"),
  /** Nobody could find out whether it holds. */
  UNKNOWN("Unknown"),
  /** It does not hold yet, or not any more, and is still within the time it is given. */
  PROGRESSING("Progressing");

  private final String text;

  ConditionStatus(String text) {
    this.text = text;
  }

  /**
   * Reads the spelling used in Kubernetes objects; case matters.
   *
   * @param text {@code True}, {@code False}, {@code Unknown} or {@code Progressing}
   * @return the status of that name
   * @throws IllegalArgumentException if it is none of the four
   */
  public static ConditionStatus parse(String text) {
    return switch (text) {
      case "True" -> TRUE;
      case "False" -> FALSE;
      case "Unknown" -> UNKNOWN;
      case "Progressing" -> PROGRESSING;
      default ->
          throw new IllegalArgumentException(
              "\"" + text + "\" is not a condition status; use True, False, Unknown, Progressing");
    };
  }

  /** {@return the spelling used in Kubernetes objects} */
  @Override
  public String toString() {
    return text;
  }
}
