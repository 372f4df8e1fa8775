package io.probelet.cli.reference;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The fields that a JSON schema describes, one row each: those of objects within objects by their
 * path, as in {@code spec.windows[].schedule}.
 */
final class SchemaFields {
  static final List<String> HEADS = List.of("Field", "Type", "Default", "Allowed", "Meaning");

  /** The form of a duration, whichever way it is spelled. */
  private static final Pattern DURATION = Pattern.compile(".*\\((ns|h)\\|.*");

  private static final List<String> ALTERNATIVES = List.of("anyOf", "oneOf", "allOf");

  private final JsonNode root;
  private final List<List<String>> rows = new ArrayList<>();

  /** Where each definition that several fields share was described first. */
  private final Map<String, String> described = new HashMap<>();

  private SchemaFields(JsonNode root) {
    this.root = root;
  }

  /** {@return the rows of all fields below a schema, but those of some names at its top} */
  static List<List<String>> of(JsonNode schema, Set<String> leftOut) {
    SchemaFields fields = new SchemaFields(schema);
    fields.below("", schema, leftOut);
    return fields.rows;
  }

  private void below(String path, JsonNode given, Set<String> leftOut) {
    if (given.has("$ref")) {
      String reference = given.path("$ref").asText();
      if (described.putIfAbsent(reference, path) != null) {
        return; // also ends a probe within a probe
      }
    }
    JsonNode schema = resolve(given);
    Set<String> required = new LinkedHashSet<>();
    schema.path("required").forEach(each -> required.add(each.asText()));
    for (var field : schema.path("properties").properties()) {
      if (!leftOut.contains(field.getKey()) && !field.getValue().isBoolean()) {
        String name = path.isEmpty() ? field.getKey() : path + "." + field.getKey();
        add(name, field.getValue(), required.contains(field.getKey()));
        below(name, field.getValue(), Set.of());
      }
    }
    if (schema.has("items")) {
      below(path + "[]", schema.path("items"), Set.of());
    }
    if (schema.path("additionalProperties").isObject()) {
      below(path + ".*", schema.path("additionalProperties"), Set.of());
    }
    for (String alternatives : ALTERNATIVES) {
      for (JsonNode each : schema.path(alternatives)) {
        below(path, each, leftOut);
      }
    }
    if (schema.has("then")) {
      below(path, schema.path("then"), leftOut);
    }
  }

  private JsonNode resolve(JsonNode schema) {
    return schema.has("$ref") ? root.at(schema.path("$ref").asText().substring(1)) : schema;
  }

  /** Adds a row, unless another branch of the schema has had the field. */
  private void add(String name, JsonNode field, boolean required) {
    JsonNode schema = resolve(field);
    String cell = GeneratedPage.code(name);
    if (rows.stream().anyMatch(row -> row.getFirst().equals(cell))) {
      return;
    }
    String description = field.path("description").asText(schema.path("description").asText(""));
    String before = described.get(reference(field));
    rows.add(
        List.of(
            cell,
            type(schema),
            schema.has("default") ? GeneratedPage.code(schema.path("default").toString()) : "",
            (required ? "required" + (allowed(schema).isEmpty() ? "" : "; ") : "")
                + allowed(schema),
            (GeneratedPage.plain(description)
                    + (before == null ? "" : " Fields as of " + GeneratedPage.code(before) + "."))
                .strip()));
  }

  private static String reference(JsonNode field) {
    return field.has("$ref")
        ? field.path("$ref").asText()
        : field.path("items").path("$ref").asText();
  }

  private String type(JsonNode given) {
    JsonNode schema = resolve(given);
    if (DURATION.matcher(schema.path("pattern").asText()).matches()) {
      return "duration";
    }
    String type = schema.path("type").asText(schema.path("type").isArray() ? "any" : "");
    if (type.equals("array")) {
      String element = type(schema.path("items"));
      return element.isEmpty() ? "list" : "list of " + element;
    }
    if (type.equals("object") && schema.path("additionalProperties").isObject()) {
      String value = type(schema.path("additionalProperties"));
      return value.isEmpty() ? "map" : "map to " + value;
    }
    if (schema.path("format").asText().equals("date-time")) {
      return "time";
    }
    if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
      return "integer or string";
    }
    if (!type.isEmpty()) {
      return type;
    }
    if (schema.has("properties")) {
      return "object";
    }
    Set<String> types = new LinkedHashSet<>();
    for (String alternatives : List.of("anyOf", "oneOf")) {
      schema.path(alternatives).forEach(each -> types.add(type(each)));
    }
    types.remove("");
    return types.isEmpty() ? schema.has("enum") ? "string" : "" : String.join(" or ", types);
  }

  private String allowed(JsonNode schema) {
    List<String> rules = new ArrayList<>();
    JsonNode values = schema.has("enum") ? schema : resolve(schema.path("items"));
    if (values.has("enum")) {
      List<String> each = new ArrayList<>();
      values.path("enum").forEach(value -> each.add(GeneratedPage.code(value.asText())));
      rules.add(String.join(", ", each));
    }
    if (schema.has("const")) {
      rules.add(GeneratedPage.code(schema.path("const").asText()));
    }
    range(schema, "minimum", "maximum", "", rules);
    range(schema, "minLength", "maxLength", " characters", rules);
    range(schema, "minItems", "maxItems", " entries", rules);
    range(schema, "minProperties", "maxProperties", " entries", rules);
    for (JsonNode rule : schema.path("x-kubernetes-validations")) {
      if (rule.has("message")) {
        rules.add(GeneratedPage.plain(rule.path("message").asText()));
      }
    }
    return String.join("; ", rules);
  }

  private static void range(
      JsonNode schema, String least, String most, String unit, List<String> rules) {
    String from = schema.path(least).asText("");
    String to = schema.path(most).asText("");
    if (!from.isEmpty() && !to.isEmpty()) {
      rules.add(from.equals(to) ? from + unit : from + " to " + to + unit);
    } else if (from.equals("1") && !unit.isEmpty()) {
      rules.add("not empty");
    } else if (!from.isEmpty()) {
      rules.add("at least " + from + unit);
    } else if (!to.isEmpty()) {
      rules.add("at most " + to + unit);
    }
  }
}
