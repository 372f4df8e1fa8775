package io.probelet.document.tree;

import io.probelet.health.ShortText;

/**
 * A syntax error.
 *
 * @param message the error, in one line
 */
public record SyntaxProblem(Position at, String message) {
  /** Some parser messages quote most of a document. */
  private static final int MAX_MESSAGE = 1000;

  /** Truncates the message. */
  public SyntaxProblem {
    message = ShortText.of(message, MAX_MESSAGE);
  }
}
