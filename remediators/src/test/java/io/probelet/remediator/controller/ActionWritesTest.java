package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.remediator.decide.Action;
import io.probelet.remediator.decide.Action.DeletePod;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.decide.PodKey;
import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is written of a decision, and what of it another object of the same name is spared. */
class ActionWritesTest {
  private static final String ORDER =
      "/apis/" + RemediationKind.API_VERSION + "/namespaces/system/nodeorders/n1";
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

  private boolean carryOut(Action action) {
    return writes.carryOut(action, MachineRequest.NEW) instanceof Done;
  }
}
