package io.probelet.monitor.rule;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * An expression over the newest lines of a log (A-2). It is matched in time linear to the text, and
 * must match up to the end of the newest line.
 *
 * @param compiled with {@code \z} appended, not grouped: in {@code a|b} only {@code b} is bound to
 *     the end, as in node-problem-detector
 * @param scope how much of the log it must see
 */
public record LinePattern(String source, Pattern compiled, Scope scope) {
  /** The group that contains the device name of a line. */
  static final String DEVICE = "device";

  private static final int LONGEST = 4096;

  /**
   * Compiles an expression.
   *
   * @param source in RE2 syntax
   * @throws IllegalArgumentException if it is invalid; the message is for the user
   */
  public static LinePattern parse(String source) {
    if (source.length() > LONGEST) {
      throw new IllegalArgumentException("is longer than the " + LONGEST + " characters allowed");
    }
    Pattern _ = expression(source); // compiled alone, so that an error quotes the user's text
    return new LinePattern(source, expression(source + "\\z"), Scope.of(source));
  }

  /**
   * Compiles an expression over any text.
   *
   * @param source in RE2 syntax
   * @throws IllegalArgumentException if it is invalid; the message is for the user
   */
  public static Pattern expression(String source) {
    try {
      return Pattern.compile(source);
    } catch (PatternSyntaxException malformed) {
      throw new IllegalArgumentException(
          "is not a valid RE2 expression: " + malformed.getMessage(), malformed);
    }
  }

  /**
   * Searches for a match.
   *
   * @param text the newest line, or the newest lines joined by newlines
   */
  public OptionalInt find(String text) {
    Matcher matcher = compiled.matcher(text);
    return matcher.find() ? OptionalInt.of(matcher.start()) : OptionalInt.empty();
  }

  /** {@return whether it has a group of the name {@value #DEVICE}} */
  public boolean namesDevice() {
    return compiled.namedGroups().containsKey(DEVICE);
  }

  /**
   * Finds the device a match is about (B-15).
   *
   * @return the text of the group {@value #DEVICE}; empty if there is no such group, it did not
   *     participate, or it is not a device name
   */
  public String device(String text) {
    if (!namesDevice()) {
      return "";
    }
    Matcher matcher = compiled.matcher(text);
    String device = matcher.find() ? matcher.group(DEVICE) : null;
    return device == null || device.length() > KernelDevice.MAX_NAME ? "" : device;
  }

  /** {@return texts of which every match contains one; empty if unknown} */
  public List<String> literals() {
    return scope.literals();
  }

  /**
   * Static properties of an expression, which avoid matching most lines. If a property is unknown,
   * the expression is matched against every line, with the same result.
   *
   * @param newestLineOnly whether a match never reaches beyond the newest line
   * @param literals texts of which every match contains one; empty if unknown
   */
  public record Scope(boolean newestLineOnly, List<String> literals) {
    /**
     * Constructs that could match a line's end, begin at the first line, or change the meaning of
     * the rest.
     */
    private static final Pattern WIDE =
        Pattern.compile(
            "\\\\[nsWDCpPxQAazB0-9]|\\[\\^|\\[:|\\(\\?[^:P<]|[\\x00-\\x1f]|\\^|\\\\[rtfv]-");

    private static final Pattern FLAGS = Pattern.compile("\\(\\?[^:P<]|\\\\[QCpPx0-9]");
    private static final int SHORTEST = 3;
    private static final String PUNCTUATION = "\\.+*?()|[]{}^$/-_:;,<>=!@#%&~'\"` ";

    /** Keeps an unmodifiable copy of the list. */
    public Scope {
      literals = List.copyOf(literals);
    }

    static Scope of(String expression) {
      if (FLAGS.matcher(expression).find()) {
        return new Scope(false, List.of());
      }
      Branches branches = new Branches(expression);
      boolean oneLine = !WIDE.matcher(expression).find() && branches.longest.size() == 1;
      boolean known = branches.longest.stream().allMatch(text -> text.length() >= SHORTEST);
      return new Scope(oneLine, known ? branches.longest : List.of());
    }

    /** The longest plain text of each alternative of the outermost level. */
    private static final class Branches {
      private final String expression;
      private final List<String> longest = new ArrayList<>();
      private String best = "";
      private final StringBuilder run = new StringBuilder();
      private int at;

      Branches(String expression) {
        this.expression = expression;
        while (at < expression.length()) {
          step();
        }
        endBranch();
      }

      private void step() {
        char c = expression.charAt(at++);
        switch (c) {
          case '(' -> skipGroup();
          case '[' -> skipClass();
          case '|' -> endBranch();
          case '*', '?', '{' -> {
            // The element before it is optional.
            run.setLength(Math.max(0, run.length() - 1));
            endRun();
            if (c == '{') {
              at = Math.max(at, expression.indexOf('}', at) + 1);
            }
          }
          case '+', '.', '^', '$' -> endRun();
          case '\\' -> escape();
          default -> literal(c);
        }
      }

      private void literal(char c) {
        // A character outside ASCII may be a surrogate; supporting these is not worth the effort.
        if (c < 0x20 || c > 0x7e) {
          endRun();
        } else {
          run.append(c);
        }
      }

      private void escape() {
        char next = at < expression.length() ? expression.charAt(at++) : '\\';
        if (PUNCTUATION.indexOf(next) >= 0) {
          literal(next);
        } else {
          endRun();
        }
      }

      private void skipGroup() {
        endRun();
        int depth = 1;
        while (at < expression.length() && depth > 0) {
          char c = expression.charAt(at++);
          switch (c) {
            case '\\' -> at++;
            case '[' -> skipClass();
            case '(' -> depth++;
            case ')' -> depth--;
            default -> {}
          }
        }
      }

      private void skipClass() {
        endRun();
        if (expression.startsWith("^", at)) {
          at++;
        }
        // A closing bracket at the start belongs to the class.
        int first = at;
        while (at < expression.length() && (at == first || expression.charAt(at) != ']')) {
          int named = expression.startsWith("[:", at) ? expression.indexOf(":]", at) : -1;
          if (named >= 0) {
            at = named + 2;
          } else { // without a class name, bracket and colon are ordinary characters
            at += expression.charAt(at) == '\\' ? 2 : 1;
          }
        }
        at++;
      }

      private void endRun() {
        if (run.length() > best.length()) {
          best = run.toString();
        }
        run.setLength(0);
      }

      private void endBranch() {
        endRun();
        longest.add(best);
        best = "";
      }
    }
  }
}
