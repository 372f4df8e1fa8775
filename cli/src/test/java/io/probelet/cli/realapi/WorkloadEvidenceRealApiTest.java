package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.probelet.cli.agent.AgentUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Evidence by workloads with the rights and the policy of deploy/workload-evidence and no others.
 */
@Tag("real-api")
@Timeout(900)
class WorkloadEvidenceRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String LABEL = "probelet-test/workloads";
  private static final String CONDITION = "WorkloadsFailing";
  private static final List<String> NAMESPACES =
      List.of("kube-system", "monitoring", "ingress-nginx");
  private static final int NODES = 4;

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    api.assumeSince(RealApi.POLICIES);
    client = api.client();
    for (String namespace : NAMESPACES) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .createOr(NonDeletingOperation::update);
    }
    for (String file : List.of("00-namespace", "controller", "workload-evidence/access")) {
      api.applyRights("deploy/" + file + ".yaml");
    }
    api.apply("deploy/workload-evidence/admission-policy.yaml");
    for (int i = 1; i <= NODES; i++) {
      client
          .resource(
              new NodeBuilder()
                  .withNewMetadata()
                  .withName(node(i))
                  .addToLabels(LABEL, "")
                  .endMetadata()
                  .build())
          .createOr(NonDeletingOperation::update);
      status(
          client, i, "{\"type\": \"Ready\", \"status\": \"True\", \"reason\": \"KubeletReady\"}");
    }
    for (String namespace : NAMESPACES) {
      for (int i = 1; i <= NODES; i++) {
        pod(namespace, i);
        ready(namespace, i, true);
      }
    }
  }

  @AfterEach
  void close() {
    if (client != null) {
      for (String namespace : NAMESPACES) {
        client.pods().inNamespace(namespace).withLabel(LABEL).withGracePeriod(0).delete();
      }
      client.nodes().withLabel(LABEL).delete();
      api.close();
    }
  }

  private static String node(int number) {
    return "probelet-test-w" + number;
  }

  private void pod(String namespace, int node) {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName("web-" + node)
            .addToLabels(LABEL, "")
            .addToLabels("controller-revision-hash", "h1")
            .addNewOwnerReference()
            .withApiVersion("apps/v1")
            .withKind("DaemonSet")
            .withName("web")
            .withUid("0a0a0a0a-0000-0000-0000-000000000001")
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .withNewSpec()
            .withNodeName(node(node))
            .addNewContainer()
            .withName("c")
            .withImage("example.org/web")
            .endContainer()
            .endSpec()
            .build();
    client.resource(pod).createOr(NonDeletingOperation::update);
  }

  private void ready(String namespace, int node, boolean ready) {
    client
        .pods()
        .inNamespace(namespace)
        .withName("web-" + node)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            """
            {"status": {"phase": "Running",
             "conditions": [{"type": "Ready", "status": "%s"}],
             "containerStatuses": [{"name": "c", "image": "i", "imageID": "", "ready": %s, "started": true,
              "restartCount": 1, "state": {"running": {"startedAt": "2026-01-01T00:00:00Z"}}}]}}
            """
                .formatted(ready ? "True" : "False", ready));
  }

  private static void status(KubernetesClient as, int node, String condition) {
    as.nodes()
        .withName(node(node))
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            "{\"status\": {\"conditions\": [%s]}}".formatted(condition));
  }

  private AgentUnderTest controller() throws Exception {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM),
        "controller",
        "--name=replica-1",
        "--parts=workload-evidence",
        "--workload-namespaces=" + String.join(",", NAMESPACES),
        "--workload-for=1m",
        "--kubeconfig=" + api.kubeconfigOf(SYSTEM, "probelet-controller"),
        "--listen=127.0.0.1:0");
  }

  private NodeCondition condition(int node) {
    Node found = client.nodes().withName(node(node)).get();
    return found.getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals(CONDITION))
        .findFirst()
        .orElseGet(NodeCondition::new);
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofMinutes(5)).ignoreExceptions().untilAsserted(assertion);
  }

  @Test
  void nodeOnWhichWorkloadsFailGetsTheCondition() throws Exception {
    try (AgentUnderTest controller = controller()) {
      assertThat(controller).isNotNull();
      api.applyRights("examples/workload-evidence/namespaces.yaml");
      eventually(() -> {
        for (int i = 1; i <= NODES; i++) {
          assertThat(condition(i).getStatus()).isEqualTo("False");
        }
      });
      NAMESPACES.forEach(namespace -> ready(namespace, 2, false));
      eventually(() -> assertThat(condition(2).getStatus()).isEqualTo("True"));
      assertThat(condition(2).getReason()).isEqualTo(CONDITION);
      assertThat(condition(2).getMessage())
          .isEqualTo(
              "3 of 3 workloads fail on this node and work on others: DaemonSet ingress-nginx/web,"
                  + " DaemonSet kube-system/web, DaemonSet monitoring/web");
      assertThat(client.nodes().withName(node(2)).get().getStatus().getConditions())
          .anyMatch(condition ->
              condition.getType().equals("Ready") && condition.getReason().equals("KubeletReady"));
      assertThat(condition(1).getStatus()).isEqualTo("False");
      eventually(() ->
          assertThat(client.v1().events().inNamespace("default").list().getItems())
              .extracting(Event::getReason)
              .contains(CONDITION));
      NAMESPACES.forEach(namespace -> ready(namespace, 2, true));
      eventually(() -> assertThat(condition(2).getStatus()).isEqualTo("False"));
    }
  }

  @Test
  void policyDeniesTheControllerTheRestOfANodesStatus() throws Exception {
    api.everyRight(SYSTEM, "probelet-controller");
    Config config = Config.fromKubeconfig(api.kubeconfigOf(SYSTEM, "probelet-controller").toFile());
    try (KubernetesClient controller = new KubernetesClientBuilder().withConfig(config).build()) {
      eventually(() ->
          assertDenied(
              () -> status(controller, 1, "{\"type\": \"Ready\", \"status\": \"False\"}"),
              "may not write these conditions"));
      for (String type : List.of("MemoryPressure", "NetworkUnavailable")) {
        assertDenied(
            () -> status(controller, 1, "{\"type\": \"%s\", \"status\": \"True\"}".formatted(type)),
            "may not write these conditions");
      }
      assertDenied(
          () -> status(controller, 1, "{\"type\": \"Ready\", \"$patch\": \"delete\"}"),
          "may not write these conditions");
      assertDenied(
          () ->
              merge(
                  controller,
                  "{\"status\": {\"addresses\": [{\"type\": \"InternalIP\", \"address\": \"10.0.0.9\"}]}}"),
          "only conditions");
      assertDenied(
          () -> merge(controller, "{\"metadata\": {\"annotations\": {\"a\": \"b\"}}}"),
          "labels and annotations");
      assertDenied(
          () ->
              status(
                  controller,
                  1,
                  "{\"type\": \"%s\", \"status\": \"True\", \"message\": \"%s\"}"
                      .formatted(CONDITION, "m".repeat(1_025))),
          "at most 1024");
      assertThatCode(
              () -> {
                for (String type : List.of(CONDITION, "KernelDeadlock")) {
                  status(
                      controller,
                      1,
                      "{\"type\": \"%s\", \"status\": \"Unknown\", \"message\": \"%s\"}"
                          .formatted(type, "m".repeat(1_024)));
                }
              })
          .doesNotThrowAnyException();
    } finally {
      api.takeEveryRight("probelet-controller");
    }
  }

  private static void merge(KubernetesClient as, String patch) {
    as.nodes()
        .withName(node(1))
        .subresource("status")
        .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
  }

  private static void assertDenied(Runnable write, String why) {
    assertThatThrownBy(write::run)
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining(why);
  }
}
