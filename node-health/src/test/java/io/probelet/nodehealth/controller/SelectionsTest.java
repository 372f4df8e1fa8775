package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class SelectionsTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Selections selections = new Selections();

  @Test
  @DisplayName("RB-1, NHC-22 those that select a node, until its labels or they themselves change")
  void remembered() throws IOException {
    Check a = check("a");
    Check b = check("b");
    List<Check> both = List.of(a, b);
    assertThat(selections.of(node("a"), both)).containsExactly(a);
    assertThat(selections.of(node("b"), both)).as("not asked again").containsExactly(a);
    selections.forget("n");
    assertThat(selections.of(node("b"), both)).containsExactly(b);
    selections.forgetAll();
    assertThat(selections.of(node("b"), List.of(a))).isEmpty();
  }

  private static NodeFacts node(String pool) {
    return new NodeFacts("n", "u", Instant.EPOCH, Map.of("pool", pool), List.of(), false, null);
  }

  private static Check check(String pool) {
    return new Check(
        JSON.valueToTree(
            new Yaml()
                .<Object>load(
                    """
                    apiVersion: remediation.medik8s.io/v1alpha1
                    kind: NodeHealthCheck
                    metadata: {name: %1$s, uid: u-%1$s, resourceVersion: "1"}
                    spec:
                      selector: {matchLabels: {pool: %1$s}}
                      minHealthy: 0
                      remediationTemplate: {apiVersion: e/v1, kind: ATemplate, namespace: n, name: a}
                    """
                        .formatted(pool))));
  }
}
