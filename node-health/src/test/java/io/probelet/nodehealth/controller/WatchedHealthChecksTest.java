package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

class WatchedHealthChecksTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final WatchedHealthChecks checks = new WatchedHealthChecks();

  @Test
  @DisplayName("RB-1, NHC-22 those that select a node, until its labels or they themselves change")
  void remembered() {
    assertThat(checks.changed(check("a"))).isTrue();
    assertThat(checks.changed(check("b"))).isTrue();
    assertThat(selecting("a")).containsExactly("a");
    assertThat(selecting("b")).as("not asked again").containsExactly("a");
    checks.nodeChanged(node("a"), node("b"));
    assertThat(selecting("b")).containsExactly("b");
    assertThat(checks.gone("b", "u-b")).isPresent();
    assertThat(selecting("b")).isEmpty();
  }

  private List<String> selecting(String pool) {
    return checks.selecting(node(pool)).stream().map(WatchedHealthCheck::name).toList();
  }

  private static NodeFacts node(String pool) {
    return new NodeFacts("n", "u", Instant.EPOCH, Map.of("pool", pool), List.of(), false, null);
  }

  private static JsonNode check(String pool) {
    return JSON.valueToTree(
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
                    .formatted(pool)));
  }
}
