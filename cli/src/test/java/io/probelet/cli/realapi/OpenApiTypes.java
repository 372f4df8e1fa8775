package io.probelet.cli.realapi;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The types that an API server's OpenAPI document has, as our resource of them writes them. */
final class OpenApiTypes {
  private final JsonNode definitions;
  private final NavigableMap<String, Map<String, String>> types = new TreeMap<>();

  OpenApiTypes(JsonNode definitions) {
    this.definitions = definitions;
  }

  /** Takes a type, and those of its fields. */
  void add(String definition) {
    Map<String, String> fields = new TreeMap<>();
    if (types.putIfAbsent(name(definition), fields) == null) {
      definitions
          .path(definition)
          .path("properties")
          .properties()
          .forEach(field -> fields.put(field.getKey(), type(field.getValue())));
    }
  }

  private String type(JsonNode schema) {
    String reference = schema.path("$ref").asText();
    if (!reference.isEmpty()) {
      return referred(reference.substring(reference.lastIndexOf('/') + 1));
    }
    JsonNode values = schema.path("additionalProperties");
    return switch (schema.path("type").asText()) {
      case "boolean" -> "bool";
      case "integer" -> schema.path("format").asText();
      case "array" -> "list " + type(schema.path("items"));
      case "object" -> values.isMissingNode() ? "any" : "map " + type(values);
      default -> "string";
    };
  }

  private String referred(String definition) {
    return switch (name(definition)) {
      case "Quantity" -> "quantity";
      case "IntOrString" -> "int-or-string";
      case "Time", "MicroTime" -> "string";
      case "FieldsV1" -> "any";
      default -> {
        add(definition);
        yield name(definition);
      }
    };
  }

  private static String name(String definition) {
    return definition.substring(definition.lastIndexOf('.') + 1);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    types.forEach((name, fields) -> {
      text.append(name).append('\n');
      fields.forEach(
          (field, type) -> text.append("  ").append(field).append(": ").append(type).append('\n'));
    });
    return text.toString();
  }
}
