package io.probelet.nodehealth.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** The CRD says what existing clusters have, and what the reader holds. */
class NodeHealthCheckCrdTest {
  private static final Path FILE =
      Path.of("../deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNode CRD = load();
  private static final JsonNode SCHEMA =
      CRD.at("/spec/versions/0/schema/openAPIV3Schema/properties");
  private static final String DURATION = "^([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$";

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "/metadata/name ~ \"nodehealthchecks.remediation.medik8s.io\"",
        "/spec/group ~ \"remediation.medik8s.io\"",
        "/spec/scope ~ \"Cluster\"",
        "/spec/names/kind ~ \"NodeHealthCheck\"",
        "/spec/names/plural ~ \"nodehealthchecks\"",
        "/spec/names/shortNames ~ [\"nhc\"]",
        "/spec/versions/0/name ~ \"v1alpha1\"",
        "/spec/versions/0/served ~ true",
        "/spec/versions/0/storage ~ true",
        "/spec/versions/0/subresources ~ {\"status\":{}}"
      })
  @DisplayName("the resource has the name, scope and subresource that clients know")
  void names(String pointer, String expected) throws JsonProcessingException {
    assertThat(CRD.at(pointer)).isEqualTo(JSON.readTree(expected));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "/unhealthyConditions/x-kubernetes-list-type ~ \"map\"",
        "/unhealthyConditions/x-kubernetes-list-map-keys ~ [\"type\",\"status\"]",
        "/unhealthyConditions/items/properties/type/minLength ~ 1",
        "/unhealthyConditions/items/properties/status/minLength ~ 1",
        "/minHealthy/pattern ~ \"^((100|[0-9]{1,2})%|[0-9]+)$\"",
        "/minHealthy/x-kubernetes-int-or-string ~ true",
        "/maxUnhealthy/pattern ~ \"^((100|[0-9]{1,2})%|[0-9]+)$\"",
        "/maxUnhealthy/x-kubernetes-int-or-string ~ true",
        "/escalatingRemediations/items/properties/order/type ~ \"integer\"",
        "/escalatingRemediations/items/required ~ [\"order\",\"remediationTemplate\",\"timeout\"]",
        "/pauseRequests/items/type ~ \"string\"",
        "/selector/x-kubernetes-map-type ~ \"atomic\"",
        "/remediationTemplate/x-kubernetes-map-type ~ \"atomic\""
      })
  @DisplayName("section 1: types, patterns and list keys of the spec")
  void spec(String pointer, String expected) throws JsonProcessingException {
    assertThat(SCHEMA.at("/spec/properties" + pointer)).isEqualTo(JSON.readTree(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "/unhealthyConditions/items/properties/duration, ''",
    "/stormCooldownDuration, ''",
    "/escalatingRemediations/items/properties/timeout, ''",
    "/healthyDelay, -?"
  })
  @DisplayName("section 1: durations; only the healthy delay may be negative")
  void durations(String pointer, String sign) {
    assertThat(SCHEMA.at("/spec/properties" + pointer + "/pattern").textValue())
        .isEqualTo(DURATION.replace("^", "^" + sign));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "/unhealthyNodes/x-kubernetes-list-map-keys ~ [\"name\"]",
        "/unhealthyNodes/items/required ~ [\"name\"]",
        "/unhealthyNodes/items/properties/remediations/items/required ~ [\"resource\",\"started\"]",
        "/unhealthyNodes/items/properties/remediations/items/properties/timedOut/format ~ \"date-time\"",
        "/unhealthyNodes/items/properties/remediations/items/properties/templateName/type ~ \"string\"",
        "/unhealthyNodes/items/properties/conditionsHealthyTimestamp/format ~ \"date-time\"",
        "/unhealthyNodes/items/properties/healthyDelayed/type ~ \"boolean\"",
        "/inFlightRemediations/additionalProperties ~ {\"type\":\"string\",\"format\":\"date-time\"}",
        "/conditions/x-kubernetes-list-map-keys ~ [\"type\"]",
        "/observedNodes/type ~ \"integer\"",
        "/healthyNodes/type ~ \"integer\"",
        "/phase/type ~ \"string\"",
        "/reason/type ~ \"string\"",
        "/lastUpdateTime/format ~ \"date-time\""
      })
  @DisplayName("section 1: the status")
  void status(String pointer, String expected) throws JsonProcessingException {
    assertThat(SCHEMA.at("/status/properties" + pointer)).isEqualTo(JSON.readTree(expected));
  }

  @Test
  @DisplayName("NHC-1 the CRD's default conditions are the reader's")
  void defaults() throws JsonProcessingException {
    JsonNode resource =
        JSON.readTree(
            """
            {"metadata": {"name": "x"}, "spec": {"minHealthy": 1,
              "selector": {"matchLabels": {"a": "b"}},
              "remediationTemplate": {"apiVersion": "v1", "kind": "ATemplate", "name": "a"}}}
            """);
    ((ObjectNode) resource.get("spec"))
        .set("unhealthyConditions", SCHEMA.at("/spec/properties/unhealthyConditions/default"));
    assertThat(
            NodeHealthCheckReader.ofNew(TemplateKinds.UNKNOWN)
                .read(resource)
                .spec()
                .orElseThrow()
                .unhealthyConditions())
        .isEqualTo(UnhealthyCondition.DEFAULTS);
  }

  @Test
  @DisplayName("the reader knows every field of the spec, and no other")
  void sameFields() throws IOException {
    List<String> fields = new ArrayList<>();
    SCHEMA.at("/spec/properties").fieldNames().forEachRemaining(fields::add);
    Path readers = Path.of("src/main/java/io/probelet/nodehealth/resource");
    String code =
        Files.readString(readers.resolve("NodeHealthCheckReader.java"))
            + Files.readString(readers.resolve("StepsReader.java"));
    Set<String> read =
        Pattern.compile("spec\\.field\\(\"(\\w+)\"\\)")
            .matcher(code)
            .results()
            .map(field -> field.group(1))
            .collect(Collectors.toSet());
    assertThat(fields).containsExactlyInAnyOrderElementsOf(read);
  }

  @Test
  @DisplayName("without the webhook, rules in the CRD refuse what CEL can tell")
  void validations() {
    assertThat(SCHEMA.at("/spec/x-kubernetes-validations").findValuesAsText("message"))
        .containsExactly(
            "exactly one of minHealthy and maxUnhealthy must be set",
            "exactly one of remediationTemplate and escalatingRemediations must be set",
            "maxUnhealthy may not be used with MachineDeletionRemediationTemplate",
            "maxUnhealthy may not be used with MachineDeletionRemediationTemplate");
    assertThat(
            CRD.at("/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations")
                .findValuesAsText("message"))
        .hasSize(3)
        .allMatch(message -> message.endsWith("prohibited due to running remediation"));
    assertThat(
            SCHEMA
                .at("/spec/properties/escalatingRemediations/items/x-kubernetes-validations")
                .findValuesAsText("message"))
        .containsExactly("timeout must be 60s or more");
    assertThat(SCHEMA.at("/spec/properties/minHealthy/x-kubernetes-validations")).isNotEmpty();
    assertThat(SCHEMA.at("/spec/properties/maxUnhealthy/x-kubernetes-validations")).isNotEmpty();
  }

  private static JsonNode load() {
    try {
      return JSON.valueToTree(new Yaml().load(Files.readString(FILE)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
