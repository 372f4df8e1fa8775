package io.probelet.document.name;

/** Values of labels: empty, or a name without a prefix. */
public final class LabelValue {
  /** The rule for a value. */
  public static final String RULE =
      "must be empty or at most 63 letters, digits, '-', '_' and '.', beginning and ending with a"
          + " letter or digit";

  private LabelValue() {}

  /**
   * {@return whether a value is valid}
   *
   * @param value any text
   */
  public static boolean isValid(String value) {
    return value.isEmpty() || QualifiedName.isUnprefixed(value);
  }
}
