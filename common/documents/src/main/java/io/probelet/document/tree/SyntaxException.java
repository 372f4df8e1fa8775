package io.probelet.document.tree;

/** Ends the reading of one document; never leaves this package. */
final class SyntaxException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient SyntaxProblem problem;

  SyntaxException(Position at, String message) {
    super(message, null, false, false);
    problem = new SyntaxProblem(at, message);
  }

  SyntaxProblem problem() {
    return problem;
  }
}
