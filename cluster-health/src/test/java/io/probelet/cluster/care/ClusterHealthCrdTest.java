package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.field.ApiDuration;
import io.probelet.document.selector.LabelSelector;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** The schema is written in {@link ClusterHealthSpec}; CRD, reader and docs have the same one. */
class ClusterHealthCrdTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final JsonNode SCHEMA = schema();

  private static JsonNode schema() {
    try {
      String crd = Files.readString(Path.of("../deploy/crds/clusterhealths.probelet.io.yaml"));
      Object tree = new Yaml().load(crd);
      return new ObjectMapper()
          .valueToTree(tree)
          .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("CH-25 the CRD has the fields of the record, with their types and words")
  void sameFields() {
    assertThat(fields(SCHEMA)).isEqualTo(fields(ClusterHealthSpec.class));
  }

  /** By path of the field, what it holds. */
  private static Map<String, String> fields(JsonNode schema) {
    Map<String, String> fields = new TreeMap<>();
    collect("", schema, fields);
    return fields;
  }

  private static void collect(String path, JsonNode schema, Map<String, String> fields) {
    if (path.endsWith(".labelSelector")) {
      fields.put(path, "selector");
    } else if (schema.has("properties")) {
      schema
          .get("properties")
          .properties()
          .forEach(each -> collect(path + "." + each.getKey(), each.getValue(), fields));
    } else if (schema.has("additionalProperties")) {
      collect(path + "{}", schema.get("additionalProperties"), fields);
    } else if (schema.has("items")) {
      collect(path + "[]", schema.get("items"), fields);
    } else if (schema.has("enum")) {
      fields.put(path, new ObjectMapper().convertValue(schema.get("enum"), List.class).toString());
    } else {
      boolean duration = schema.path("pattern").asText().equals(ApiDuration.PATTERN);
      fields.put(path, duration ? "duration" : schema.path("type").asText());
    }
  }

  private static Map<String, String> fields(Class<?> type) {
    Map<String, String> fields = new TreeMap<>();
    collect("", type, fields);
    return fields;
  }

  private static void collect(String path, Type type, Map<String, String> fields) {
    if (type instanceof ParameterizedType collection) {
      boolean list = collection.getRawType().equals(List.class);
      Type[] of = collection.getActualTypeArguments();
      collect(path + (list ? "[]" : "{}"), of[of.length - 1], fields);
    } else if (type.equals(LabelSelector.class)) {
      fields.put(path, "selector");
    } else if (type instanceof Class<?> word && word.isEnum()) {
      fields.put(path, Arrays.asList(word.getEnumConstants()).toString());
    } else if (type instanceof Class<?> part && part.isRecord()) {
      for (RecordComponent component : part.getRecordComponents()) {
        collect(path + "." + component.getName(), component.getGenericType(), fields);
      }
    } else {
      fields.put(
          path,
          Map.of(
                  Duration.class, "duration",
                  String.class, "string",
                  CompiledExpression.class, "string",
                  int.class, "integer",
                  boolean.class, "boolean")
              .get(type));
    }
  }

  @Test
  @DisplayName("CH-25 the reader takes what the CRD takes, every field of it")
  void accepted() {
    ClusterHealthReader.Reading reading = read(sample(SCHEMA, ""));
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.spec()).isPresent();
  }

  @Test
  @DisplayName("CH-25 the reader refuses what the CRD refuses")
  void refused() {
    List<ObjectNode> worse = new ArrayList<>();
    spoil(SCHEMA, "", (at, value) -> worse.add(spoiled(at, value)));
    assertThat(worse).hasSizeGreaterThan(100);
    assertThat(worse)
        .allSatisfy(spec -> assertThat(read(spec).spec()).as(spec.toString()).isEmpty());
  }

  private interface Spoiler {
    void spoil(String pointer, JsonNode value);
  }

  /** Hands over values that the schema does not take, each with the place where it is wrong. */
  private static void spoil(JsonNode schema, String at, Spoiler spoiler) {
    Stream.<JsonNode>of(
            JSON.textNode("?!"), JSON.numberNode(7), JSON.arrayNode(), JSON.booleanNode(true))
        .filter(wrong -> !at.isEmpty() && !isOfType(wrong, schema.path("type").asText()))
        .forEach(wrong -> spoiler.spoil(at, wrong));
    if (schema.has("enum") || schema.has("pattern")) {
      spoiler.spoil(at, JSON.textNode("no such!"));
    }
    if (schema.has("minLength")) {
      spoiler.spoil(at, JSON.textNode(""));
    }
    if (schema.has("minimum")) {
      spoiler.spoil(at, JSON.numberNode(schema.get("minimum").asInt() - 1));
    }
    if (schema.has("minItems")) {
      spoiler.spoil(at, JSON.arrayNode());
    }
    schema.path("required").forEach(name -> spoiler.spoil(at + "/" + name.asText(), null));
    schema
        .path("properties")
        .properties()
        .forEach(each -> spoil(each.getValue(), at + "/" + each.getKey(), spoiler));
    if (schema.has("items")) {
      spoil(schema.get("items"), at + "/0", spoiler);
    }
    if (schema.has("additionalProperties")) {
      spoil(schema.get("additionalProperties"), at + "/" + key(at), spoiler);
    }
  }

  private static boolean isOfType(JsonNode value, String type) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      default -> value.isObject();
    };
  }

  private static ObjectNode spoiled(String at, JsonNode value) {
    ObjectNode root = JSON.objectNode();
    root.set("spec", sample(SCHEMA, ""));
    String pointer = "/spec" + at;
    int slash = pointer.lastIndexOf('/');
    JsonNode parent = root.at(pointer.substring(0, slash));
    String name = pointer.substring(slash + 1);
    if (parent instanceof ArrayNode list) {
      list.set(Integer.parseInt(name), value);
    } else if (value == null) {
      ((ObjectNode) parent).remove(name);
    } else {
      ((ObjectNode) parent).set(name, value);
    }
    return (ObjectNode) root.get("spec");
  }

  /** A value that the schema takes, with each field. */
  private static JsonNode sample(JsonNode schema, String at) {
    if (schema.has("properties")) {
      ObjectNode object = JSON.objectNode();
      schema
          .get("properties")
          .properties()
          .forEach(
              each -> object.set(each.getKey(), sample(each.getValue(), at + "/" + each.getKey())));
      return object;
    }
    if (schema.has("additionalProperties")) {
      return JSON.objectNode().set(key(at), sample(schema.get("additionalProperties"), at + "/a"));
    }
    return switch (schema.path("type").asText()) {
      case "array" -> JSON.arrayNode().add(sample(schema.get("items"), at + "/0"));
      case "integer" -> JSON.numberNode(3);
      case "boolean" -> JSON.booleanNode(true);
      default -> text(schema, at);
    };
  }

  private static JsonNode text(JsonNode schema, String at) {
    if (schema.has("enum")) {
      return schema.get("enum").get(0);
    }
    if (schema.path("pattern").asText().equals(ApiDuration.PATTERN)) {
      return JSON.textNode("1h");
    }
    if (at.endsWith("/healthyWhen")) {
      return JSON.textNode("true");
    }
    return JSON.textNode(
        at.endsWith("/operator") ? "In" : at.contains("/checks") ? "APIServices" : "a");
  }

  private static String key(String at) {
    return at.endsWith("/thresholds") ? "EveryNodeReady" : "a";
  }

  private static ClusterHealthReader.Reading read(JsonNode spec) {
    ObjectNode resource = JSON.objectNode();
    resource.set("spec", spec);
    return ClusterHealthReader.ofNew(NamedChecks.DEFAULTS).read(resource);
  }

  @Test
  @DisplayName("docs: every field of the spec is told of, and the words it takes")
  void docs() throws IOException {
    String docs = Files.readString(Path.of("../docs/how-to/cluster-health.md"));
    TreeSet<String> told = new TreeSet<>(List.of(docs.split("[^A-Za-z]+")));
    fields(ClusterHealthSpec.class)
        .forEach((path, type) -> {
          assertThat(told).contains(path.replaceAll("^\\.|\\[]|\\{}", "").split("\\."));
          if (type.startsWith("[")) {
            assertThat(told).contains(type.replaceAll("[\\[\\]]", "").split(", "));
          }
        });
  }
}
