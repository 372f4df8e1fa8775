package io.probelet.document.expression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.document.expression.ExpressionType.ListOf;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompiledExpressionTest {
  private static final ExpressionVariables VARIABLES =
      new ExpressionVariables(
          Map.of(
              "status", Scalar.INT,
              "body", Scalar.STRING,
              "json", Scalar.ANY,
              "age", Scalar.DURATION,
              "names", new ListOf(Scalar.STRING),
              "conditions",
                  new MapOf(
                      new ObjectOf(
                          "condition", Map.of("status", Scalar.STRING, "age", Scalar.DURATION)))));

  private static final Map<String, Object> VALUES =
      Map.of(
          "status", 200,
          "body", "all good\n",
          "json", json("{\"n\": 3, \"ratio\": 0.5, \"none\": null, \"items\": [{\"ok\": true}]}"),
          "age", Duration.ofMinutes(6),
          "names", List.of("a", "b"),
          "conditions", Map.of("Ready", Map.of("status", "False", "age", Duration.ofMinutes(6))));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status == 200 && body.contains('good')",
        "status in [200, 204] || json.n > 100",
        "json.n == 3 && json.n > 2.5 && json.ratio < 1",
        "json.none == null",
        "json.items.all(item, item.ok)",
        "has(json.items) && !has(json.other)",
        "size(names) == 2 && names.exists(name, name == 'b')",
        "names.map(name, name + '!') == ['a!', 'b!']",
        "conditions['Ready'].status == 'False' && conditions.Ready.age > duration('5m')",
        "conditions.exists(type, conditions[type].status == 'False')",
        "'Ready' in conditions && !('DiskPressure' in conditions)",
        "body.matches('^all g[o]{2}d')",
        "age == duration('0.1h') && conditions.Ready.age >= age",
        "string(status) == '200' && int('7') == 7",
        "json.missing == 1 || status == 200",
        "json.items[0].ok",
      })
  void holds(String text) throws ExpressionException {
    assertThat(evaluate(text)).isEqualTo(new Decided(true));
  }

  @Test
  void isFalseWhereItDoesNotHold() throws ExpressionException {
    assertThat(evaluate("status == 500")).isEqualTo(new Decided(false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "statis == 200 | line 1, column 1: unknown name 'statis'; did you mean `status`? variables: age, body, conditions, json, names, status; functions: has, all, exists, exists_one,",
        "condition.Ready.status == 'x' | line 1, column 1: unknown name 'condition'; did you mean `conditions`? variables: ",
        "condition == 'x' | line 1, column 1: unknown name 'condition'; did you mean `conditions`?",
        "condition{status: 'x'} == conditions.Ready | line 1, column 10: unknown name 'condition'",
        "other == 1 | line 1, column 1: unknown name 'other'; variables: age",
        "now() == now() | line 1, column 4: unknown name 'now'; variables: ",
        "timestamp('2026-01-01T00:00:00Z') == timestamp('2026-01-01T00:00:00Z') | line 1, column 10: unknown name 'timestamp'",
        "conditions.Ready.reason == 'x' | line 1, column 17: unknown field 'reason'; fields of condition: age, status",
        "conditions.Ready.statis == 'x' | line 1, column 17: unknown field 'statis'; did you mean `status`? fields of condition: age, status",
        "names.first == 'a' | line 1, column 6: a value of type list(string) has no fields",
        "body.length == 1 | line 1, column 5: a value of type string has no fields",
        "~status == 200 &&\n  status == 'x'~ | line 2, column 10: == needs two values of the same type, found (int, string)",
        "age > 5 | line 1, column 5: '>' cannot be applied to (duration, int); a duration is written as in duration('5m')",
        "age - duration('1m') > age | line 1, column 5: '-' cannot be applied to (duration, duration); it takes (int, int) or (double, double)",
        "status + 'a' == 'a' | line 1, column 8: '+' cannot be applied to (int, string); it takes ",
        "body.startsWith(1) | line 1, column 16: 'startsWith' cannot be applied to string.(int); it takes string.(string)",
        "string(age) == '6m' | line 1, column 7: 'string' cannot be applied to (duration); it takes (string) or (int) or",
        "'a' in body | line 1, column 5: 'in' cannot be applied to (string, string); it takes ",
        "status + 1 | line 1, column 8: must be true or false, but is of type int",
        "'' | line 1, column 1: must be true or false, but is of type string",
        "body.all(c, c == 'x') | line 1, column 1: all(), exists(), exists_one(), map() and filter() need a list or a map, not a value of type string",
        "names.all(names[0], true) | line 1, column 16: the first argument must be a new name for each item",
        "has(body) | line 1, column 4: has() needs a field, as in has(json.state)",
        "while == 1 | line 1, column 1: 'while' is a reserved word",
        "status &&& 1 | line 1, column 10: unexpected '&'; did you mean &&?",
        "status = 200 | line 1, column 8: unexpected '='; did you mean ==?",
        "status == 200 and body == 'a' | line 1, column 15: unexpected 'and'; did you mean &&?",
        "status == 200) | line 1, column 14: unexpected ')'",
        "status == # | line 1, column 11: unexpected '#'",
        "status == | line 1, column 10: ends where a value or a closing bracket is expected",
        "(status == 200 | line 1, column 15: ends where a value or a closing bracket is expected",
        "body == 'a | line 1, column 9: a text begins here that has no closing quote in its line",
        "body.matches('(') | line 1, column 14: must be an RE2 regular expression: ",
        "body.matches('((a{100}){100}){100}') | line 1, column 14: must be a smaller pattern",
        "body.matches('(x{99}){99}') | line 1, column 14: must be a smaller pattern",
        "body.matches('x{600}y{600}') | line 1, column 14: must be a smaller pattern",
        "body.matches(body) | line 1, column 14: must be a literal, as matches() needs",
        "body.contains(body) | line 1, column 15: must be a literal, as contains() needs",
        "age > duration('5') | line 1, column 16: ",
        "age > duration(body) | line 1, column 16: must be a literal, as duration() needs",
      })
  void isRejectedWithItsPosition(String text, String message) {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> CompiledExpression.compile(text, VARIABLES))
        .withMessageStartingWith(message.replace('`', '"'));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t"})
  void isRejectedWhenEmpty(String text) {
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> CompiledExpression.compile(text, VARIABLES))
        .withMessageStartingWith(
            "line 1, column 1: is empty; variables: age, body, conditions, json, names, status;"
                + " functions: has, ");
  }

  @Test
  void isRejectedWhenTooLong() throws ExpressionException {
    String most = "status == 200" + " ".repeat(CompiledExpression.MAX_CHARS - 13);
    CompiledExpression.compile(most, VARIABLES);

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> CompiledExpression.compile(most + " ", VARIABLES))
        .withMessage("line 1, column 1025: must be no more than 1024 characters, found 1025");
  }

  @Test
  void isRejectedWhenNestedTooDeeply() throws ExpressionException {
    CompiledExpression.compile(nested(CompiledExpression.MAX_DEPTH - 2), VARIABLES);

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(
            () -> CompiledExpression.compile(nested(CompiledExpression.MAX_DEPTH + 1), VARIABLES))
        .withMessageContaining("is nested too deeply: at most 32 levels are allowed");
    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> CompiledExpression.compile("1" + "+1".repeat(300) + " == 1", VARIABLES))
        .withMessageContaining("is nested too deeply: at most 32 levels are allowed");
  }

  private static String nested(int depth) {
    return "(".repeat(depth) + "status == 200" + ")".repeat(depth);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "json.other == 1 | a field or key is missing: ",
        "json.items[7].ok | an index is outside its list",
        "1 / (status - 200) == 1 | divides by zero",
        "status * 9223372036854775807 > 1 | a number is out of range",
        "json.n.contains('x') | a value has another type than its operator or function takes",
        "int(body) == 1 | a text cannot be converted",
        "json | its value is neither true nor false",
        "json.n | its value is neither true nor false",
      })
  void isUndecidedWhereItHasNoValue(String text, String reason) throws ExpressionException {
    assertThat(evaluate(text))
        .isInstanceOfSatisfying(
            Undecided.class, undecided -> assertThat(undecided.reason()).startsWith(reason));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '"',
      value = {
        "conditions.Ready.status == 'x' ~ line 1, column 11: must not read Ready: it is set",
        "status == 1 || conditions['Ready'].age > age ~ line 1, column 26: must not read Ready: it is set",
        "'Ready' in conditions ~ line 1, column 9: must not read Ready: it is set",
        "has(conditions.Ready) ~ line 1, column 4: must not read Ready: it is set",
      })
  void rejectsKeysWithTheirPosition(String text, String message) throws ExpressionException {
    CompiledExpression expression = CompiledExpression.compile(text, VARIABLES);

    assertThatExceptionOfType(ExpressionException.class)
        .isThrownBy(() -> expression.rejectKeys("conditions", Set.of("Ready"), "it is set"))
        .withMessage(message);
    expression.rejectKeys("conditions", Set.of("Other", "status"), "it is set");
    expression.rejectKeys("json", Set.of("Ready"), "it is set");
  }

  @Test
  void isUndecidedWithoutItsVariable() throws ExpressionException {
    CompiledExpression expression = CompiledExpression.compile("json.n == 1", VARIABLES);

    assertThat(expression.evaluate(Map.of("status", 200))).isInstanceOf(Undecided.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "names.all(a, names.all(b, names.all(c, names.all(d, a + b + c + d != 'x'))))",
        "[body].map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x)"
            + ".map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x).map(x, x + x) == [body]",
        "[names].map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x])"
            + ".map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x])"
            + ".map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x])"
            + ".map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x]).map(x,[x,x])"
            + ".size() == 1",
        "names.all(n, !body.matches('(x+x+)+y{1,50}'))",
        "names.all(n, names == json)",
        "names.all(n, names == json) || status == 200",
      })
  void isUndecidedBeyondItsCost(String text) throws ExpressionException {
    Map<String, Object> values = new HashMap<>(VALUES);
    List<String> many = Collections.nCopies(1_500, "some name");
    values.put("names", many);
    values.put("json", many);
    values.put("body", "x".repeat(10_000));

    CompiledExpression expression = CompiledExpression.compile(text, VARIABLES);
    long begin = System.nanoTime();
    ExpressionResult result = expression.evaluate(values);

    assertThat(result)
        .isInstanceOfSatisfying(
            Undecided.class,
            undecided -> assertThat(undecided.reason()).startsWith("exceeds the limit of 10,000"));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
  }

  @Test
  void isUndecidedOverTooMuchInput() throws ExpressionException {
    CompiledExpression expression = CompiledExpression.compile("size(body) > 0", VARIABLES);

    assertThat(expression.evaluate(Map.of("body", "x".repeat(ExpressionValues.MAX_SIZE - 1))))
        .isEqualTo(new Decided(true));
    assertThat(expression.evaluate(Map.of("body", "x".repeat(ExpressionValues.MAX_SIZE))))
        .isEqualTo(new Undecided("the values have more than 65,536 characters"));
  }

  @Test
  void isUndecidedOverInputThatIsNestedTooDeeply() throws ExpressionException {
    CompiledExpression expression = CompiledExpression.compile("json != null", VARIABLES);

    assertThat(expression.evaluate(Map.of("json", lists(ExpressionValues.MAX_DEPTH))))
        .isEqualTo(new Decided(true));
    assertThat(expression.evaluate(Map.of("json", lists(ExpressionValues.MAX_DEPTH + 1))))
        .isEqualTo(new Undecided("the values are nested more than 64 deep"));
  }

  private static Object lists(int depth) {
    return json("[".repeat(depth) + "]".repeat(depth));
  }

  @Test
  void namesItsDurations() throws ExpressionException {
    CompiledExpression expression =
        CompiledExpression.compile(
            "age > duration('10m') || conditions.Ready.age > duration('90s')", VARIABLES);

    assertThat(expression.durations())
        .containsExactly(Duration.ofSeconds(90), Duration.ofMinutes(10));
  }

  @Test
  void equalsAnotherOfTheSameTextAndVariables() throws ExpressionException {
    CompiledExpression one = CompiledExpression.compile("status == 200", VARIABLES);

    assertThat(one)
        .isEqualTo(CompiledExpression.compile("status == 200", VARIABLES))
        .isNotEqualTo(CompiledExpression.compile("status == 201", VARIABLES))
        .isNotEqualTo(
            CompiledExpression.compile(
                "status == 200", new ExpressionVariables(Map.of("status", Scalar.INT))));
  }

  private static ExpressionResult evaluate(String text) throws ExpressionException {
    return CompiledExpression.compile(text, VARIABLES).evaluate(VALUES);
  }

  private static Object json(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (JsonProcessingException malformed) {
      throw new AssertionError(malformed);
    }
  }
}
