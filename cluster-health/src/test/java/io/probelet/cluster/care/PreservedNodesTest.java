package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.health.Threads;
import io.probelet.health.VirtualTime;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A DaemonSet in a cluster where a failed node is kept for somebody to look at. */
@EnableKubernetesMockClient(crud = true, https = false)
class PreservedNodesTest {
  private KubernetesMockServer server;
  private KubernetesClient client;

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  private void node(String name, String ready, String preserved) {
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .addNewCondition()
                .withType("Preserved")
                .withStatus(preserved)
                .endCondition()
                .endStatus()
                .build())
        .create();
  }

  private void pod(String node, String ready) {
    client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withNamespace("kube-system")
                .withName("proxy-" + node)
                .addToLabels("app", "proxy")
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready)
                .endCondition()
                .endStatus()
                .build())
        .create();
  }

  private static DaemonSet daemonSet(int unavailable) {
    return new DaemonSetBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName("proxy")
        .endMetadata()
        .withNewSpec()
        .withNewSelector()
        .addToMatchLabels("app", "proxy")
        .endSelector()
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(9L)
        .withDesiredNumberScheduled(3)
        .withCurrentNumberScheduled(3)
        .withUpdatedNumberScheduled(3)
        .withNumberUnavailable(unavailable)
        .endStatus()
        .build();
  }

  private boolean isUnhealthy(DaemonSet daemonSet) {
    client.resource(daemonSet).createOr(existing -> existing.update());
    // Without room for what is followed: all is listed.
    try (ClusterObjects objects =
        new ClusterObjects(client, new VirtualTime().clock(), new Random(1), 0)) {
      return new PreservedNodes(new ClusterReader(client, Threads.MACHINE), objects)
              .countedOut(ObjectVerdict.of(daemonSet))
              .health()
          instanceof Unhealthy;
    }
  }

  @Test
  @DisplayName("CH-50 what a DaemonSet misses on preserved nodes is counted out, and no more")
  void countedOut() {
    node("a", "False", "True");
    node("b", "False", "False");
    pod("a", "False");
    pod("b", "False");
    assertThat(isUnhealthy(daemonSet(0))).isFalse();
    assertThat(isUnhealthy(daemonSet(1))).isFalse();
    assertThat(isUnhealthy(daemonSet(2))).isTrue();
  }

  @Test
  @DisplayName("CH-50 a ready pod, and a node that is ready, excuse nothing")
  void notExcused() {
    node("a", "False", "True");
    node("b", "True", "True");
    pod("a", "True");
    pod("b", "False");
    assertThat(isUnhealthy(daemonSet(1))).isTrue();
  }

  @Test
  @DisplayName("CH-50 a DaemonSet that is too large to be read is not counted out")
  void tooLarge() {
    node("a", "False", "True");
    pod("a", "False");
    Map<String, String> many =
        IntStream.range(0, 25_000)
            .boxed()
            .collect(Collectors.toMap(i -> "example.com/a" + i, _ -> "x"));
    DaemonSet large =
        new DaemonSetBuilder(daemonSet(1))
            .editMetadata()
            .withAnnotations(many)
            .endMetadata()
            .build();
    assertThat(isUnhealthy(daemonSet(1))).isFalse();
    assertThat(isUnhealthy(large)).isTrue();
  }

  @Test
  @DisplayName("CH-50 other causes stay, and so does a failure where pods may not be listed")
  void otherCauses() {
    node("a", "False", "True");
    pod("a", "False");
    DaemonSet misscheduled =
        new DaemonSetBuilder(daemonSet(1))
            .editStatus()
            .withNumberMisscheduled(1)
            .endStatus()
            .build();
    assertThat(isUnhealthy(misscheduled)).isTrue();
    server
        .expect()
        .get()
        .withPath("/api/v1/namespaces/kube-system/pods?limit=250&labelSelector=app%3Dproxy")
        .andReturn(403, "{\"kind\":\"Status\",\"code\":403}")
        .always();
    assertThat(isUnhealthy(daemonSet(1))).isTrue();
  }
}
