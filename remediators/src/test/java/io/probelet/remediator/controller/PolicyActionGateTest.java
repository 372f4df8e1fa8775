package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Policies before the first action of a remediation of ours, whoever created it. */
class PolicyActionGateTest {
  private static final String POLICY = "/apis/probelet.io/v1alpha1/remediationpolicies/limits";

  private final VirtualTime time = new VirtualTime();
  private FakeApiServer server;
  private KubernetesClient client;
  private PolicyActionGate gate;

  @BeforeEach
  void begin() throws IOException {
    server = new FakeApiServer(time.clock());
    client = server.client();
    restart();
    for (String node : List.of("n1", "n2")) {
      server.put("{kind: Node, apiVersion: v1, metadata: {name: %s}}".formatted(node));
      drain(node, "");
    }
  }

  @AfterEach
  void end() {
    client.close();
    server.close();
  }

  private void restart() {
    gate =
        new PolicyActionGate(
            ApiServer.of(client, Duration.ofSeconds(5)), List.of(RemediationKind.DRAIN));
  }

  private void drain(String node, String annotations) {
    server.put(
        """
        kind: DrainRemediation
        apiVersion: probelet.io/v1alpha1
        metadata: {name: %s, namespace: fix, annotations: {%s}}
        """
            .formatted(node, annotations));
  }

  private static String path(String node) {
    return RemediatorRun.DRAINS + "/" + node;
  }

  private void policy(String spec) {
    server.serve(RemediationPolicy.API_VERSION, RemediationPolicy.KIND);
    server.put(
        """
        kind: RemediationPolicy
        apiVersion: probelet.io/v1alpha1
        metadata: {name: limits}
        spec: %s
        """
            .formatted(spec));
  }

  private String ask(String node) {
    return ask(node, ObservedNode.read(server.get("/api/v1/nodes/" + node)));
  }

  private String ask(String node, ObservedNode observed) {
    Instant now = time.clock().wallTime();
    SeenRequest request = SeenRequest.read(RemediationKind.DRAIN, server.get(path(node)));
    return gate.hold(request.with(""), observed, now).map(ActionHold::reason).orElse("begins");
  }

  @Test
  @DisplayName("MW-7 nothing begins on a node in maintenance, or that may be; on others it does")
  void maintenance() {
    server.serve(RemediationPolicy.API_VERSION, RemediationPolicy.KIND, Maintenance.KIND);
    server.patch("/api/v1/nodes/n1", "{metadata: {labels: {rack: r7}}}");
    maintenance("1h");
    assertThat(ask("n1")).isEqualTo("InMaintenance");
    assertThat(ask("n2")).isEqualTo("begins");
    time.advance(Duration.ofMinutes(60)); // MW-2: agents check again
    assertThat(ask("n1")).isEqualTo("InMaintenance");
    time.advance(Duration.ofMinutes(1)); // a NodeHealthCheck decides
    assertThat(ask("n1")).isEqualTo("InMaintenance");
    time.advance(Duration.ofMinutes(1));
    assertThat(ask("n1")).isEqualTo("begins");

    maintenance("1s");
    assertThat(ask("n1")).isEqualTo("MaintenanceUnknown");
    assertThat(ask("n2")).isEqualTo("begins");
    server.faults().refuseReads("maintenances", 403, "no");
    assertThat(ask("n2")).isEqualTo("MaintenanceUnknown");
  }

  /** Of rack r7; begins now. */
  private void maintenance(String duration) {
    server.put(
        """
        kind: Maintenance
        apiVersion: probelet.io/v1alpha1
        metadata: {name: rack-7}
        spec: {start: "%s", duration: %s, nodeSelector: {matchLabels: {rack: r7}}}
        """
            .formatted(time.clock().wallTime(), duration));
  }

  private JsonNode recent() {
    return server.get(POLICY).at("/status/recent");
  }

  @Test
  @DisplayName("ACT-70 without a policy, or without the kind, everything begins, and no write")
  void none() {
    assertThat(ask("n1")).isEqualTo("begins");
    server.serve(RemediationPolicy.API_VERSION, "DrainRemediation");
    assertThat(ask("n1")).isEqualTo("begins");
    server.serve(RemediationPolicy.API_VERSION, RemediationPolicy.KIND);
    assertThat(ask("n1")).isEqualTo("begins");
    assertThat(server.get(path("n1")).at("/metadata/annotations")).isEmpty();
  }

  @Test
  @DisplayName("ACT-71 what cannot be read, or counted, holds")
  void unknown() {
    policy("{maxPerHour: 5}");
    server.faults().failNext(403, "no", "");
    assertThat(ask("n1")).isEqualTo("PolicyUnknown");
    server.faults().refuse("remediationpolicies/limits/status", 403, "no");
    assertThat(ask("n1")).isEqualTo("PolicyUnknown");
    server.faults().refuse(null, 0, "");
    assertThat(ask("n1")).isEqualTo("begins");
    assertThat(recent()).as("the same try").hasSize(1);
    policy("{maxPerHours: 5}");
    assertThat(ask("n2")).isEqualTo("PolicyUnreadable");
  }

  @Test
  @DisplayName("ACT-77, ACT-79 counts a foreign remediation once, even after a restart")
  void counted() {
    policy("{maxPerHour: 1, backstop: {times: 1, within: 2h}}");
    assertThat(ask("n1")).isEqualTo("begins");
    assertThat(recent()).hasSize(1);
    restart();
    assertThat(ask("n1")).as("asked once more, as the status was not written").isEqualTo("begins");
    assertThat(recent()).hasSize(1);
    assertThat(ask("n2")).isEqualTo("PolicyHourlyLimit");
    assertThat(server.get(path("n2")).at("/metadata/annotations")).isEmpty();
    time.advance(Duration.ofMinutes(61));
    assertThat(ask("n2")).isEqualTo("begins");
  }

  @Test
  @DisplayName("ACT-79 what our NodeHealthChecks counted asks for windows and pauses only")
  void countedByOurs() {
    policy("{maxNodes: 0, maxPerHour: 1, approval: ['*']}");
    String at = "2026-01-01T00:00:00Z";
    server.patch(POLICY, "{status: {recent: {'%s n1': DrainRemediation}}}".formatted(at));
    drain("n1", "probelet.io/counted-at: '%s'".formatted(at));
    assertThat(ask("n1")).isEqualTo("begins");
    drain("n2", "probelet.io/counted-at: '%s'".formatted(at));
    assertThat(ask("n2")).as("of another node").isEqualTo("PolicyAwaitingApproval");
    drain("n2", "probelet.io/counted-at: 'yesterday'");
    assertThat(ask("n2")).isEqualTo("PolicyAwaitingApproval");
    policy("{paused: true}");
    assertThat(ask("n1")).isEqualTo("PolicyPaused");
  }

  @Test
  @DisplayName("ACT-79 a mark that no policy knows is not believed: counted as of now")
  void forged() {
    policy("{maxPerHour: 1}");
    for (String forged : List.of("2020-01-01T00:00:00Z", "2030-01-01T00:00:00Z")) {
      drain("n1", "probelet.io/counted-at: '%s'".formatted(forged));
      server.patch(POLICY, "{status: {recent: null}}");
      assertThat(ask("n1")).isEqualTo("begins");
      String now = time.clock().wallTime().truncatedTo(ChronoUnit.MILLIS).toString();
      assertThat(recent().has(now + " n1")).as(recent().toString()).isTrue();
      assertThat(ask("n2")).isEqualTo("PolicyHourlyLimit");
    }
  }

  @Test
  @DisplayName("ACT-78 those that have begun, or were just allowed to, are at work")
  void nodes() {
    policy("{maxNodes: 1}");
    assertThat(ask("n1")).isEqualTo("begins");
    assertThat(ask("n2")).as("n1 was just allowed to").isEqualTo("PolicyNodeLimit");
    server.patch(path("n1"), "{status: {phase: Draining}}");
    restart();
    assertThat(ask("n2")).as("n1 is at it").isEqualTo("PolicyNodeLimit");
    server.delete(path("n1"));
    assertThat(ask("n2")).isEqualTo("begins");
  }

  @Test
  @DisplayName("ACT-76 an approval is taken off the node, and what is left of it stays")
  void approval() {
    policy("{approval: [DrainRemediation]}");
    assertThat(ask("n1")).isEqualTo("PolicyAwaitingApproval");
    server.patch(
        "/api/v1/nodes/n1",
        "{metadata: {annotations: {probelet.io/approved: 'A, DrainRemediation'}}}");
    assertThat(ask("n1")).isEqualTo("begins");
    assertThat(server.get("/api/v1/nodes/n1").at("/metadata/annotations").toString())
        .isEqualTo("{\"probelet.io/approved\":\"A\"}");
    assertThat(ask("n1")).as("it is counted").isEqualTo("begins");
  }

  @Test
  @DisplayName("ACT-81 an expression over the node holds, also without a value or without the node")
  void expression() {
    policy(
        "{holdWhen: \"taints.exists(t, t.key == 'busy') || conditions.Ready.status == 'True'\"}");
    assertThat(ask("n1")).as("no condition Ready").isEqualTo("PolicyUndecided");
    server.patch("/api/v1/nodes/n1", "{status: {conditions: [{type: Ready, status: 'False'}]}}");
    server.patch("/api/v1/nodes/n2", "{spec: {taints: [{key: busy, effect: NoSchedule}]}}");
    assertThat(ask("n1")).isEqualTo("begins");
    assertThat(ask("n2")).isEqualTo("PolicyByExpression");
    ObservedNode read = ObservedNode.read(server.get("/api/v1/nodes/n2"));
    server.faults().refuseReads("/api/v1/nodes/n2", 403, "no");
    assertThat(ask("n2", read)).isEqualTo("PolicyUnknown");
    server.faults().refuseReads(null, 0, "");
    server.delete("/api/v1/nodes/n2");
    assertThat(ask("n2", read)).isEqualTo("PolicyUndecided");
  }

  @Test
  @DisplayName("ACT-81 an expression holds what our NodeHealthChecks counted, too")
  void expressionOfCounted() {
    policy("{holdWhen: 'age >= duration(\"0s\")'}");
    String at = "2026-01-01T00:00:00Z";
    server.patch(POLICY, "{status: {recent: {'%s n1': DrainRemediation}}}".formatted(at));
    drain("n1", "probelet.io/counted-at: '%s'".formatted(at));
    assertThat(ask("n1")).isEqualTo("PolicyByExpression");
  }
}
