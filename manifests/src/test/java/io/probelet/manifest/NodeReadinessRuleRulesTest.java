package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** NodeReadinessRules in files: the reader's rules, with the line that breaks them. */
class NodeReadinessRuleRulesTest {
  private static final String GOOD =
      """
      apiVersion: readiness.node.x-k8s.io/v1alpha1
      kind: NodeReadinessRule
      metadata: {name: network}
      spec:
        conditions: [{type: CNIReady, requiredStatus: "True"}]
        enforcementMode: continuous
        taint: {key: readiness.k8s.io/network, effect: NoSchedule}
        nodeSelector: {matchLabels: {role: worker}}
      """;

  @Test
  void validRuleHasNoProblem() {
    assertThat(Reading.of(GOOD).lines()).isEmpty();
  }

  @Test
  void eachMistakeHasItsLine() {
    String bad =
        GOOD.replace("v1alpha1", "v1")
            .replace("readiness.k8s.io/network", "network")
            .replace("{matchLabels: {role: worker}}", "{}");
    assertThat(Reading.of(bad).lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("1:13: error: document 1: apiVersion: Unsupported"),
            line -> assertThat(line).startsWith("7:16: error: document 1: spec.taint.key: Invalid"),
            line -> assertThat(line).contains("error: document 1: spec.nodeSelector: Required"));
  }

  @Test
  void examplesAreValid() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "examples", "readiness"))) {
      assertThat(files)
          .hasSize(2)
          .allSatisfy(file -> assertThat(Reading.of(Files.readString(file)).lines()).isEmpty());
    }
  }

  @Test
  void unknownFieldIsAWarning() {
    assertThat(Reading.of(GOOD + "  later: true\n").lines())
        .containsExactly("9:3: warning: document 1: spec.later: unknown field");
  }

  @Test
  void taintThatEvictsIsAWarning() {
    assertThat(Reading.of(GOOD.replace("NoSchedule", "NoExecute")).lines())
        .singleElement()
        .asString()
        .contains("warning: document 1: spec: taint.effect: NoExecute with enforcementMode");
  }

  @Test
  void itemsOfAListAreRead() {
    assertThat(
            Reading.of(
                    """
                    apiVersion: readiness.node.x-k8s.io/v1alpha1
                    kind: NodeReadinessRuleList
                    items:
                    - metadata: {name: a}
                      spec: {enforcementMode: never}
                    """)
                .lines())
        .anySatisfy(line -> assertThat(line).contains("items[0].spec.enforcementMode"));
  }
}
