package io.probelet.nodehealth.readiness.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.JsonChanges;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Issue 382 of the original: nodes join while their reporters start, and other controllers write to
 * them. There, two writers of the controller left a taint on a node for good.
 */
class ManyNodesJoinTest {
  private static final int NODES = 1_000;
  private static final int WRITERS = 8;
  private static final String TAINT = "readiness.k8s.io/network";
  private static final String OTHERS = "example.org/initializing";

  private final FakeApiServer server;
  private final KubernetesClient client;
  private final ApiServer api;
  private final LongAdder conflicts = new LongAdder();

  /** Nodes by how often their taint was removed. */
  private final ConcurrentHashMap<String, LongAdder> bootstraps = new ConcurrentHashMap<>();

  private final LongAdder removed = new LongAdder();

  ManyNodesJoinTest() throws IOException {
    server = new FakeApiServer();
    client = server.client();
    api = ApiServer.of(client, Duration.ofSeconds(30));
  }

  @Test
  @Timeout(300)
  void everyNodeIsReleasedOnceItsConditionsAreTrue()
      throws InterruptedException, ExecutionException {
    rule();
    ReadinessListener listener =
        new ReadinessListener() {
          @Override
          public void tainted(String rule, boolean added) {
            if (!added) {
              removed.increment();
            }
          }

          @Override
          public void bootstrapped(String rule) {
            bootstraps.computeIfAbsent(rule, _ -> new LongAdder()).increment();
          }
        };
    long start = System.nanoTime();
    try (NodeReadinessController controller =
            NodeReadinessController.start(
                api, "me", SystemClock.INSTANCE, new Random(7), listener, () -> true);
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> joins = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        String name = "node-" + i;
        boolean tainted = i % 3 != 0; // the kubelet of every third registers without the taint
        joins.add(writers.submit(() -> join(name, tainted)));
      }
      for (Future<?> join : joins) {
        join.get();
      }
      await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() -> assertThat(stillTainted()).isEmpty());
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() ->
              assertThat(server.get(ReadinessRun.RULES + "/network").at("/status/appliedNodes"))
                  .hasSize(NODES));
      assertThat(controller.report().get().problems()).isEmpty();
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    String uid = server.get(ReadinessRun.RULES + "/network").at("/metadata/uid").asText();
    for (int i = 0; i < NODES; i++) {
      JsonNode node = server.get("/api/v1/nodes/node-" + i);
      assertThat(node.path("metadata").path("annotations").has(ReadinessRun.COMPLETED + uid))
          .as("node-%d is completed", i)
          .isTrue();
      assertThat(node.at("/spec/taints").findValuesAsText("key"))
          .as("taints of other writers on node-%d", i)
          .containsExactly(OTHERS + "-0", OTHERS + "-1", OTHERS + "-2");
    }
    assertThat(bootstraps.get("network").sum()).as("each node is released once").isEqualTo(NODES);
    long patches =
        server.requests().stream()
            .filter(request -> request.method().equals("PATCH"))
            .filter(request ->
                request.body().contains("bootstrap-completed")
                    || request.body().contains("readiness-taints"))
            .count();
    long statuses = server.writes("/network/status").size();
    System.out.printf(
        "%d nodes in %d ms: %d writes to nodes by the controller, %d of the status, %d taints"
            + " removed, %d conflicts of others%n",
        NODES, millis, patches, statuses, removed.sum(), conflicts.sum());
    assertThat(patches).as("writes and retries").isLessThan(6L * NODES);
  }

  private void rule() {
    server.put(
        """
        apiVersion: readiness.node.x-k8s.io/v1alpha1
        kind: NodeReadinessRule
        metadata: {name: network, generation: 1}
        spec:
          enforcementMode: bootstrap-only
          conditions:
          - {type: CNIReady, requiredStatus: "True"}
          - {type: ReadonlyFilesystem, requiredStatus: "False"}
          taint: {key: readiness.k8s.io/network, effect: NoSchedule}
          nodeSelector: {matchLabels: {role: worker}}
        """);
  }

  /** A kubelet, two reporters and another controller, one after another and without waiting. */
  private void join(String name, boolean tainted) {
    server.put(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s, labels: {role: worker}, annotations: {a: b}}
        spec: {taints: [%s]}
        status: {conditions: [{type: Ready, status: "False"}]}
        """
            .formatted(name, tainted ? "{key: %s, effect: NoSchedule}".formatted(TAINT) : ""));
    condition(name, "CNIReady", "Unknown");
    taint(name, 0);
    condition(name, "CNIReady", "False");
    condition(name, "ReadonlyFilesystem", "False");
    taint(name, 1);
    condition(name, "Ready", "True");
    if (tainted) {
      assertThat(server.get("/api/v1/nodes/" + name).toString())
          .as("not released before its conditions are true")
          .contains("\"" + TAINT + "\"");
    }
    condition(name, "CNIReady", "True");
    taint(name, 2);
  }

  private void condition(String node, String type, String status) {
    server.patch(
        "/api/v1/nodes/" + node,
        "status: {conditions: [{type: %s, status: \"%s\"}]}".formatted(type, status));
  }

  /** Adds a taint as well-behaved controllers do: with the version that was read, until it fits. */
  private void taint(String node, int number) {
    String path = "/api/v1/nodes/" + node;
    ApiResult answer;
    do {
      JsonNode before = server.get(path);
      ArrayNode taints = (ArrayNode) before.at("/spec/taints");
      taints.addObject().put("key", OTHERS + "-" + number).put("effect", "PreferNoSchedule");
      answer =
          api.patch(
              path,
              ApiServer.JSON_PATCH,
              new JsonChanges()
                  .version(before.at("/metadata/resourceVersion").asText())
                  .add("/spec/taints", taints)
                  .patch());
      if (answer.isConflict()) {
        conflicts.increment();
      }
    } while (answer.isConflict());
    assertThat(answer).isInstanceOf(ApiResult.Done.class);
  }

  private List<String> stillTainted() {
    return server.list("/api/v1/nodes").stream()
        .filter(node -> node.at("/spec/taints").findValuesAsText("key").contains(TAINT))
        .map(node -> node.at("/metadata/name").asText())
        .toList();
  }
}
