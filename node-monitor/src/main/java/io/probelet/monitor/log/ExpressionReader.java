package io.probelet.monitor.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses the common subset of RE2's syntax. Word boundaries are assumed to match everywhere:
 * callers verify found texts with the real pattern.
 */
final class ExpressionReader {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_REPEAT = 1000;
  private static final Map<String, CharSet> POSIX =
      Map.of(
          "digit",
          CharSet.DIGITS,
          "space",
          CharSet.SPACES,
          "word",
          CharSet.WORDS,
          "alpha",
          letters(),
          "alnum",
          CharSet.WORDS,
          "upper",
          CharSet.of('A', 'Z'),
          "lower",
          CharSet.of('a', 'z'),
          "punct",
          CharSet.of('!', '/'),
          "xdigit",
          CharSet.DIGITS,
          "print",
          CharSet.of(' ', '~'));

  private final String source;
  private int at;
  private int depth;
  private boolean ignoreCase;

  private ExpressionReader(String source) {
    this.source = source;
  }

  private static CharSet letters() {
    return new CharSet(List.of(new CharSet.Range('a', 'z'), new CharSet.Range('A', 'Z')), false);
  }

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException if it uses unsupported syntax
   */
  static Expression read(String source) {
    ExpressionReader reader = new ExpressionReader(source);
    try {
      Expression all = reader.choice();
      if (reader.at < source.length()) {
        throw unknown("unmatched parenthesis");
      }
      return all;
    } catch (IndexOutOfBoundsException broken) {
      throw new IllegalArgumentException("unexpected end", broken);
    }
  }

  private static IllegalArgumentException unknown(String what) {
    return new IllegalArgumentException("not supported: " + what);
  }

  private Expression choice() {
    List<Expression> branches = new ArrayList<>();
    do {
      branches.add(sequence());
    } while (skips('|'));
    return branches.size() == 1 ? branches.getFirst() : new Expression.Choice(branches);
  }

  private Expression sequence() {
    List<Expression> parts = new ArrayList<>();
    while (at < source.length() && source.charAt(at) != '|' && source.charAt(at) != ')') {
      parts.add(repeated(atom()));
    }
    return new Expression.Sequence(parts);
  }

  private Expression atom() {
    char c = source.charAt(at++);
    return switch (c) {
      case '(' -> group();
      case '[' -> chars(members());
      case '.' -> chars(CharSet.ANY);
      case '^' -> new Expression.Begin();
      case '$' -> new Expression.End();
      case '\\' -> escape();
      default -> chars(CharSet.of(c, c));
    };
  }

  private Expression chars(CharSet set) {
    return new Expression.Chars(ignoreCase ? set.withBothCases() : set);
  }

  private Expression group() {
    if (++depth > MAX_DEPTH) {
      throw unknown("nesting deeper than " + MAX_DEPTH);
    }
    boolean before = ignoreCase;
    boolean flagsOnly = false;
    if (skips('?')) {
      if (source.charAt(at) == 'P' || source.charAt(at) == '<') {
        at = source.indexOf('>', at) + 1;
      } else {
        flagsOnly = flags();
      }
      if (at == 0) {
        throw unknown("unterminated name");
      }
    }
    if (flagsOnly) { // they apply up to the end of the enclosing group
      depth--;
      return new Expression.Sequence(List.of());
    }
    Expression inside = choice();
    if (!skips(')')) {
      throw unknown("unterminated group");
    }
    ignoreCase = before;
    depth--;
    return inside;
  }

  /** Returns whether the group contains only flags. */
  private boolean flags() {
    boolean on = true;
    while (true) {
      char flag = source.charAt(at++);
      switch (flag) {
        case ')' -> {
          return true;
        }
        case ':' -> {
          return false;
        }
        case '-' -> on = false;
        case 'i' -> ignoreCase = on;
        case 's', 'm', 'U' -> {} // a single line has no newlines, and greediness does not matter
        default -> throw unknown("the flag " + flag);
      }
    }
  }

  private Expression escape() {
    char c = source.charAt(at);
    return switch (c) {
      case 'b', 'B' -> nothing(new Expression.Sequence(List.of()));
      case 'A' -> nothing(new Expression.Begin());
      case 'z' -> nothing(new Expression.End());
      default -> chars(escaped());
    };
  }

  private Expression nothing(Expression what) {
    at++;
    return what;
  }

  /** Parses the character after a backslash, in a class and outside. */
  private CharSet escaped() {
    char c = source.charAt(at++);
    return switch (c) {
      case 'd' -> CharSet.DIGITS;
      case 'D' -> CharSet.DIGITS.not();
      case 'w' -> CharSet.WORDS;
      case 'W' -> CharSet.WORDS.not();
      case 's' -> CharSet.SPACES;
      case 'S' -> CharSet.SPACES.not();
      case 't' -> CharSet.of('\t', '\t');
      case 'n' -> CharSet.of('\n', '\n');
      case 'r' -> CharSet.of('\r', '\r');
      default -> {
        if (Character.isLetterOrDigit(c)) {
          throw unknown("\\" + c);
        }
        yield CharSet.of(c, c);
      }
    };
  }

  private CharSet members() {
    boolean negated = skips('^');
    List<CharSet.Range> ranges = new ArrayList<>();
    int start = at;
    while (at == start || source.charAt(at) != ']') {
      if (source.startsWith("[:", at)) {
        String name = source.substring(at + 2, source.indexOf(":]", at));
        at += name.length() + 4;
        ranges.addAll(plain(POSIX.get(name), name));
      } else {
        char c = source.charAt(at++);
        CharSet one = c == '\\' ? escaped() : CharSet.of(c, c);
        ranges.addAll(isRange() ? List.of(rangeFrom(one)) : plain(one, "\\" + c));
      }
    }
    at++;
    return new CharSet(ranges, negated);
  }

  private static List<CharSet.Range> plain(@Nullable CharSet set, String name) {
    if (set == null || set.negated()) {
      throw unknown(name + " in a class");
    }
    return set.ranges();
  }

  private boolean isRange() {
    return source.charAt(at) == '-' && source.charAt(at + 1) != ']';
  }

  private CharSet.Range rangeFrom(CharSet first) {
    at++;
    char c = source.charAt(at++);
    CharSet last = c == '\\' ? escaped() : CharSet.of(c, c);
    return new CharSet.Range(first.ranges().getFirst().first(), last.ranges().getFirst().last());
  }

  private Expression repeated(Expression what) {
    Expression result = what;
    while (at < source.length()) {
      if (skips('*')) {
        result = new Expression.Repeat(result, 0, -1);
      } else if (skips('+')) {
        result = new Expression.Repeat(result, 1, -1);
      } else if (skips('?')) {
        result = new Expression.Repeat(result, 0, 1);
      } else if (source.charAt(at) == '{' && count(at + 1) > at + 1) {
        result = braces(result);
      } else {
        return result;
      }
    }
    return result;
  }

  /** The end of the digits that begin there. */
  private int count(int from) {
    int end = from;
    while (end < source.length() && Character.isDigit(source.charAt(end))) {
      end++;
    }
    return end;
  }

  private Expression braces(Expression what) {
    int end = count(at + 1);
    int least = number(at + 1, end);
    int most = least;
    if (source.charAt(end) == ',') {
      int last = count(end + 1);
      most = last == end + 1 ? -1 : number(end + 1, last);
      end = last;
    }
    if (source.charAt(end) != '}') {
      at++; // three characters of the text
      return new Expression.Sequence(List.of(what, chars(CharSet.of('{', '{'))));
    }
    at = end + 1;
    return new Expression.Repeat(what, least, most);
  }

  private int number(int from, int end) {
    if (end - from > 4 || Integer.parseInt(source.substring(from, end)) > MAX_REPEAT) {
      throw unknown("more than " + MAX_REPEAT + " repetitions");
    }
    return Integer.parseInt(source.substring(from, end));
  }

  private boolean skips(char c) {
    if (at < source.length() && source.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }
}
