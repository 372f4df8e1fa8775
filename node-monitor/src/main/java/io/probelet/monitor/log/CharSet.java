package io.probelet.monitor.log;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The characters that match at one position of an expression.
 *
 * @param ranges first and last of each, inclusive
 * @param negated whether it matches all other characters instead
 */
record CharSet(List<Range> ranges, boolean negated) {
  static final CharSet ANY = new CharSet(List.of(), true);
  static final CharSet DIGITS = of('0', '9');
  static final CharSet WORDS =
      new CharSet(
          List.of(
              new Range('x', 'x'),
              new Range('a', 'z'),
              new Range('A', 'Z'),
              new Range('0', '9'),
              new Range('_', '_')),
          false);
  static final CharSet SPACES =
      new CharSet(List.of(new Range(' ', ' '), new Range('\t', '\r')), false);

  /** Tried first, so that examples are readable. */
  private static final String USUAL = "x0 -_.a";

  /** Some characters. */
  record Range(char first, char last) {
    boolean contains(char c) {
      return c >= first && c <= last;
    }
  }

  CharSet {
    ranges = List.copyOf(ranges);
  }

  static CharSet of(char first, char last) {
    return new CharSet(List.of(new Range(first, last)), false);
  }

  CharSet not() {
    return new CharSet(ranges, !negated);
  }

  /** The same letters in upper and lower case. */
  CharSet withBothCases() {
    List<Range> both = new ArrayList<>(ranges);
    for (Range range : ranges) {
      for (char c = 'a'; c <= 'z'; c++) {
        char upper = Character.toUpperCase(c);
        if (range.contains(c) || range.contains(upper)) {
          both.add(new Range(c, c));
          both.add(new Range(upper, upper));
        }
      }
    }
    return new CharSet(both, negated);
  }

  boolean contains(char c) {
    for (Range range : ranges) {
      if (range.contains(c)) {
        return !negated;
      }
    }
    return negated;
  }

  /** {@return an allowed character of this set, a common one if possible; 0 if there is none} */
  char any(Predicate<Character> allowed) {
    for (int i = 0; i < USUAL.length(); i++) {
      char c = USUAL.charAt(i);
      if (contains(c) && allowed.test(c)) {
        return c;
      }
    }
    for (char c = ' '; c < 0x2000; c++) {
      if (contains(c) && allowed.test(c)) {
        return c;
      }
    }
    return 0;
  }
}
