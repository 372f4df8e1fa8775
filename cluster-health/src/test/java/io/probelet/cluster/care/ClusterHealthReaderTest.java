package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.checks.result.CheckResult;
import io.probelet.cluster.care.ClusterHealthSpec.ComponentKind;
import io.probelet.cluster.care.ClusterHealthSpec.WebhookRemediationMode;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a ClusterHealth may say, and what is said of one that says something else. */
class ClusterHealthReaderTest {

  @Test
  @DisplayName("CH-25 a resource without wishes looks after kube-system and changes nothing")
  void defaults() {
    ClusterHealthSpec spec = read("{}");
    assertThat(spec.syncPeriod()).isEqualTo(Duration.ofMinutes(1));
    assertThat(spec.webhookRemediation()).isEqualTo(WebhookRemediationMode.DISABLED);
    assertThat(spec.thresholds()).isEmpty();
    assertThat(spec.gardener()).isNull();
    assertThat(spec.components())
        .singleElement()
        .satisfies(components -> {
          assertThat(components.conditionType()).isEqualTo("SystemComponentsHealthy");
          assertThat(components.namespaces()).containsExactly("kube-system");
          assertThat(components.kinds()).containsExactly(ComponentKind.values());
        });
  }

  @Test
  @DisplayName("CH-25 wishes are read as they are written")
  void wishes() {
    ClusterHealthSpec spec =
        read(
            """
            {"syncPeriod": "1m30s", "thresholds": {"EveryNodeReady": "5m"},
             "components": [{"conditionType": "ControlPlaneHealthy", "kinds": ["StatefulSet"],
               "labelSelector": {"matchLabels": {"a": "b"}}, "required": ["etcd"],
               "rolloutThreshold": "1h", "checks": ["APIServices"]}],
             "webhookRemediation": "DryRun", "caSecrets": [{"names": ["ca"]}],
             "gardener": {"rule": "Seed"}, "ofANewerVersion": 1}
            """);
    assertThat(spec.syncPeriod()).isEqualTo(Duration.ofSeconds(90));
    assertThat(spec.thresholds()).isEqualTo(Map.of("EveryNodeReady", Duration.ofMinutes(5)));
    assertThat(spec.components().getFirst().kinds()).containsExactly(ComponentKind.STATEFUL_SET);
    assertThat(spec.components().getFirst().rolloutThreshold()).isEqualTo(Duration.ofHours(1));
    assertThat(spec.webhookRemediation()).isEqualTo(WebhookRemediationMode.DRY_RUN);
    assertThat(spec.caSecrets().getFirst().includes("ca")).isTrue();
    assertThat(spec.caSecrets().getFirst().includes("other")).isFalse();
    assertThat(spec.gardener())
        .isEqualTo(
            new ClusterHealthSpec.Gardener(
                ManagedResourceRule.SEED,
                List.of("garden", "istio-system"),
                Duration.ofHours(1),
                false));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'syncPeriod': '10ms'} | spec.syncPeriod: Invalid value: \"10ms\": must be 1s or more",
        "{'syncPeriod': 'soon'} | spec.syncPeriod: Invalid value: \"soon\": must be a duration",
        "{'components': [{'kinds': []}]} | spec.components[0].conditionType: Required value: name one",
        "{'thresholds': {'EveryNodeReady': '-1m'}} | spec.thresholds[EveryNodeReady]: Invalid value: \"-1m\"",
        "{'thresholds': {'EveryNodeReady': null}} | spec.thresholds[EveryNodeReady]: Invalid value: null",
        "{'components': [{'conditionType': '  Foo bar!'}]} | spec.components[0].conditionType: Invalid value: \"  Foo bar!\": must be a name",
        "{'components': [{'conditionType': ''}]} | spec.components[0].conditionType: Invalid value: \"\": must be a name",
        "{'components': [{'conditionType': 'A', 'checks': ['no-such-check']}]} | spec.components[0].checks[0]: Unsupported value: \"no-such-check\": supported values: \"APIServices\", \"CustomResourceDefinitions\"",
        "{'components': [{'conditionType': 'A', 'labelSelector': {'matchLabels': {'bad key!': 'x y'}}}]} | spec.components[0].labelSelector.matchLabels[bad key!]: Invalid key: must be a name",
        "{'components': [{'conditionType': 'A', 'minimum': -1}]} | spec.components[0].minimum: Invalid value: -1: must be 0 or more",
        "{'contributions': [{'kind': 'Shop', 'conditionTypes': ['A']}]} | spec.contributions[0].apiVersion: Required value",
        "{'contributions': [{'apiVersion': 'v1', 'conditionTypes': ['A']}]} | spec.contributions[0].kind: Required value",
        "{'contributions': [{'apiVersion': 'v1', 'kind': 'Shop', 'conditionTypes': []}]} | spec.contributions[0].conditionTypes: Required value",
        "{'contributions': [{'apiVersion': 'v1', 'kind': 'Shop', 'conditionTypes': ['A b']}]} | spec.contributions[0].conditionTypes[0]: Invalid value: \"A b\"",
        "{'contributions': [{'apiVersion': 'v1', 'kind': 'Shop', 'conditionTypes': ['A'], 'heartbeat': {'name': 'a'}}]} | spec.contributions[0].heartbeat.namespace: Required value",
        "{'contributions': [{'apiVersion': 'v1', 'kind': 'Shop', 'conditionTypes': ['A'], 'heartbeat': {'namespace': 'a'}}]} | spec.contributions[0].heartbeat.name: Required value",
        "{'contributions': [{'apiVersion': 'v1', 'kind': 'Shop', 'conditionTypes': ['A'], 'heartbeat': {'namespace': 'a', 'name': 'b', 'staleAfter': '0s'}}]} | spec.contributions[0].heartbeat.staleAfter: Invalid value: \"0s\": must be more than 0",
        "{'expressions': [{'conditionType': 'A', 'apiVersion': 'v1', 'kind': 'Shop'}]} | spec.expressions[0].healthyWhen: Required value: an expression over object and conditions",
        "{'expressions': [{'apiVersion': 'v1', 'kind': 'Shop', 'healthyWhen': 'true'}]} | spec.expressions[0].conditionType: Required value: name the condition",
        "{'expressions': [{'conditionType': 'A', 'kind': 'Shop', 'healthyWhen': 'true'}]} | spec.expressions[0].apiVersion: Required value",
        "{'expressions': [{'conditionType': 'A', 'apiVersion': 'v1', 'healthyWhen': 'true'}]} | spec.expressions[0].kind: Required value",
        "{'expressions': [{'conditionType': 'A', 'apiVersion': 'v1', 'kind': 'Shop', 'healthyWhen': 'size(object)'}]} | spec.expressions[0].healthyWhen: Invalid value: \"size(object)\": line 1, column 5: must be true or false, but is of type int",
        "{'expressions': [{'conditionType': 'A', 'apiVersion': 'v1', 'kind': 'Shop', 'healthyWhen': 'conditions.Ready.message == object.x'}]} | spec.expressions[0].healthyWhen: Invalid value: \"conditions.Ready.message == object.x\": line 1, column 17: unknown field 'message'",
        "{'absentConditions': ['no type']} | spec.absentConditions[0]: Invalid value: \"no type\"",
        "{'caSecrets': [{'labelSelector': {'matchExpressions': [{'key': 'a', 'operator': 'In'}]}}]} | spec.caSecrets[0].labelSelector.matchExpressions[0].values: Required value",
        "[] | spec: Invalid value: []: must be an object",
      })
  @DisplayName("CH-25 what cannot be meant so is refused with its field and what would be right")
  void refused(String spec, String why) {
    ClusterHealthReader.Reading reading = reading(spec.replace('\'', '"'));
    assertThat(reading.spec()).isEmpty();
    assertThat(reading.refusal()).startsWith(why.strip());
  }

  @Test
  @DisplayName("CH-57 at most 32 expressions are read")
  void tooManyExpressions() {
    String one =
        "{'conditionType': 'A', 'apiVersion': 'v1', 'kind': 'Shop', 'healthyWhen': 'true'}";
    String expressions = "{'expressions': [%s]}".replace('\'', '"');
    String all = String.join(",", Collections.nCopies(32, one)).replace('\'', '"');
    assertThat(read(expressions.formatted(all)).expressions()).hasSize(32);
    assertThat(reading(expressions.formatted(all + "," + one.replace('\'', '"'))).refusal())
        .isEqualTo("spec.expressions: must have at most 32 entries, found 33");
  }

  @Test
  @DisplayName("CH-25 a threshold without effect is refused before it is applied, not afterwards")
  void idleThreshold() {
    String spec = "{\"thresholds\": {\"EveryNodesReady\": \"1m\"}}";
    assertThat(reading(spec).spec()).isPresent();
    assertThat(reading(spec).problems())
        .singleElement()
        .hasToString(
            "ClusterHealth: warning: spec.thresholds[EveryNodesReady]: unknown condition type;"
                + " did you mean \"EveryNodeReady\"?");
    assertThat(ClusterHealthReader.ofNew(NamedChecks.DEFAULTS).read(resource(spec)).refusal())
        .startsWith("spec.thresholds[EveryNodesReady]: unknown condition type");
  }

  @ParameterizedTest
  @CsvSource({
    "Shoot, EtcdHealthy, ''",
    "Shoot, ControlPlaneHealty, did you mean \"ControlPlaneHealthy\"?",
    "Shoot, not a label, ERROR",
    "Seed, EtcdHealthy, ERROR",
    "Garden, EtcdHealthy, ERROR",
  })
  @DisplayName("CH-27 a ManagedResource of a Shoot names its condition type freely, by its label")
  void thresholdOfALabel(String rule, String type, String complaint) {
    String spec =
        "{\"gardener\": {\"rule\": \"%s\"}, \"thresholds\": {\"%s\": \"1m\"}}"
            .formatted(rule, type);
    ClusterHealthReader.Reading read =
        ClusterHealthReader.ofNew(NamedChecks.DEFAULTS).read(resource(spec));
    assertThat(read.spec().isPresent()).isNotEqualTo(complaint.equals("ERROR"));
    assertThat(read.problems()).hasSize(complaint.isEmpty() ? 0 : 1);
    if (read.spec().isPresent()) {
      assertThat(read.problems())
          .allSatisfy(each -> assertThat(each.toString()).contains("warning").endsWith(complaint));
    }
  }

  @Test
  @DisplayName("CH-25 checks that an author adds may be named")
  void authorsChecks() {
    NamedChecks checks = NamedChecks.DEFAULTS.and("mine", _ -> CheckResult.healthy());
    String spec = "{\"components\": [{\"conditionType\": \"A\", \"checks\": [\"mine\"]}]}";
    assertThat(reading(spec).spec()).isEmpty();
    assertThat(ClusterHealthReader.ofExisting(checks).read(resource(spec)).spec()).isPresent();
  }

  @Test
  @DisplayName("CH-25 of very many mistakes the first are told, the others counted")
  void manyMistakes() {
    String components = "{\"minimum\": -1},".repeat(5000) + "{}";
    assertThat(reading("{\"components\": [" + components + "]}").refusal())
        .startsWith("spec.components[0].conditionType: Required value")
        .endsWith(" more")
        .hasSizeLessThan(10_000);
  }

  private static ClusterHealthSpec read(String spec) {
    return reading(spec).spec().orElseThrow(() -> new AssertionError(reading(spec).refusal()));
  }

  private static ClusterHealthReader.Reading reading(String spec) {
    return ClusterHealthReader.ofExisting(NamedChecks.DEFAULTS).read(resource(spec));
  }

  private static ObjectNode resource(String spec) {
    try {
      ObjectNode resource = JsonNodeFactory.instance.objectNode();
      resource.set("spec", new ObjectMapper().readTree(spec));
      return resource;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
