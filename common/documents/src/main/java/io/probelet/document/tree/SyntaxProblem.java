package io.probelet.document.tree;

import io.probelet.health.ShortText;

/**
 * Text that is not what it claims to be.
 *
 * @param message what is wrong, in one line
 */
public record SyntaxProblem(Position at, String message) {
  /** Some repeat what they found, which may be most of a document. */
  private static final int MAX_MESSAGE = 1000;

  /** Cuts the message. */
  public SyntaxProblem {
    message = ShortText.of(message, MAX_MESSAGE);
  }
}
