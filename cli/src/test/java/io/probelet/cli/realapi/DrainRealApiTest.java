package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.cli.agent.AgentUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Issue 18: whole controllers drain a node of a real API server, with no right but theirs. */
@Tag("real-api")
@Timeout(300)
class DrainRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String FIX = "default";
  private static final String NODE = "drained";
  private static final String MARK = "probelet.io/cordoned-by";

  @TempDir Path directory;
  private final List<AgentUnderTest> started = new ArrayList<>();
  private RealApi api;
  private KubernetesClient client;
  private Path kubeconfig;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    for (String plural : List.of("drainremediations", "nodeorders")) {
      String crd = plural + ".probelet.io";
      api.define("deploy/crds/" + crd + ".yaml", crd);
    }
    api.apply("deploy/00-namespace.yaml");
    api.applyRights("deploy/controller.yaml");
    api.applyRights("deploy/remediators/controller.yaml");
    api.applyRights("deploy/remediators/drain.yaml");
    kubeconfig = api.kubeconfigOf(SYSTEM, "probelet-controller");
    client
        .resource(new NodeBuilder().withNewMetadata().withName(NODE).endMetadata().build())
        .createOr(NonDeletingOperation::update);
    client
        .nodes()
        .withName(NODE)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"nodeInfo\": {\"bootID\": \"boot-1\"}}}");
  }

  @AfterEach
  void close() throws Exception {
    for (AgentUnderTest one : started.reversed()) {
      one.close();
    }
    if (client != null) {
      client.pods().inNamespace(FIX).withGracePeriod(0).delete();
      client.apps().daemonSets().inNamespace(FIX).withName("agents").delete();
      client.policy().v1().podDisruptionBudget().inNamespace(FIX).delete();
      client.nodes().withName(NODE).delete();
      client.leases().inNamespace(SYSTEM).withName("probelet-remediators").delete();
      api.close();
    }
  }

  @Test
  @DisplayName(
      "ACT-9, ACT-15, ACT-6: a budget blocks, the leader is killed, the next goes on, the budget"
          + " allows, the node is drained, and takes pods again at the end")
  void drain() throws Exception {
    pod("web", null);
    pod("daemon", daemonSet());
    Budgets.put(api, client, FIX, 0);
    AgentUnderTest first = controller("replica-1");
    client.resource(remediation("{timeout: 10m}")).create();
    agentRefuses();
    eventually(() -> assertThat(status("phase")).isEqualTo("Draining"));
    eventually(() ->
        assertThat(status("message"))
            .startsWith(
                "1 pod is left: default/web (Cannot evict pod as it would violate the pod's")
            .contains("budget"));
    assertThat(status("evidence")).contains("no evidence: the agent failed: orders are off");
    Node cordoned = client.nodes().withName(NODE).get();
    assertThat(cordoned.getSpec().getUnschedulable()).isTrue();
    String uid = now().getMetadata().getUid();
    assertThat(cordoned.getMetadata().getAnnotations()).containsEntry(MARK, uid);

    first.signal("KILL");
    AgentUnderTest second = controller("replica-2");
    Budgets.put(api, client, FIX, 1);
    eventually(() ->
        assertThat(client.pods().inNamespace(FIX).withName("web").get())
            .satisfiesAnyOf(
                pod -> assertThat(pod).isNull(),
                pod -> assertThat(pod.getMetadata().getDeletionTimestamp()).isNotNull()));
    client.pods().inNamespace(FIX).withName("web").withGracePeriod(0).delete(); // as the kubelet
    eventually(() -> assertThat(status("phase")).isEqualTo("Done"));
    assertThat(client.pods().inNamespace(FIX).withName("daemon").get()).isNotNull();
    assertThat(second.get("/api/v1/remediators")).contains("\"phase\":\"Done\"");
    assertThat(second.get("/metrics"))
        .contains("probelet_remediator_remediations{kind=\"DrainRemediation\",phase=\"Done\"} 1");
    eventually(() ->
        assertThat(client.v1().events().inNamespace(FIX).list().getItems())
            .anyMatch(event ->
                event.getReason().equals("Drained")
                    && event.getInvolvedObject().getKind().equals("DrainRemediation"))
            .anyMatch(event ->
                event.getReason().equals("Drained")
                    && event.getInvolvedObject().getKind().equals("Node")));

    client.resource(now()).delete();
    eventually(() -> assertThat(now()).isNull());
    Node free = client.nodes().withName(NODE).get();
    assertThat(free.getSpec().getUnschedulable()).isNull();
    assertThat(Objects.requireNonNullElse(free.getMetadata().getAnnotations(), Map.of()))
        .doesNotContainKey(MARK);
  }

  @Test
  @DisplayName("ACT-12: a pod that names a DaemonSet that does not exist is evicted")
  void missingDaemonSet() throws Exception {
    pod("daemon", daemonSet());
    pod("orphan", "00000000-0000-0000-0000-000000000001");
    controller("replica-1");
    client.resource(remediation("{timeout: 10m}")).create();
    agentRefuses();
    eventually(() ->
        assertThat(client.pods().inNamespace(FIX).withName("orphan").get())
            .satisfiesAnyOf(
                pod -> assertThat(pod).isNull(),
                pod -> assertThat(pod.getMetadata().getDeletionTimestamp()).isNotNull()));
    client.pods().inNamespace(FIX).withName("orphan").withGracePeriod(0).delete();
    eventually(() -> assertThat(status("phase")).isEqualTo("Done"));
    assertStays("daemon");
    client.resource(now()).delete();
    eventually(() -> assertThat(now()).isNull());
  }

  private void assertStays(String name) {
    Pod pod = client.pods().inNamespace(FIX).withName(name).get();
    assertThat(pod.getMetadata().getDeletionTimestamp()).as(name).isNull();
  }

  @Test
  @DisplayName("ACT-21: a spec that keeps unmanaged pods has the drain fail, and no pod is evicted")
  void keepsUnmanaged() throws Exception {
    pod("alone", null);
    controller("replica-1");
    client.resource(remediation("{evictUnmanagedPods: false, force: true}")).create();
    agentRefuses();
    eventually(() -> assertThat(status("phase")).isEqualTo("Failed"));
    assertThat(status("message"))
        .isEqualTo(
            "no pods evicted: the spec protects 1: default/alone (no controller recreates it)");
    assertStays("alone");
    client.resource(now()).delete();
    eventually(() -> assertThat(now()).isNull());
  }

  @Test
  @DisplayName("A kind that is not defined, or whose rights are missing, is named in readyz")
  void kindMissing() throws Exception {
    AgentUnderTest controller = start("replica-1", "drain,machine");
    eventually(() -> assertThat(controller.get("/readyz?verbose")).contains("machineremediations"));
    client.resource(remediation("{timeout: 1m}")).create();
    agentRefuses();
    eventually(() -> assertThat(status("phase")).isEqualTo("Done"));
    client.resource(now()).delete();
    eventually(() -> assertThat(now()).isNull());
  }

  private AgentUnderTest controller(String name) throws IOException {
    return start(name, "drain");
  }

  private AgentUnderTest start(String name, String kinds) throws IOException {
    AgentUnderTest controller =
        AgentUnderTest.start(
            Map.of("POD_NAMESPACE", SYSTEM, "PROBELET_REMEDIATORS", kinds),
            "controller",
            "--kubeconfig=" + kubeconfig,
            "--parts=remediators",
            "--name=" + name,
            "--listen=127.0.0.1:0");
    started.add(controller);
    return controller;
  }

  /** The node's agent says that it takes no orders, or 45 s would pass. */
  private void agentRefuses() {
    Resource<GenericKubernetesResource> order =
        client
            .genericKubernetesResources("probelet.io/v1alpha1", "NodeOrder")
            .inNamespace(SYSTEM)
            .withName(NODE);
    eventually(() -> assertThat(order.get()).isNotNull());
    order
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"phase\": \"Failed\", \"message\": \"orders are off\"}}");
  }

  private GenericKubernetesResource now() {
    return client
        .genericKubernetesResources("probelet.io/v1alpha1", "DrainRemediation")
        .inNamespace(FIX)
        .withName(NODE)
        .get();
  }

  private String status(String field) {
    return Objects.toString(now().get("status", field));
  }

  private static GenericKubernetesResource remediation(String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: probelet.io/v1alpha1
        kind: DrainRemediation
        metadata: {name: %s, namespace: %s}
        spec: %s
        """
            .formatted(NODE, FIX, spec),
        GenericKubernetesResource.class);
  }

  /** Nothing runs it here, as no controller manager is there. */
  private String daemonSet() {
    return client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: agents, namespace: %s}
                spec:
                  selector: {matchLabels: {app: agents}}
                  template:
                    metadata: {labels: {app: agents}}
                    spec: {containers: [{name: agent, image: "agent:1"}]}
                """
                    .formatted(FIX),
                DaemonSet.class))
        .createOr(NonDeletingOperation::update)
        .getMetadata()
        .getUid();
  }

  private void pod(String name, @Nullable String daemonSetUid) {
    PodBuilder pod =
        new PodBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(FIX)
            .addToLabels("app", "shop")
            .endMetadata()
            .withNewSpec()
            .withNodeName(NODE)
            .addNewContainer()
            .withName("web")
            .withImage("web:1")
            .endContainer()
            .endSpec();
    if (daemonSetUid != null) {
      pod.editMetadata()
          .addNewOwnerReference()
          .withApiVersion("apps/v1")
          .withKind("DaemonSet")
          .withName("agents")
          .withUid(daemonSetUid)
          .withController(true)
          .endOwnerReference()
          .endMetadata();
    }
    Pod created = client.resource(pod.build()).create();
    client
        .resource(created)
        .editStatus(now ->
            new PodBuilder(now)
                .editOrNewStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build());
  }

  private static void eventually(ThrowingRunnable condition) {
    await()
        .atMost(Duration.ofSeconds(90))
        .ignoreException(NullPointerException.class)
        .untilAsserted(condition);
  }
}
