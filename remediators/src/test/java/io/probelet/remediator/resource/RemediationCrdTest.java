package io.probelet.remediator.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.ApiDuration;
import io.probelet.health.GoDuration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** Definitions and reader have the same fields, defaults and bounds. */
final class RemediationCrdTest {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern BOUNDS =
      Pattern.compile(
          "duration\\(self\\) >= duration\\('(\\w+)'\\) && duration\\(self\\) <= .*'(\\w+)'\\)");

  /** Texts that a pattern takes. */
  private static final Map<String, String> SAMPLES =
      Map.of("url", "https://bmc.example/off", "type", "Ready", "units", "kubelet.service");

  private static JsonNode crd(String plural) {
    try {
      Path file = Path.of("../deploy/crds/" + plural + ".probelet.io.yaml");
      return new ObjectMapper().valueToTree(new Yaml().load(Files.readString(file)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode schema(String plural, String pointer) {
    JsonNode schema =
        crd(plural).at("/spec/versions/0/schema/openAPIV3Schema/properties" + pointer).deepCopy();
    assertThat(schema.isObject()).isTrue();
    return schema;
  }

  /**
   * A spec with all that may be said at once.
   *
   * @param without the fields that may not be set together with the others
   */
  record Variant(RemediationKind kind, List<String> without) {
    ObjectNode sample() {
      ObjectNode sample = (ObjectNode) RemediationCrdTest.sample("", spec());
      assertThat(read(kind, sample).problems()).as("%s", sample).isEmpty();
      return sample;
    }

    JsonNode spec() {
      ObjectNode spec = (ObjectNode) schema(kind.plural(), "/spec");
      remove(spec);
      return spec;
    }

    private void remove(JsonNode schema) {
      if (schema.path("properties") instanceof ObjectNode properties) {
        properties.remove(without);
        properties.forEach(this::remove);
      }
    }
  }

  static Stream<Variant> variants() {
    return Stream.of(
        new Variant(RemediationKind.SERVICE_RESTART, List.of()),
        new Variant(RemediationKind.DRAIN, List.of()),
        new Variant(RemediationKind.REBOOT, List.of()),
        new Variant(RemediationKind.OUT_OF_SERVICE, List.of("annotation", "caBundle")),
        new Variant(RemediationKind.OUT_OF_SERVICE, List.of("hook")),
        new Variant(RemediationKind.MACHINE, List.of()),
        new Variant(RemediationKind.HOOK, List.of("https")),
        new Variant(RemediationKind.HOOK, List.of("job", "caBundle")));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "ACT-51 definitions have the names of the kinds; a template has the remediation's spec")
  void names(RemediationKind kind) {
    JsonNode remediation = crd(kind.plural());
    JsonNode template = crd(kind.templatePlural());
    assertThat(remediation.at("/metadata/name").asText())
        .isEqualTo(kind.plural() + "." + RemediationKind.GROUP);
    assertThat(remediation.at("/spec/names/kind").asText()).isEqualTo(kind.kind());
    assertThat(template.at("/spec/names/kind").asText()).isEqualTo(kind.templateKind());
    for (JsonNode each : List.of(remediation, template)) {
      assertThat(each.at("/spec/scope").asText()).isEqualTo("Namespaced");
      assertThat(each.at("/spec/group").asText() + "/" + each.at("/spec/versions/0/name").asText())
          .isEqualTo(RemediationKind.API_VERSION);
    }
    ObjectNode spec = (ObjectNode) schema(kind.plural(), "/spec");
    ArrayNode rules = (ArrayNode) spec.get("x-kubernetes-validations");
    assertThat(rules.remove(rules.size() - 1).path("rule").asText()).isEqualTo("self == oldSelf");
    if (rules.isEmpty()) {
      spec.remove("x-kubernetes-validations");
    }
    assertThat(schema(kind.templatePlural(), "/spec/properties/template/properties/spec"))
        .isEqualTo(spec);
    assertThat(schema(kind.plural(), "/status"))
        .isEqualTo(schema(RemediationKind.DRAIN.plural(), "/status"));
    assertThat(remediation.at("/spec/versions/0/additionalPrinterColumns").findValuesAsText("name"))
        .containsExactly("Node", "Phase", "Succeeded", "Age", "Message");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("ACT-51 definitions list the phases by the words that the status has")
  void phases(RemediationKind kind) {
    String words =
        Arrays.stream(RemediationPhase.values())
            .map(RemediationPhase::label)
            .collect(Collectors.joining(", "));
    assertThat(
            schema(kind.plural(), "/status/properties/phase")
                .path("description")
                .asText()
                .replace(" or ", ", "))
        .isEqualTo(words + ".");
  }

  @ParameterizedTest
  @MethodSource("variants")
  @DisplayName("ACT-51 the reader takes what the definition takes, and has the same defaults")
  void taken(Variant variant) {
    RemediationSpec least = read(variant.kind(), least(variant.spec(), false)).spec().orElseThrow();
    assertThat(read(variant.kind(), least(variant.spec(), true)).spec()).hasValue(least);
    assertThat(variant.sample()).isNotNull();
  }

  @ParameterizedTest
  @MethodSource("variants")
  @DisplayName("ACT-51 the reader refuses what the definition refuses")
  void refused(Variant variant) {
    List<ObjectNode> worse = new ArrayList<>();
    spoil(
        variant.spec(),
        "",
        (at, value) -> {
          ObjectNode root = JSON.objectNode();
          root.set("spec", variant.sample());
          replace(root, "/spec" + at, value);
          if (root.get("spec") instanceof ObjectNode spec) {
            worse.add(spec);
          }
        });
    assertThat(worse).isNotEmpty();
    assertThat(worse)
        .allSatisfy(spec -> assertThat(read(variant.kind(), spec).spec()).as("%s", spec).isEmpty());
  }

  @ParameterizedTest
  @MethodSource("variants")
  @DisplayName("ACT-51 durations have the same bounds, both ends included")
  void durations(Variant variant) {
    durations(
        variant.spec(),
        "",
        (at, bound) -> {
          Duration step = Duration.ofNanos(bound.startsWith(">") ? 1 : -1);
          Duration end = GoDuration.parse(bound.substring(1));
          ObjectNode spec = variant.sample();
          replace(spec, at, JSON.textNode(GoDuration.format(end)));
          assertThat(read(variant.kind(), spec).problems()).as("%s", spec).isEmpty();
          if (!end.minus(step).isNegative()) {
            replace(spec, at, JSON.textNode(GoDuration.format(end.minus(step))));
            assertThat(read(variant.kind(), spec).spec()).as("%s", spec).isEmpty();
          }
        });
  }

  @Test
  @DisplayName("ACT-51 a status that is as long as it gets fits into the definition")
  void longest() {
    List<String> plurals =
        Stream.concat(
                Stream.of("nodeorders"),
                Stream.of(RemediationKind.values()).map(RemediationKind::plural))
            .toList();
    for (String plural : plurals) {
      JsonNode status = schema(plural, "/status/properties");
      assertThat(status.at("/message/maxLength").asInt()).isGreaterThanOrEqualTo(1024);
      JsonNode evidence = status.at("/evidence/properties");
      assertThat(evidence.at("/name/maxLength").asInt()).isEqualTo(KeptEvidence.MAX_NAME);
      assertThat(evidence.at("/sha256/maxLength").asInt()).isEqualTo(KeptEvidence.MAX_SHA256);
      assertThat(evidence.at("/bytes/minimum").asInt(-1)).isZero();
      assertThat(evidence.at("/digest/maxItems").asInt()).isEqualTo(KeptEvidence.MAX_LINES);
      assertThat(evidence.at("/digest/items/maxLength").asInt()).isEqualTo(KeptEvidence.MAX_CHARS);
    }
  }

  private static RemediationReader.Reading read(RemediationKind kind, JsonNode spec) {
    ObjectNode resource = JSON.objectNode();
    resource.set("spec", spec);
    return RemediationReader.read(kind, resource);
  }

  /** What must be there, and with it what the API server adds. */
  private static JsonNode least(JsonNode schema, boolean defaults) {
    ObjectNode least = JSON.objectNode();
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    schema
        .path("properties")
        .properties()
        .forEach(each -> {
          String name = each.getKey();
          JsonNode field = each.getValue();
          boolean oneOf = List.of("annotation", "hook", "https", "job").contains(name);
          if (field.has("default") && defaults) {
            least.set(name, field.get("default"));
          } else if (required.contains(name) || oneOf) {
            least.set(name, field.has("properties") ? least(field, defaults) : sample(name, field));
          }
        });
    return least;
  }

  private static void durations(JsonNode schema, String at, BiConsumer<String, String> ends) {
    if (schema.path("pattern").asText().equals(ApiDuration.PATTERN)) {
      Matcher bounds = BOUNDS.matcher(schema.at("/x-kubernetes-validations/0/rule").asText());
      assertThat(bounds.matches()).as(at).isTrue();
      ends.accept(at, ">" + bounds.group(1));
      ends.accept(at, "<" + bounds.group(2));
    }
    schema
        .path("properties")
        .properties()
        .forEach(each -> durations(each.getValue(), at + "/" + each.getKey(), ends));
  }

  private static void spoil(
      JsonNode schema, String at, BiConsumer<String, @Nullable JsonNode> spoiler) {
    Stream.<JsonNode>of(
            JSON.textNode("?!"),
            JSON.numberNode(7),
            JSON.arrayNode().add(7),
            JSON.booleanNode(true))
        .filter(wrong -> !at.isEmpty() && !isOfType(wrong, schema.path("type").asText()))
        .forEach(wrong -> spoiler.accept(at, wrong));
    if (schema.has("enum") || schema.has("pattern")) {
      spoiler.accept(at, JSON.textNode("no such!"));
    }
    if (schema.has("maxLength")) {
      spoiler.accept(at, JSON.textNode("a".repeat(schema.get("maxLength").asInt() + 1)));
    }
    if (schema.has("minItems")) {
      spoiler.accept(at, JSON.arrayNode());
    }
    if (schema.has("maxItems")) {
      ArrayNode many = JSON.arrayNode();
      for (int i = 0; i <= schema.get("maxItems").asInt(); i++) {
        JsonNode item = sample(at.substring(1), schema.get("items"));
        if (item instanceof ObjectNode object) {
          object.put("type", "Type" + i);
        } else {
          item = JSON.textNode("unit" + i + ".service");
        }
        many.add(item);
      }
      spoiler.accept(at, many);
    }
    schema.path("required").forEach(name -> spoiler.accept(at + "/" + name.asText(), null));
    schema
        .path("properties")
        .properties()
        .forEach(each -> spoil(each.getValue(), at + "/" + each.getKey(), spoiler));
    if (schema.has("items")) {
      spoil(schema.get("items"), at + "/0", spoiler);
    }
  }

  private static boolean isOfType(JsonNode value, String type) {
    return switch (type) {
      case "string" -> value.isTextual();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      default -> value.isObject();
    };
  }

  private static void replace(ObjectNode root, String pointer, @Nullable JsonNode value) {
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
  }

  /** A value that the schema takes, with each field. */
  private static JsonNode sample(String name, JsonNode schema) {
    if (schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
      return RemediationReaderTest.json(
          "{'spec': {'template': {'spec': {'restartPolicy': 'Never', 'containers': [{'name': 'a', 'image': 'i'}]}}}}");
    }
    return switch (schema.path("type").asText()) {
      case "array" -> JSON.arrayNode().add(sample(name, schema.get("items")));
      case "boolean" -> JSON.booleanNode(true);
      case "string" -> text(name, schema);
      default -> {
        ObjectNode object = JSON.objectNode();
        schema
            .path("properties")
            .properties()
            .forEach(each -> object.set(each.getKey(), sample(each.getKey(), each.getValue())));
        yield object;
      }
    };
  }

  private static JsonNode text(String name, JsonNode schema) {
    if (schema.has("enum")) {
      return schema.get("enum").get(0);
    }
    return JSON.textNode(
        schema.path("pattern").asText().equals(ApiDuration.PATTERN)
            ? "5s"
            : SAMPLES.getOrDefault(name, "a"));
  }
}
