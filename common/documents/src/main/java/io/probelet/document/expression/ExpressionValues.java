package io.probelet.document.expression;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.NullValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns values into CEL's, within a limit of size and depth. */
final class ExpressionValues {
  /** Most characters of all values together; a value without any counts as one. */
  static final int MAX_SIZE = 65_536;

  /** Deepest nesting of lists and maps. */
  static final int MAX_DEPTH = 64;

  /** The values exceed a limit. */
  static final class TooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLargeException(String message) {
      super(message, null, false, false);
    }
  }

  private final ExpressionCost cost;
  private int size;

  ExpressionValues(ExpressionCost cost) {
    this.cost = cost;
  }

  /** {@return the values of variables; those without a value are left out} */
  Map<String, Object> ofVariables(Map<String, ?> values) {
    Map<String, Object> converted = new LinkedHashMap<>();
    values.forEach((name, value) -> {
      if (value != null) {
        Object known = of(value, 0);
        cost.variable(known);
        converted.put(name, known);
      }
    });
    return converted;
  }

  private Object of(@Nullable Object value, int depth) {
    take(1);
    return switch (value) {
      case null -> NullValue.NULL_VALUE;
      case String text -> text(text);
      case Boolean truth -> truth;
      case Integer number -> number.longValue();
      case Long number -> number;
      case Double number -> number;
      case Duration duration -> duration;
      case JsonNode json -> json(json, depth);
      case Map<?, ?> map -> {
        Map<String, Object> converted = new LinkedHashMap<>();
        int below = below(depth);
        map.forEach((key, item) -> converted.put(text(String.valueOf(key)), of(item, below)));
        yield converted;
      }
      case Collection<?> list -> {
        List<Object> converted = new ArrayList<>(list.size());
        int below = below(depth);
        list.forEach(item -> converted.add(of(item, below)));
        yield converted;
      }
      default -> throw new IllegalArgumentException("no value of " + value.getClass());
    };
  }

  private Object json(JsonNode json, int depth) {
    return switch (json.getNodeType()) {
      case STRING -> text(json.textValue());
      case BOOLEAN -> json.booleanValue();
      case NUMBER ->
          json.canConvertToExactIntegral() && json.canConvertToLong()
              ? (Object) json.longValue()
              : (Object) json.doubleValue();
      case ARRAY -> {
        List<Object> converted = new ArrayList<>(json.size());
        int below = below(depth);
        json.forEach(item -> converted.add(of(item, below)));
        yield converted;
      }
      case OBJECT -> {
        Map<String, Object> converted = new LinkedHashMap<>();
        int below = below(depth);
        json.properties()
            .forEach(field -> converted.put(text(field.getKey()), of(field.getValue(), below)));
        yield converted;
      }
      case NULL, MISSING, BINARY, POJO -> NullValue.NULL_VALUE;
    };
  }

  private String text(String text) {
    take(text.length());
    return text;
  }

  private int below(int depth) {
    if (depth >= MAX_DEPTH) {
      throw new TooLargeException("the values are nested more than %d deep".formatted(MAX_DEPTH));
    }
    return depth + 1;
  }

  private void take(int more) {
    size += more;
    if (size > MAX_SIZE) {
      throw new TooLargeException("the values have more than %,d characters".formatted(MAX_SIZE));
    }
  }
}
