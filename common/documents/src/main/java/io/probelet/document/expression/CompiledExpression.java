package io.probelet.document.expression;

import io.probelet.document.field.Field;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * An expression, compiled and type-checked: true or false over the values of its variables. It has
 * no clock and no randomness, so the same values always give the same result. Safe for use by
 * several threads.
 */
public final class CompiledExpression {
  /** Longest text, in characters. */
  public static final int MAX_CHARS = 1_024;

  /** Deepest nesting of parentheses, calls and operators. */
  public static final int MAX_DEPTH = 32;

  private final String text;
  private final CelProgram program;

  private CompiledExpression(String text, CelProgram program) {
    this.text = text;
    this.program = program;
  }

  /**
   * Compiles an expression. This may take tens of milliseconds, and a second the first time: do not
   * call it on an event loop.
   *
   * @param text the expression
   * @param variables those it may read
   * @throws ExpressionException if it is malformed, too large, of another type than bool, or reads
   *     anything else
   */
  public static CompiledExpression compile(String text, ExpressionVariables variables)
      throws ExpressionException {
    if (text.length() > MAX_CHARS) {
      throw new ExpressionException(
          1,
          MAX_CHARS + 1,
          "must be no more than %d characters, found %d".formatted(MAX_CHARS, text.length()));
    }
    return new CompiledExpression(text, variables.environment().compile(text));
  }

  /**
   * Compiles the expression in a field and reports there what is wrong with it.
   *
   * @return null if it is absent or invalid
   */
  public static @Nullable CompiledExpression read(Field field, ExpressionVariables variables) {
    String text = field.text();
    if (text == null) {
      return null;
    }
    try {
      return compile(text, variables);
    } catch (ExpressionException invalid) {
      field.invalid(String.valueOf(invalid.getMessage()));
      return null;
    }
  }

  /**
   * Evaluates it. Takes tens of milliseconds at most, as its cost is limited.
   *
   * @param values by name: Boolean, Integer, Long, Double, String, Duration, JsonNode, and lists
   *     and maps of them; a variable may be absent
   */
  public ExpressionResult evaluate(Map<String, ?> values) {
    return program.evaluate(values);
  }

  /**
   * {@return the durations that it names, ascending} It compares ages with these or with each other
   * and does nothing else with them. So as time passes its result changes only when an age exceeds
   * one of them.
   */
  public SortedSet<Duration> durations() {
    return program.rules().durations();
  }

  /**
   * Rejects an expression that names certain keys of a variable, as in {@code conditions["Ready"]},
   * {@code conditions.Ready} and {@code "Ready" in conditions}. Keys that it computes are not seen.
   *
   * @param variable the map
   * @param keys those it must not name
   * @param rule why, for the message
   * @throws ExpressionException if it names one, with its position
   */
  public void rejectKeys(String variable, Set<String> keys, String rule)
      throws ExpressionException {
    for (CelRules.Key key : program.rules().keys()) {
      if (key.variable().equals(variable) && keys.contains(key.name())) {
        throw new ExpressionException(
            key.line(), key.column(), "must not read %s: %s".formatted(key.name(), rule));
      }
    }
  }

  /** {@return the expression as it was written} */
  public String text() {
    return text;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CompiledExpression expression
        && expression.text.equals(text)
        && expression.program.rules().variables() == program.rules().variables();
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
