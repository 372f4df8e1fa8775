package io.probelet.document.expression;

/** An expression is invalid. The message says where, what was found and what is allowed. */
public final class ExpressionException extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;
  private final int column;

  ExpressionException(int line, int column, String rule) {
    super("line %d, column %d: %s".formatted(line, column, rule), null, false, false);
    this.line = line;
    this.column = column;
  }

  /** {@return the line of the expression, 1 for the first} */
  public int line() {
    return line;
  }

  /** {@return the column in that line, 1 for the first character} */
  public int column() {
    return column;
  }
}
