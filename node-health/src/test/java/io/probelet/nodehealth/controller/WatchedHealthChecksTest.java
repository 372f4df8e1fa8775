package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
    checks.nodeChanged(node("a"), node("b"), Instant.EPOCH);
    assertThat(selecting("b")).containsExactly("b");
    assertThat(checks.gone("b", "u-b")).isPresent();
    assertThat(selecting("b")).isEmpty();
  }

  @Test
  @DisplayName("RB-1 whatever selectors demand, the index finds those that match, by name")
  void anySelector() {
    Map<String, String> selectors =
        new TreeMap<>(
            Map.of(
                "all", "{}",
                "both", "{matchLabels: {pool: a, zone: x}}",
                "expression", "{matchExpressions: [{key: pool, operator: NotIn, values: [a]}]}",
                "mixed",
                    "{matchLabels: {pool: a}, matchExpressions: [{key: zone, operator: Exists}]}",
                "pool", "{matchLabels: {pool: a}}",
                "refused", "{matchLabels: {pool: '*'}}",
                "zone", "{matchLabels: {zone: x}}"));
    selectors.forEach((name, selector) -> checks.changed(check(name, selector)));

    assertThat(selecting(Map.of("pool", "a", "zone", "x")))
        .containsExactly("all", "both", "mixed", "pool", "zone");
    assertThat(selecting(Map.of("pool", "a"))).containsExactly("all", "pool");
    assertThat(selecting(Map.of("zone", "x"))).containsExactly("all", "expression", "zone");
    assertThat(selecting(Map.of("pool", "b", "zone", "y"))).containsExactly("all", "expression");
    assertThat(selecting(Map.of())).containsExactly("all", "expression");
  }

  @Test
  @DisplayName("RB-1 all that have not counted their nodes do so in one pass, and nobody twice")
  void counted() {
    checks.changed(check("a"));
    checks.changed(check("b"));
    List<NodeFacts> nodes = List.of(node("1", "a"), node("2", "b"), node("3", "a"));
    checks.count(nodes, Instant.EPOCH);

    assertThat(checks.all()).noneMatch(WatchedHealthCheck::isUncounted);
    assertThat(checks.all())
        .extracting(check -> check.census(Instant.EPOCH).observed())
        .containsExactly(2, 1);
    checks.count(List.of(), Instant.EPOCH);
    assertThat(checks.all())
        .as("not counted again")
        .extracting(check -> check.census(Instant.EPOCH).observed())
        .containsExactly(2, 1);
  }

  private List<String> selecting(Map<String, String> labels) {
    String name = "node of " + labels;
    return checks
        .selecting(new NodeFacts(name, "u", Instant.EPOCH, labels, List.of(), false, null))
        .stream()
        .map(WatchedHealthCheck::name)
        .toList();
  }

  private List<String> selecting(String pool) {
    return checks.selecting(node(pool)).stream().map(WatchedHealthCheck::name).toList();
  }

  private static NodeFacts node(String pool) {
    return node("n", pool);
  }

  private static NodeFacts node(String name, String pool) {
    return new NodeFacts(name, "u", Instant.EPOCH, Map.of("pool", pool), List.of(), false, null);
  }

  private static JsonNode check(String pool) {
    return check(pool, "{matchLabels: {pool: " + pool + "}}");
  }

  private static JsonNode check(String name, String selector) {
    return JSON.valueToTree(
        new Yaml()
            .<Object>load(
                """
                apiVersion: remediation.medik8s.io/v1alpha1
                kind: NodeHealthCheck
                metadata: {name: %1$s, uid: u-%1$s, resourceVersion: "1"}
                spec:
                  selector: %2$s
                  minHealthy: 0
                  remediationTemplate: {apiVersion: e/v1, kind: ATemplate, namespace: n, name: a}
                """
                    .formatted(name, selector)));
  }
}
