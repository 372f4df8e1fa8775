package io.probelet.monitor.log;

import io.probelet.monitor.log.Expression.Begin;
import io.probelet.monitor.log.Expression.Chars;
import io.probelet.monitor.log.Expression.Choice;
import io.probelet.monitor.log.Expression.End;
import io.probelet.monitor.log.Expression.Repeat;
import io.probelet.monitor.log.Expression.Sequence;
import java.util.ArrayList;
import java.util.List;

/**
 * The automaton of an expression (Thompson, 1968). It finds a match anywhere in the line, as {@link
 * io.probelet.monitor.rule.LinePattern#find} does.
 */
final class PatternAutomaton {
  private static final int MAX_STATES = 5_000;

  /** A state of the search. */
  sealed interface State {}

  /** Advances on one character of a set. */
  record Take(CharSet chars, int next) implements State {}

  /** Advances without a character, to either of two states. */
  record Split(int one, int other) implements State {}

  /** Advances without a character, only at the line's beginning. */
  record AtBegin(int next) implements State {}

  /** Advances without a character, only at the line's end. */
  record AtEnd(int next) implements State {}

  private final List<State> states = new ArrayList<>();
  private final int start;
  private final int matched;

  private PatternAutomaton(Expression expression) {
    // Text after a match is ignored, unless the expression requires the end.
    matched = add(new Take(CharSet.ANY, 0));
    states.set(matched, new Take(CharSet.ANY, matched));
    int body = compile(expression, matched);
    int before = add(new Take(CharSet.ANY, 0));
    start = add(new Split(body, before));
    states.set(before, new Take(CharSet.ANY, start));
  }

  /**
   * Creates the automaton of an expression.
   *
   * @param source in RE2 syntax
   * @throws IllegalArgumentException if it uses unsupported syntax, or is too large
   */
  static PatternAutomaton of(String source) {
    return new PatternAutomaton(ExpressionReader.read(source));
  }

  int start() {
    return start;
  }

  /** {@return the accepting state} */
  int matched() {
    return matched;
  }

  State state(int number) {
    return states.get(number);
  }

  int size() {
    return states.size();
  }

  private int add(State state) {
    if (states.size() == MAX_STATES) {
      throw new IllegalArgumentException("more than " + MAX_STATES + " states");
    }
    states.add(state);
    return states.size() - 1;
  }

  /** Returns the start state of an expression that leads to another state. */
  private int compile(Expression expression, int next) {
    return switch (expression) {
      case Chars(CharSet chars) -> add(new Take(chars, next));
      case Begin() -> add(new AtBegin(next));
      case End() -> add(new AtEnd(next));
      case Sequence(List<Expression> parts) -> {
        int at = next;
        for (Expression part : parts.reversed()) {
          at = compile(part, at);
        }
        yield at;
      }
      case Choice(List<Expression> branches) -> {
        int at = compile(branches.getLast(), next);
        for (Expression branch : branches.reversed().subList(1, branches.size())) {
          at = add(new Split(compile(branch, next), at));
        }
        yield at;
      }
      case Repeat repeat -> compile(repeat, next);
    };
  }

  private int compile(Repeat repeat, int next) {
    int at = next;
    if (repeat.most() < 0) {
      at = add(new Split(next, next));
      states.set(at, new Split(compile(repeat.what(), at), next));
    }
    for (int i = repeat.least(); i < repeat.most(); i++) {
      at = add(new Split(compile(repeat.what(), at), next));
    }
    for (int i = 0; i < repeat.least(); i++) {
      at = compile(repeat.what(), at);
    }
    return at;
  }
}
