package io.probelet.document.expression;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.document.expression.ExpressionType.ListOf;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.fuzz.Bounded;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An expression, as a pod author may write it, over what a server may answer. */
class ExpressionFuzzTest {
  private static final int MOST_BYTES = 10 * 1024;

  private static final ExpressionVariables VARIABLES =
      new ExpressionVariables(
          Map.of(
              "status", Scalar.INT,
              "body", Scalar.STRING,
              "json", Scalar.ANY,
              "headers", new MapOf(new ListOf(Scalar.STRING)),
              "total", Scalar.DURATION,
              "ready",
                  new ObjectOf("condition", Map.of("status", Scalar.STRING, "ok", Scalar.BOOL))));

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The expression is the first line, the server's answer the rest. */
  @FuzzTest
  void expression(byte[] data) throws Exception {
    String text = new String(data, StandardCharsets.UTF_8);
    int end = text.indexOf('\n');
    String expression = end < 0 ? text : text.substring(0, end);
    String body = text.substring(end + 1);
    String answer = body.substring(0, Math.min(body.length(), MOST_BYTES));
    Bounded.run(() -> {
      CompiledExpression compiled;
      try {
        compiled = CompiledExpression.compile(expression, VARIABLES);
        compiled.rejectKeys("headers", Set.of("server"), "a rule");
      } catch (ExpressionException invalid) {
        Bounded.check(invalid.line() >= 1 && invalid.column() >= 1, "a position");
        Bounded.check(String.valueOf(invalid.getMessage()).length() < 1_000, "a short message");
        return;
      }
      ExpressionResult result = compiled.evaluate(values(answer));
      if (result instanceof Undecided undecided) {
        Bounded.check(undecided.reason().length() < 1_000, "a short reason");
      }
      Bounded.check(result.equals(compiled.evaluate(values(answer))), "the same result");
    });
  }

  private static Map<String, Object> values(String body) {
    Map<String, Object> values = new HashMap<>();
    values.put("status", 200);
    values.put("body", body);
    values.put("headers", Map.of("server", List.of("a", "b")));
    values.put("total", Duration.ofMillis(12));
    values.put("ready", Map.of("status", "True"));
    try {
      JsonNode json = JSON.readTree(body);
      values.put("json", json);
    } catch (JsonProcessingException other) {
      values.remove("json");
    }
    return values;
  }
}
