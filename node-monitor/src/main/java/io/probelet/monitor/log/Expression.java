package io.probelet.monitor.log;

import java.util.List;

/** An expression in RE2 syntax, as far as it says which texts match. */
sealed interface Expression {
  /** One character of some. */
  record Chars(CharSet set) implements Expression {}

  /** Nothing, where the line begins. */
  record Begin() implements Expression {}

  /** Nothing, where the line ends. */
  record End() implements Expression {}

  /** One after the other; nothing if there are none. */
  record Sequence(List<Expression> parts) implements Expression {
    public Sequence {
      parts = List.copyOf(parts);
    }
  }

  /** One of several. */
  record Choice(List<Expression> branches) implements Expression {
    public Choice {
      branches = List.copyOf(branches);
    }
  }

  /** The same several times, without limit if {@code most} is negative. */
  record Repeat(Expression what, int least, int most) implements Expression {}
}
