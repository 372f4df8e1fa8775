package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.cli.agent.AgentUnderTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Node admission with the rights of deploy/node-readiness and no others. */
@Tag("real-api")
@Timeout(600)
class NodeReadinessRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final int NODES = 1_000;
  private static final int WRITERS = 8;
  private static final String LABEL = "probelet-test/joins";
  private static final String TAINT = "readiness.k8s.io/probelet-test";
  private static final ResourceDefinitionContext RULES =
      new ResourceDefinitionContext.Builder()
          .withGroup("readiness.node.x-k8s.io")
          .withVersion("v1alpha1")
          .withKind("NodeReadinessRule")
          .withPlural("nodereadinessrules")
          .withNamespaced(false)
          .build();

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.define(
        "cli/src/test/resources/readiness/nodereadinessrules.yaml",
        "nodereadinessrules.readiness.node.x-k8s.io");
    for (String file : List.of("00-namespace", "controller", "node-readiness/access")) {
      api.applyRights("deploy/" + file + ".yaml");
    }
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.nodes().withLabel(LABEL).delete();
      client.genericKubernetesResources(RULES).withName("probelet-test").delete();
      api.close();
    }
  }

  private AgentUnderTest controller() throws Exception {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM),
        "controller",
        "--name=replica-1",
        "--parts=node-readiness",
        "--kubeconfig=" + api.kubeconfigOf(SYSTEM, "probelet-controller"),
        "--listen=127.0.0.1:0");
  }

  private GenericKubernetesResource rule() {
    return client.genericKubernetesResources(RULES).withName("probelet-test").get();
  }

  @Test
  void thousandNodesJoinAtOnceAndEachIsReleased() throws Exception {
    client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: readiness.node.x-k8s.io/v1alpha1
                kind: NodeReadinessRule
                metadata: {name: probelet-test}
                spec:
                  conditions:
                  - {type: TestNetwork, requiredStatus: "True"}
                  - {type: TestDisk, requiredStatus: "False"}
                  enforcementMode: bootstrap-only
                  taint: {key: %s, value: pending, effect: NoSchedule}
                  nodeSelector: {matchLabels: {"%s": ""}}
                """
                    .formatted(TAINT, LABEL),
                GenericKubernetesResource.class))
        .create();
    long start = System.nanoTime();
    try (AgentUnderTest controller = controller();
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> joins = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        String name = "probelet-test-" + i;
        boolean tainted = i % 3 != 0;
        joins.add(writers.submit(() -> join(name, tainted)));
      }
      for (Future<?> join : joins) {
        join.get();
      }
      eventually(() ->
          assertThat(nodes())
              .hasSize(NODES)
              .allSatisfy(node -> {
                assertThat(taints(node)).contains("example.org/initializing").doesNotContain(TAINT);
                assertThat(node.getMetadata().getAnnotations())
                    .containsKey(
                        "readiness.k8s.io/bootstrap-completed-" + rule().getMetadata().getUid());
              }));
      eventually(() -> assertThat(rule().<List<?>>get("status", "appliedNodes")).hasSize(NODES));
      System.out.printf(
          "%d nodes were admitted in %d ms%n", NODES, (System.nanoTime() - start) / 1_000_000);
      client.genericKubernetesResources(RULES).withName("probelet-test").delete();
      eventually(() -> assertThat(rule()).isNull());
      assertThat(controller).isNotNull();
    }
  }

  /** A kubelet, two reporters and another controller, one after another and without waiting. */
  private void join(String name, boolean tainted) {
    NodeBuilder node =
        new NodeBuilder().withNewMetadata().withName(name).addToLabels(LABEL, "").endMetadata();
    client
        .resource(
            tainted
                ? node.withNewSpec()
                    .addNewTaint("NoSchedule", TAINT, null, "pending")
                    .endSpec()
                    .build()
                : node.build())
        .create();
    condition(name, "TestNetwork", "Unknown");
    taint(name);
    condition(name, "TestDisk", "False");
    if (tainted) {
      assertThat(taints(client.nodes().withName(name).get())).contains(TAINT);
    }
    condition(name, "TestNetwork", "True");
  }

  /** Adds a taint as well-behaved controllers do: with the version that was read, until it fits. */
  private void taint(String name) {
    boolean written = false;
    while (!written) {
      Node changed =
          new NodeBuilder(client.nodes().withName(name).get())
              .editSpec()
              .addNewTaint("PreferNoSchedule", "example.org/initializing", null, null)
              .endSpec()
              .build();
      try {
        client.resource(changed).update();
        written = true;
      } catch (KubernetesClientException conflict) {
        assertThat(conflict.getCode()).isEqualTo(409);
      }
    }
  }

  private void condition(String node, String type, String status) {
    client
        .nodes()
        .withName(node)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            "{\"status\": {\"conditions\": [{\"type\": \"%s\", \"status\": \"%s\"}]}}"
                .formatted(type, status));
  }

  private List<Node> nodes() {
    return client.nodes().withLabel(LABEL).list().getItems();
  }

  private static List<String> taints(Node node) {
    return node.getSpec().getTaints().stream().map(Taint::getKey).toList();
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofMinutes(3)).ignoreExceptions().untilAsserted(assertion);
  }
}
