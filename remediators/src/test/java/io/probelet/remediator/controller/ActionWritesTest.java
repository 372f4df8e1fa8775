package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.remediator.decide.Action;
import io.probelet.remediator.decide.Action.DeletePod;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.decide.PodKey;
import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written of a decision, and what of it another object of the same name is spared. */
class ActionWritesTest {
  private static final String ORDER =
      "/apis/" + RemediationKind.API_VERSION + "/namespaces/system/nodeorders/n1";
  private static final String NODE = "/api/v1/nodes/n1";
  private static final String POD = "/api/v1/namespaces/apps/pods/p";

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.client();
  private final ActionWrites writes =
      new ActionWrites(ApiServer.of(client, Duration.ofSeconds(5)), "system");

  ActionWritesTest() throws IOException {}

  @BeforeEach
  void objects() {
    server.serve(RemediationKind.API_VERSION, "NodeOrder");
    server.put(
        """
        {apiVersion: %s, kind: NodeOrder, metadata: {namespace: system, name: n1, uid: new}}
        """
            .formatted(RemediationKind.API_VERSION));
    server.put("{apiVersion: v1, kind: Pod, metadata: {namespace: apps, name: p, uid: new}}");
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  @Test
  @DisplayName("an order or a pod that took the place of the one meant is left alone")
  void another() {
    assertThat(carryOut(new WithdrawOrder("n1", "old"))).isTrue();
    assertThat(carryOut(new DeletePod(new PodKey("apps", "p", "old")))).isTrue();

    assertThat(server.get(ORDER).isObject()).isTrue();
    assertThat(server.get(POD).isObject()).isTrue();
  }

  @Test
  @DisplayName("the order and the pod meant are deleted, whatever has changed of them")
  void meant() {
    server.patch(ORDER, "{\"status\": {\"phase\": \"Running\"}}");

    assertThat(carryOut(new WithdrawOrder("n1", "new"))).isTrue();
    assertThat(carryOut(new DeletePod(new PodKey("apps", "p", "new")))).isTrue();

    assertThat(server.writes(ORDER)).hasSize(1);
    assertThat(server.writes(POD)).hasSize(1);
    assertThat(server.list(ORDER.substring(0, ORDER.lastIndexOf('/')))).isEmpty();
    assertThat(server.list(POD.substring(0, POD.lastIndexOf('/')))).isEmpty();
  }

  @Test
  @DisplayName("an order is granted only as it was read")
  void grant() {
    String version = server.get(ORDER).at("/metadata/resourceVersion").asText();

    assertThat(carryOut(new GrantOrder("n1", "new", version + "0"))).isFalse();
    assertThat(server.get(ORDER).at("/spec/granted").asBoolean()).isFalse();

    assertThat(carryOut(new GrantOrder("n1", "new", version))).isTrue();
    assertThat(server.get(ORDER).at("/spec/granted").asBoolean()).isTrue();
  }

  @Test
  @DisplayName("ACT-59 a taint is added and removed without a change to any other")
  void taints() {
    String others =
        """
        {"key": "a", "effect": "NoExecute", "timeAdded": "2026-01-01T00:00:00Z"},
        {"key": "b", "value": "v", "effect": "NoSchedule", "later": {"field": 1}}
        """;
    server.put(
        "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [%s]}}"
            .formatted(others));
    JsonNode before = server.get(NODE).at("/spec/taints").deepCopy();
    NodeTaint off = new NodeTaint("off", "", "NoExecute");

    assertThat(carryOut(new Action.SetTaint(node(), off))).isTrue();
    JsonNode set = server.get(NODE).at("/spec/taints");
    assertThat(set).hasSize(3);
    assertThat(List.of(set.get(0), set.get(1))).isEqualTo(List.of(before.get(0), before.get(1)));

    ObservedNode stale = node();
    server.patch(NODE, "{\"metadata\": {\"labels\": {\"x\": \"y\"}}}");
    assertThat(carryOut(new Action.RemoveTaint(stale, off))).isFalse();
    assertThat(carryOut(new Action.RemoveTaint(node(), off))).isTrue();
    assertThat(server.get(NODE).at("/spec/taints")).isEqualTo(before);
  }

  @Test
  @DisplayName("ACT-59 a node without taints gets its first one")
  void firstTaint() {
    server.put("{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {}}");
    assertThat(carryOut(new Action.SetTaint(node(), new NodeTaint("off", "v", "NoExecute"))))
        .isTrue();
    assertThat(server.get(NODE).at("/spec/taints/0/value").asText()).isEqualTo("v");
  }

  @Test
  @DisplayName("ACT-53 an annotation that another controller set or changed is left alone")
  void annotations() {
    server.patch(POD, "{\"metadata\": {\"annotations\": {\"other\": \"o\"}}}");
    String version = server.get(POD).at("/metadata/resourceVersion").asText();
    assertThat(carryOut(new Action.Annotate(POD, "new", version, "e.io/m", "ours"))).isTrue();
    assertThat(carryOut(new Action.Annotate(POD, "new", version, "e.io/m", "late"))).isFalse();
    assertThat(carryOut(new Action.RemoveAnnotation(POD, "old", "e.io/m", "ours"))).isFalse();
    assertThat(carryOut(new Action.RemoveAnnotation(POD, "new", "e.io/m", "theirs"))).isFalse();
    assertThat(server.get(POD).path("metadata").path("annotations").path("e.io/m").asText())
        .isEqualTo("ours");
    assertThat(carryOut(new Action.RemoveAnnotation(POD, "new", "e.io/m", "ours"))).isTrue();
    assertThat(server.get(POD).path("metadata").path("annotations").toString())
        .isEqualTo("{\"other\":\"o\"}");
  }

  private ObservedNode node() {
    return ObservedNode.read(server.get(NODE));
  }

  private boolean carryOut(Action action) {
    return writes.carryOut(action, MachineRequest.NEW) instanceof Done;
  }
}
