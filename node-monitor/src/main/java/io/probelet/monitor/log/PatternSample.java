package io.probelet.monitor.log;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes short texts that an RE2 expression may match: the first member of each class, the fewest
 * repetitions. It knows the common part of the syntax; whoever uses a text matches it first.
 */
final class PatternSample {
  /** Alternatives multiply; a few are enough to find one that fits. */
  private static final int MAX_SAMPLES = 16;

  private static final int MAX_CHARS = 1024;
  private static final int MAX_DEPTH = 100;

  private final String expression;
  private int at;
  private int depth;

  private PatternSample(String expression) {
    this.expression = expression;
  }

  /** {@return texts, none of them longer than 1,024 characters; empty if none was found} */
  static List<String> of(String expression) {
    try {
      return new PatternSample(expression).alternatives();
    } catch (IndexOutOfBoundsException unknown) {
      return List.of(); // RE2 takes more than is known here
    }
  }

  private List<String> alternatives() {
    Set<String> all = new LinkedHashSet<>();
    do {
      for (String each : sequence()) {
        if (all.size() < MAX_SAMPLES) {
          all.add(each);
        }
      }
    } while (skips('|'));
    return List.copyOf(all);
  }

  private List<String> sequence() {
    List<String> texts = List.of("");
    while (at < expression.length()
        && expression.charAt(at) != '|'
        && expression.charAt(at) != ')') {
      List<String> next = repeated(atom());
      List<String> longer = new ArrayList<>();
      for (String text : texts) {
        for (String each : next) {
          if (longer.size() < MAX_SAMPLES && text.length() + each.length() <= MAX_CHARS) {
            longer.add(text + each);
          }
        }
      }
      texts = longer;
    }
    return texts;
  }

  private List<String> atom() {
    char c = expression.charAt(at++);
    return switch (c) {
      case '(' -> group();
      case '[' -> List.of(member());
      case '\\' -> List.of(escape());
      case '.' -> List.of("x");
      case '^', '$' -> List.of("");
      default -> List.of(String.valueOf(c));
    };
  }

  private List<String> group() {
    if (++depth > MAX_DEPTH) {
      throw new IndexOutOfBoundsException(depth);
    }
    if (skips('?')) { // flags and names: up to a colon, or the end of the name
      char end = expression.startsWith("P<", at) || expression.charAt(at) == '<' ? '>' : ':';
      while (expression.charAt(at) != end && expression.charAt(at) != ')') {
        at++;
      }
      if (expression.charAt(at) == end) {
        at++;
      }
    }
    List<String> inside = alternatives();
    at++; // the closing parenthesis
    depth--;
    return inside;
  }

  private String escape() {
    char c = expression.charAt(at++);
    return switch (c) {
      case 'd' -> "0";
      case 'w', 'D', 'S' -> "x";
      case 's', 'W' -> " ";
      case 't' -> "\t";
      case 'b', 'B', 'A', 'z' -> "";
      default -> String.valueOf(c);
    };
  }

  /** The first character of a class; one of some usual characters if it excludes others. */
  private String member() {
    boolean negated = skips('^');
    int start = at;
    List<String> members = new ArrayList<>();
    while (at == start || expression.charAt(at) != ']') {
      if (expression.startsWith("[:", at)) {
        String name = expression.substring(at + 2, expression.indexOf(":]", at));
        at += name.length() + 4;
        members.add(name.equals("digit") ? "0" : name.equals("space") ? " " : "x");
      } else {
        char c = expression.charAt(at++);
        members.add(c == '\\' ? escape() : String.valueOf(c));
      }
    }
    at++;
    if (!negated) {
      return members.getFirst();
    }
    return List.of("x", "0", " ", "-", "_").stream()
        .filter(each -> !members.contains(each))
        .findFirst()
        .orElse("~");
  }

  private List<String> repeated(List<String> texts) {
    List<String> result = texts;
    while (at < expression.length()) {
      if (skips('*') || skips('?')) {
        List<String> without = new ArrayList<>(List.of(""));
        without.addAll(texts);
        result = without;
      } else if (expression.charAt(at) == '{' && least() >= 0) {
        int times = least();
        at = expression.indexOf('}', at) + 1;
        result = texts.stream().map(text -> text.repeat(Math.min(times, MAX_CHARS))).toList();
      } else if (!skips('+')) {
        return result;
      }
    }
    return result;
  }

  /** The fewest repetitions that a brace asks for; -1 if it is a character of its own. */
  private int least() {
    int end = at + 1;
    while (end < expression.length() && Character.isDigit(expression.charAt(end))) {
      end++;
    }
    boolean counts = end > at + 1 && end - at < 6 && expression.indexOf('}', end) > 0;
    return counts ? Integer.parseInt(expression.substring(at + 1, end)) : -1;
  }

  private boolean skips(char c) {
    if (at < expression.length() && expression.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }
}
