package io.probelet.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A cluster of the tests: workers with a NodeHealthCheck of minHealthy 51 %. */
public final class FleetFixture {
  static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  final List<NodeReading> nodes = new ArrayList<>();
  final List<CheckReading> checks = new ArrayList<>();
  final List<RemediationReading> remediations = new ArrayList<>();
  final List<PolicyReading> policies = new ArrayList<>();
  final List<FleetLeader> leaders = new ArrayList<>();
  final List<FleetCondition> clusterHealth = new ArrayList<>();
  final List<FleetGap> gaps = new ArrayList<>();
  final List<String> absent = new ArrayList<>();
  final Set<String> unread = new HashSet<>();
  @Nullable RemediationView remediation;
  @Nullable RemediatorsView remediators;

  /** A worker whose Ready condition is as given since some time. */
  FleetFixture node(String name, String ready, Duration since, String... more) {
    nodes.add(reading(yaml(nodeYaml(name, ready, since) + String.join("", more))));
    return this;
  }

  public static String nodeYaml(String name, String ready, Duration since) {
    return """
    apiVersion: v1
    kind: Node
    metadata: {name: %s, uid: u-%s, creationTimestamp: "2026-11-01T00:00:00Z", labels: {role: worker, topology.kubernetes.io/zone: %s}}
    status:
      conditions:
      - {type: MemoryPressure, status: "False", lastTransitionTime: "2026-11-01T00:00:00Z"}
      - {type: Ready, status: "%s", reason: R, message: M, lastTransitionTime: "%s"}
    """
        .formatted(name, name, "z" + name.charAt(name.length() - 1), ready, NOW.minus(since));
  }

  FleetFixture healthy(int count) {
    for (int i = 0; i < count; i++) {
      node("healthy-" + i, "True", Duration.ofDays(1));
    }
    return this;
  }

  public static String checkYaml(String more, String status) {
    return """
    apiVersion: remediation.medik8s.io/v1alpha1
    kind: NodeHealthCheck
    metadata: {name: workers, uid: u-workers}
    spec:
      selector: {matchLabels: {role: worker}}
      minHealthy: 51%%
      escalatingRemediations:
      - {order: 1, timeout: 5m, remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: DrainRemediationTemplate, name: gently, namespace: probelet-system}}
      - {order: 2, timeout: 10m, remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: RebootRemediationTemplate, name: hard, namespace: probelet-system}}
      %s
    status: %s
    """
        .formatted(more, status);
  }

  FleetFixture check(String more, String status) {
    checks.add(CheckReading.of(yaml(checkYaml(more, status))));
    return this;
  }

  FleetFixture check() {
    return check("", "{}");
  }

  static String remediationYaml(String kind, String node, Duration age, String status) {
    return """
    apiVersion: probelet.io/v1alpha1
    kind: %s
    metadata:
      name: %s
      namespace: probelet-system
      uid: u-%s-%s
      creationTimestamp: "%s"
      annotations: {remediation.medik8s.io/node-name: %s, remediation.medik8s.io/template-name: %s}
      ownerReferences: [{apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, name: workers, uid: u-workers}]
    status: %s
    """
        .formatted(
            kind,
            node,
            kind,
            node,
            NOW.minus(age),
            node,
            kind.startsWith("Drain") ? "gently" : "hard",
            status);
  }

  FleetFixture remediation(String kind, String node, Duration age, String status) {
    remediations.add(RemediationReading.of(yaml(remediationYaml(kind, node, age, status))));
    return this;
  }

  FleetFixture policy(String spec) {
    policies.add(
        PolicyReading.of(
            yaml(
                """
                apiVersion: probelet.io/v1alpha1
                kind: RemediationPolicy
                metadata: {name: careful, uid: u-careful}
                spec: %s
                """
                    .formatted(spec))));
    return this;
  }

  FleetView view() {
    return FleetAssembly.view(
        new FleetFacts(
            "https://test",
            List.copyOf(nodes),
            List.copyOf(checks),
            List.copyOf(remediations),
            List.copyOf(policies),
            List.of(),
            List.copyOf(leaders),
            List.copyOf(clusterHealth),
            List.of(),
            remediation,
            remediators,
            Set.copyOf(unread),
            List.copyOf(absent),
            List.copyOf(gaps)),
        new CensusCache(),
        NOW);
  }

  static NodeReading reading(ObjectNode node) {
    try (JsonParser tokens = node.traverse(YAML)) {
      tokens.nextToken();
      return new NodeReading.OfNodes().read(tokens, _ -> null).value().value();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  static ObjectNode yaml(String text) {
    try {
      return (ObjectNode) YAML.readTree(text);
    } catch (IOException invalid) {
      throw new UncheckedIOException(invalid);
    }
  }
}
