package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What anybody may write into our resources has a bound that the API server holds. */
class CrdBoundsTest {
  private static final String PLAIN = "^[^\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]*$";

  /** NodeHealthChecks are as medik8s defines them, so that theirs and ours are one resource. */
  static Stream<String> files() throws IOException {
    try (Stream<Path> files = Files.list(DeployManifests.DEPLOY.resolve("crds"))) {
      return files
          .map(file -> "crds/" + file.getFileName())
          .filter(name -> !name.contains(".medik8s.io."))
          .sorted()
          .toList()
          .stream();
    }
  }

  private static JsonNode schema(String file) throws IOException {
    return DeployManifests.file(file)
        .getFirst()
        .at("/spec/versions/0/schema/openAPIV3Schema/properties");
  }

  @ParameterizedTest
  @MethodSource("files")
  @DisplayName("C1 every text, list and map of a spec and a status has a bound")
  void bounds(String file) throws IOException {
    List<String> without = new ArrayList<>();
    for (String part : List.of("spec", "status")) {
      collect(part, schema(file).path(part), without);
    }
    assertThat(without).isEmpty();
  }

  private static void collect(String path, JsonNode schema, List<String> without) {
    Predicate<JsonNode> bounded =
        switch (schema.path("type").asText()) {
          case "string" ->
              it ->
                  it.has("maxLength")
                      || it.has("enum")
                      || it.path("format").asText().equals("date-time");
          case "array" -> it -> it.has("maxItems");
          case "object" -> it -> !it.has("additionalProperties") || it.has("maxProperties");
          default -> _ -> true;
        };
    if (!bounded.test(schema)) {
      without.add(path);
    }
    schema
        .path("properties")
        .properties()
        .forEach(each -> collect(path + "." + each.getKey(), each.getValue(), without));
    if (schema.has("items")) {
      collect(path + "[]", schema.get("items"), without);
    }
    if (schema.path("additionalProperties").isObject()) {
      collect(path + "{}", schema.get("additionalProperties"), without);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nodeorders",
        "drainremediations",
        "hookremediations",
        "machineremediations",
        "outofserviceremediations",
        "rebootremediations",
        "servicerestartremediations"
      })
  @DisplayName("C1 what an agent writes, and what is made of it, is typed")
  void typed(String plural) throws IOException {
    JsonNode status = schema("crds/" + plural + ".probelet.io.yaml").path("status");
    assertThat(pattern(status, "message")).isEqualTo(PLAIN);
    assertThat(pattern(status, "bootID")).isEqualTo("^[0-9A-Za-z-]*$");
    JsonNode evidence = status.at("/properties/evidence");
    assertThat("../../../etc/passwd").doesNotMatch(pattern(evidence, "name"));
    assertThat("evidence-20261126T120000Z-n2.tar.gz").matches(pattern(evidence, "name"));
    assertThat(pattern(evidence, "sha256")).isEqualTo("^[0-9a-f]*$");
    assertThat(evidence.at("/properties/digest/items/pattern").asText()).isEqualTo(PLAIN);
    assertThat("one\ntwo").doesNotMatch(PLAIN);
    assertThat("one\u001b[2J").doesNotMatch(PLAIN);
    assertThat("one\u2028").doesNotMatch(PLAIN);
    assertThat("näh 😀, \"two\"").matches(PLAIN);
  }

  private static String pattern(JsonNode schema, String field) {
    return schema.at("/properties/" + field + "/pattern").asText();
  }
}
