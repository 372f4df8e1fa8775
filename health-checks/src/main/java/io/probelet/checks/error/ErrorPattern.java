package io.probelet.checks.error;

import com.google.re2j.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A way to recognize one error code in a message.
 *
 * @param code the code
 * @param pattern what must be found somewhere in the message
 * @param unless what is overlooked when it is found: linear-time expressions have no lookbehind,
 *     and "limit exceeded, but not request limit exceeded" needs one; null to overlook nothing
 */
public record ErrorPattern(ErrorCode code, Pattern pattern, @Nullable Pattern unless) {

  /**
   * {@return a pattern, upper and lower case being the same}
   *
   * @param code the code
   * @param expression an RE2 expression
   * @throws com.google.re2j.PatternSyntaxException if the expression is not one
   */
  public static ErrorPattern of(ErrorCode code, String expression) {
    return new ErrorPattern(code, compile(expression), null);
  }

  /**
   * {@return the same pattern, which overlooks what the expression matches}
   *
   * @param expression an RE2 expression, upper and lower case being the same
   * @throws com.google.re2j.PatternSyntaxException if the expression is not one
   */
  public ErrorPattern unless(String expression) {
    return new ErrorPattern(code, pattern, compile(expression));
  }

  boolean foundIn(String message) {
    String rest = unless == null ? message : unless.matcher(message).replaceAll(" ");
    return pattern.matcher(rest).find();
  }

  private static Pattern compile(String expression) {
    return Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  }
}
