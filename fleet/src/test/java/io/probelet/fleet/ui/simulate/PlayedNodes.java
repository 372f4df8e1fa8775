package io.probelet.fleet.ui.simulate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A cluster of nodes in racks to play with, and one NodeHealthCheck of two steps. */
public record PlayedNodes(JsonNode check, List<NodeFacts> nodes) implements PlayedCluster {
  static final String CHECK =
      """
      {"apiVersion": "remediation.medik8s.io/v1alpha1", "kind": "NodeHealthCheck",
       "metadata": {"name": "workers", "uid": "c1"},
       "spec": {"selector": {"matchLabels": {"pool": "workers"}}, "minHealthy": "51%",
         "unhealthyConditions": [{"type": "Ready", "status": "Unknown", "duration": "5m"}],
         "escalatingRemediations": [
           {"order": 2, "timeout": "10m", "remediationTemplate":
             {"apiVersion": "a/v1", "kind": "RebootTemplate", "name": "b", "namespace": "n"}},
           {"order": 1, "timeout": "10m", "remediationTemplate":
             {"apiVersion": "a/v1", "kind": "RestartTemplate", "name": "a", "namespace": "n"}}]}}
      """;

  private static final Instant THEN = Instant.parse("2026-10-01T00:00:00Z");

  /** {@return so many nodes, in three racks} */
  public static PlayedNodes racks(int count) {
    List<NodeFacts> nodes =
        IntStream.range(0, count).mapToObj(i -> node(i, "rack-" + i % 3, "True")).toList();
    return of(CHECK, nodes);
  }

  static PlayedNodes of(String check, List<NodeFacts> nodes) {
    try {
      return new PlayedNodes(new ObjectMapper().readTree(check), nodes);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static NodeFacts node(int number, String rack, String ready) {
    return new NodeFacts(
        "worker-" + number,
        "u" + number,
        THEN,
        Map.of("pool", "workers", "rack", rack),
        List.of(new NodeCondition("Ready", ready, THEN)),
        false,
        null);
  }

  @Override
  public List<String> checks() {
    return List.of("workers");
  }

  @Override
  public Optional<JsonNode> check(String name) {
    return name.equals("workers") ? Optional.of(check) : Optional.empty();
  }
}
