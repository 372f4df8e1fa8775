package io.probelet.nodehealth.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.probelet.nodehealth.readiness.ReadinessSpec.Requirement;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules as administrators wrote them for the original. */
class ReadinessRuleReaderTest {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final String VALID =
      """
      apiVersion: readiness.node.x-k8s.io/v1alpha1
      kind: NodeReadinessRule
      metadata:
        name: network
        uid: u
        resourceVersion: "7"
        generation: 3
        finalizers: [readiness.node.x-k8s.io/cleanup-taints, example.org/other]
      spec:
        conditions:
        - {type: network.example.org/CNIReady, requiredStatus: "True"}
        - {type: MaintenanceRequired, requiredStatus: "False", defaultStatus: "False"}
        conditionPolicy: allOf
        enforcementMode: continuous
        taint: {key: readiness.k8s.io/network, value: pending, effect: NoSchedule}
        nodeSelector:
          matchLabels: {node-role.kubernetes.io/worker: ""}
        dryRun: true
      """;

  private static NodeReadinessRule read(String yaml) throws IOException {
    JsonNode json = YAML.readTree(yaml);
    return ReadinessRuleReader.read(json);
  }

  @Test
  void readsEachField() throws IOException {
    NodeReadinessRule rule = read(VALID);
    assertThat(rule.refusal()).isEmpty();
    assertThat(rule.hasFinalizer()).isTrue();
    assertThat(rule.generation()).isEqualTo(3);
    ReadinessSpec spec = rule.spec().orElseThrow();
    assertThat(spec.conditions())
        .containsExactly(
            new Requirement("network.example.org/CNIReady", "True", "Unknown"),
            new Requirement("MaintenanceRequired", "False", "False"));
    assertThat(spec.taint())
        .isEqualTo(new NodeTaint("readiness.k8s.io/network", "pending", "NoSchedule"));
    assertThat(spec.dryRun()).isTrue();
    assertThat(spec.anyOf()).isFalse();
    assertThat(spec.bootstrapOnly()).isFalse();
    assertThat(spec.evictionWarning()).isEmpty();
  }

  /** NRR-10: the webhook may not be installed. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          enforcementMode: continuous | enforcementMode: bootstrap-only | spec.conditions[1].defaultStatus: Forbidden
          enforcementMode: continuous | enforcementMode: once | spec.enforcementMode: Unsupported
          enforcementMode: continuous | dryRun2: false | spec.enforcementMode: Required
          conditionPolicy: allOf | conditionPolicy: someOf | spec.conditionPolicy: Unsupported
          key: readiness.k8s.io/network | key: example.org/network | spec.taint.key: Invalid
          key: readiness.k8s.io/network | key: readiness.k8s.io/ | spec.taint.key: Invalid
          key: readiness.k8s.io/network | key: readiness.k8s.io/a/b | spec.taint.key: Invalid
          effect: NoSchedule | effect: Never | spec.taint.effect: Unsupported
          value: pending | value: not a value | spec.taint.value: Invalid
          requiredStatus: "True" | requiredStatus: "Maybe" | spec.conditions[0].requiredStatus: Unsupported
          type: MaintenanceRequired | type: network.example.org/CNIReady | Duplicate value
          matchLabels: {node-role.kubernetes.io/worker: ""} | matchLabels: {} | spec.nodeSelector: Required
          dryRun: true | newField: true | spec.newField: unknown field
          """)
  void refusesWhatTheOriginalsWebhookRefuses(String valid, String invalid, String refusal)
      throws IOException {
    assertThat(VALID).contains(valid);
    NodeReadinessRule rule = read(VALID.replace(valid, invalid));
    assertThat(rule.spec()).isEmpty();
    assertThat(rule.refusal()).contains(refusal);
  }

  @Test
  void refusesMoreConditionsThanTheLimit() throws IOException {
    String conditions =
        IntStream.rangeClosed(0, ReadinessSpec.MAX_CONDITIONS)
            .mapToObj(i -> "{type: C%d, requiredStatus: \"True\"}".formatted(i))
            .collect(Collectors.joining(",", "[", "]"));
    NodeReadinessRule rule =
        read(
            """
            metadata: {name: a}
            spec: {enforcementMode: continuous, conditions: %s, nodeSelector: {matchLabels: {a: b}},
              taint: {key: readiness.k8s.io/a, effect: NoExecute}}
            """
                .formatted(conditions));
    assertThat(rule.refusal()).contains("Too many: 33: must have at most 32 items");
    assertThat(rule.taintOrNull()).isEqualTo(new NodeTaint("readiness.k8s.io/a", "", "NoExecute"));
  }

  @Test
  void keepsTheRefusalOfAHostileRuleShort() throws IOException {
    NodeReadinessRule rule =
        read(
            IntStream.range(0, 50)
                .mapToObj(i -> "  %s%d: 1%n".formatted("x".repeat(200), i))
                .collect(Collectors.joining("", "metadata: {name: a}\nspec:\n", "")));
    assertThat(rule.refusal()).hasSizeLessThanOrEqualTo(500);
    assertThat(rule.taintOrNull()).isNull();
  }

  /** NRR-11: such a rule is carried out. */
  @ParameterizedTest
  @CsvSource({
    "continuous, each time its conditions fail",
    "bootstrap-only, run on the node already"
  })
  void warnsOfTaintsThatEvict(String mode, String warning) throws IOException {
    String yaml =
        VALID
            .replace("NoSchedule", "NoExecute")
            .replace("continuous", mode)
            .replace(", defaultStatus: \"False\"", "");
    assertThat(read(yaml).spec().flatMap(ReadinessSpec::evictionWarning).orElseThrow())
        .contains(warning);
  }
}
