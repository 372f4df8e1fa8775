package io.probelet.monitor.log;

import java.util.List;

/** A parsed expression in RE2 syntax, reduced to what determines the matching texts. */
sealed interface Expression {
  /** One character of a set. */
  record Chars(CharSet set) implements Expression {}

  /** The beginning of the line. */
  record Begin() implements Expression {}

  /** The end of the line. */
  record End() implements Expression {}

  /** A sequence; empty matches the empty text. */
  record Sequence(List<Expression> parts) implements Expression {
    public Sequence {
      parts = List.copyOf(parts);
    }
  }

  /** One of several alternatives. */
  record Choice(List<Expression> branches) implements Expression {
    public Choice {
      branches = List.copyOf(branches);
    }
  }

  /** A repetition, unlimited if {@code most} is negative. */
  record Repeat(Expression what, int least, int most) implements Expression {}
}
