package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The schema of a custom resource: defaults, unknown fields, and the usual checks. */
final class Schema {
  private static final String PROPERTIES = "properties";
  private static final String OTHERS = "additionalProperties";
  private static final String UNKNOWN = "x-kubernetes-preserve-unknown-fields";

  /** Fields whose form the server knows without a schema. */
  private static final Set<String> COMMON = Set.of("apiVersion", "kind", "metadata");

  private Schema() {}

  /** Puts defaults where fields are missing. */
  static void fill(JsonNode schema, JsonNode value) {
    if (value instanceof ObjectNode object) {
      schema
          .path(PROPERTIES)
          .properties()
          .forEach(each -> {
            JsonNode preset = each.getValue().path("default");
            if (!preset.isMissingNode() && !object.hasNonNull(each.getKey())) {
              object.set(each.getKey(), preset.deepCopy());
            }
          });
      object.properties().forEach(each -> fill(of(schema, each.getKey()), each.getValue()));
    } else if (value.isArray()) {
      value.forEach(each -> fill(schema.path("items"), each));
    }
  }

  private static JsonNode of(JsonNode schema, String field) {
    JsonNode known = schema.path(PROPERTIES).path(field);
    return known.isMissingNode() ? schema.path(OTHERS) : known;
  }

  /** Removes unknown fields of a whole object. */
  static void prune(JsonNode schema, ObjectNode object) {
    pruneAll(schema, object, COMMON);
  }

  private static void pruneAll(JsonNode schema, JsonNode value, Set<String> except) {
    if (value instanceof ObjectNode object) {
      if (schema.path(UNKNOWN).asBoolean()
          || schema.path("x-kubernetes-embedded-resource").asBoolean()) {
        return;
      }
      List<String> unknown = new ArrayList<>();
      object
          .properties()
          .forEach(each -> {
            String name = each.getKey();
            JsonNode inner = of(schema, name);
            if (except.contains(name)) {
              return;
            }
            if (inner.isMissingNode()) {
              unknown.add(name);
            } else if (inner.isObject()) {
              pruneAll(inner, each.getValue(), Set.of());
            }
          });
      object.remove(unknown);
    } else if (value.isArray()) {
      value.forEach(each -> pruneAll(schema.path("items"), each, Set.of()));
    }
  }

  /** {@return the violations; empty if the object is valid} */
  static List<String> mistakes(JsonNode schema, @Nullable JsonNode before, JsonNode after) {
    List<String> mistakes = new ArrayList<>();
    check("", schema, before, after, mistakes);
    return mistakes;
  }

  private static void check(
      String path, JsonNode schema, @Nullable JsonNode before, JsonNode value, List<String> to) {
    String type = schema.path("type").asText();
    if (!fits(type, schema, value)) {
      to.add("%s: Invalid value: \"%s\": must be of type %s".formatted(path, value, type));
      return;
    }
    if (schema.has("enum") && !contains(schema.path("enum"), value)) {
      to.add("%s: Unsupported value: %s".formatted(path, value));
    }
    if (value.isTextual()) {
      checkText(path, schema, value.textValue(), to);
    }
    if (value.isNumber()
        && (value.asDouble() < schema.path("minimum").asDouble(-Double.MAX_VALUE)
            || value.asDouble() > schema.path("maximum").asDouble(Double.MAX_VALUE))) {
      to.add("%s: Invalid value: %s: out of range".formatted(path, value));
    }
    if (value.isArray()) {
      if (value.size() < schema.path("minItems").asInt(0)
          || value.size() > schema.path("maxItems").asInt(Integer.MAX_VALUE)) {
        to.add("%s: Invalid value: has %d items".formatted(path, value.size()));
      }
      for (int at = 0; at < value.size(); at++) {
        check(path + "[" + at + "]", schema.path("items"), null, value.get(at), to);
      }
    }
    if (value.isObject()) {
      checkObject(path, schema, before, value, to);
    }
  }

  private static void checkObject(
      String path, JsonNode schema, @Nullable JsonNode before, JsonNode value, List<String> to) {
    for (JsonNode required : schema.path("required")) {
      if (!value.has(required.asText())) {
        to.add("%s.%s: Required value".formatted(path, required.asText()));
      }
    }
    for (JsonNode rule : schema.path("x-kubernetes-validations")) {
      boolean immutable = rule.path("rule").asText().equals("self == oldSelf");
      if (immutable && before != null && !before.isMissingNode() && !before.equals(value)) {
        to.add("%s: Invalid value: %s".formatted(path, rule.path("message").asText()));
      }
    }
    value
        .properties()
        .forEach(each -> {
          if (!path.isEmpty() || !COMMON.contains(each.getKey())) {
            check(
                path.isEmpty() ? each.getKey() : path + "." + each.getKey(),
                of(schema, each.getKey()),
                before == null ? null : before.path(each.getKey()),
                each.getValue(),
                to);
          }
        });
  }

  private static void checkText(String path, JsonNode schema, String text, List<String> to) {
    int length = text.codePointCount(0, text.length());
    if (length > schema.path("maxLength").asInt(Integer.MAX_VALUE)
        || length < schema.path("minLength").asInt(0)) {
      to.add("%s: Invalid value: has %d characters".formatted(path, length));
    }
    String pattern = schema.path("pattern").asText("");
    if (!pattern.isEmpty() && !Pattern.compile(pattern).matcher(text).find()) {
      to.add("%s: Invalid value: \"%s\": should match '%s'".formatted(path, text, pattern));
    }
  }

  private static boolean contains(JsonNode values, JsonNode value) {
    for (JsonNode each : values) {
      if (each.equals(value)) {
        return true;
      }
    }
    return false;
  }

  private static boolean fits(String type, JsonNode schema, JsonNode value) {
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      return value.isTextual() || value.isIntegralNumber();
    }
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      default -> true;
    };
  }
}
