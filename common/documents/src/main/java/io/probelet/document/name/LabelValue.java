package io.probelet.document.name;

/** What may be a label's value: nothing, or a name without a prefix. */
public final class LabelValue {
  /** What a value must be. */
  public static final String RULE =
      "must be empty or at most 63 letters, digits, '-', '_' and '.', beginning and ending with a"
          + " letter or digit";

  private LabelValue() {}

  /**
   * {@return whether a value breaks no rule}
   *
   * @param value any text
   */
  public static boolean isValid(String value) {
    return value.isEmpty() || QualifiedName.isUnprefixed(value);
  }
}
