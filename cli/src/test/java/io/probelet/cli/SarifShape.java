package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What SARIF 2.1.0 demands of the parts that we write, by its section 3. */
final class SarifShape {
  private static final Set<String> LEVELS = Set.of("none", "note", "warning", "error");

  private SarifShape() {}

  /** Checks a log file. */
  static void check(JsonNode log) {
    only(log, "$schema", "version", "runs");
    assertThat(log.get("version").asText()).isEqualTo("2.1.0");
    assertThat(log.get("runs").isArray()).isTrue();
    log.get("runs").forEach(SarifShape::run);
  }

  private static void run(JsonNode run) {
    only(run, "tool", "columnKind", "results");
    assertThat(run.get("columnKind").asText()).isIn("utf16CodeUnits", "unicodeCodePoints");
    only(run.get("tool"), "driver");
    JsonNode driver = run.at("/tool/driver");
    only(driver, "name", "version", "rules");
    text(driver.get("name"));
    List<String> ids = driver.get("rules").findValuesAsText("id");
    assertThat(ids).doesNotHaveDuplicates();
    for (JsonNode rule : driver.get("rules")) {
      only(rule, "id", "shortDescription");
      message(rule.get("shortDescription"));
    }
    for (JsonNode result : run.get("results")) {
      only(result, "ruleId", "ruleIndex", "level", "message", "locations");
      assertThat(ids.get(result.get("ruleIndex").asInt())).isEqualTo(result.get("ruleId").asText());
      assertThat(LEVELS).contains(result.get("level").asText());
      message(result.get("message"));
      result.get("locations").forEach(SarifShape::location);
    }
  }

  private static void location(JsonNode location) {
    only(location, "physicalLocation", "logicalLocations");
    JsonNode physical = location.get("physicalLocation");
    only(physical, "artifactLocation", "region");
    only(physical.get("artifactLocation"), "uri");
    assertThat(physical.at("/artifactLocation/uri").asText()).matches("[!-~]+");
    if (physical.has("region")) {
      only(physical.get("region"), "startLine", "startColumn");
      physical.get("region").forEach(each -> assertThat(each.asInt()).isPositive());
    }
    location.path("logicalLocations").forEach(each -> only(each, "fullyQualifiedName"));
  }

  private static void message(JsonNode message) {
    only(message, "text");
    text(message.get("text"));
  }

  private static void text(JsonNode text) {
    assertThat(text.isTextual() && !text.asText().isEmpty()).isTrue();
  }

  private static void only(JsonNode object, String... names) {
    assertThat(object.isObject()).isTrue();
    assertThat(names)
        .contains(object.properties().stream().map(Map.Entry::getKey).toArray(String[]::new));
  }
}
