package io.probelet.nodehealth.remediation;

/** What is known of a kind of templates or remediations. */
public sealed interface KindState {
  /** It is being discovered, or its objects are being listed. */
  record Pending() implements KindState {}

  /**
   * The API server does not serve it.
   *
   * @param why in a sentence
   */
  record Missing(String why) implements KindState {}

  /**
   * A permission that is needed for it is missing.
   *
   * @param why which, and the rule that grants it
   */
  record Forbidden(String why) implements KindState {}

  /**
   * All its objects are known.
   *
   * @param namespaced whether they are in namespaces
   */
  record Known(boolean namespaced) implements KindState {}
}
