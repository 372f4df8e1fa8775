package io.probelet.health;

/** The status of a condition (CH-1): the three values of Kubernetes, and Progressing. */
public enum ConditionStatus {
  /** It holds. */
  TRUE("True"),
  /** It does not hold. */
  FALSE("False"),
  /** It could not be determined. */
  UNKNOWN("Unknown"),
  /** It does not hold yet, or no longer, within its grace period. */
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
