package io.probelet.document.expression;

/** What the evaluation of an expression came to. */
public sealed interface ExpressionResult {
  /**
   * The expression has a value.
   *
   * @param holds the value
   */
  record Decided(boolean holds) implements ExpressionResult {}

  /**
   * The expression has no value: it reads a field that is absent, fails, or exceeds a limit. This
   * is neither true nor false.
   *
   * @param reason in words, for people
   */
  record Undecided(String reason) implements ExpressionResult {}
}
