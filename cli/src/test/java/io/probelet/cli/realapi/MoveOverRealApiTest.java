package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * B1, B2: from agents that lead to the controller, each with the rights of deploy/ and no others.
 */
@Tag("real-api")
@Timeout(300)
class MoveOverRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String AGENT = "probelet-agent";
  private static final String CONTROLLER = "probelet-controller";
  private static final String LEASE = "probelet-remediation";
  private static final String KIND = "ExampleRebootRemediation";
  private static final String SICK = "worker-1";

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.define(
        "deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml",
        "nodehealthchecks.remediation.medik8s.io");
    api.define("deploy/crds/clusterhealths.probelet.io.yaml", "clusterhealths.probelet.io");
    api.apply("examples/remediator/remediator.yaml");
    await()
        .atMost(Duration.ofMinutes(1))
        .ignoreExceptions()
        .untilAsserted(() -> api.apply("examples/remediator/nhc.yaml"));
    for (String node : List.of(SICK, "worker-2", "worker-3")) {
      client
          .resource(new NodeBuilder().withNewMetadata().withName(node).endMetadata().build())
          .createOr(NonDeletingOperation::update);
      ready(node, "True");
    }
  }

  @AfterEach
  void close() {
    if (api != null) {
      api.close();
    }
  }

  @Test
  @DisplayName("B1 loses no lease, remediation or status; B2 the agents' token gains no permission")
  void movesOver() throws Exception {
    api.applyRights("cli/src/test/resources/agents-that-led.yaml");
    api.collected("example-remediator-for-probelet", AGENT);
    try (AgentUnderTest before = leadingAgent()) {
      eventually(() -> leader().startsWith(SICK));
      ready(SICK, "Unknown");
      eventually(() -> remediation().get() != null && phase().equals("Remediating"));
      GenericKubernetesResource remediation = remediation().get();
      Object unhealthy = check().get().get("status", "unhealthyNodes");

      for (String file :
          List.of("daemonset", "controller", "remediation", "cluster-care", "node-monitor")) {
        api.applyRights("deploy/" + file + ".yaml");
      }
      api.collected("example-remediator-for-probelet", CONTROLLER);
      api.collected("probelet-cluster-care-base", CONTROLLER);
      try (AgentUnderTest controller = controller()) {
        eventually(() -> leader().startsWith("replica-1"));
        await()
            .during(Duration.ofSeconds(3))
            .atMost(Duration.ofSeconds(30))
            .until(() ->
                remediation()
                        .get()
                        .getMetadata()
                        .getUid()
                        .equals(remediation.getMetadata().getUid())
                    && phase().equals("Remediating")
                    && unhealthy.equals(check().get().get("status", "unhealthyNodes")));
        cares(controller);

        ready(SICK, "True");
        eventually(() -> remediation().get() == null && phase().equals("Enabled"));
        assertThat(controller.lines())
            .noneMatch(line -> line.contains("needs the rule"))
            .noneMatch(line -> line.contains("forbidden"));
        controller.signal("TERM");
        assertThat(controller.exitCode()).isZero();
        assertThat(leader()).as("given back").isEmpty();
      }
      before.signal("TERM");
      assertThat(before.exitCode()).isZero();
    }
    refusesWhatAgentsCouldDo();
  }

  /** The other parts work too. */
  private void cares(AgentUnderTest controller) throws Exception {
    assertThat(controller.get("/livez")).isEqualTo("ok\n");
    assertThat(controller.get("/readyz")).isEqualTo("ok\n");
    assertThat(controller.get("/readyz?verbose"))
        .contains("[+]remediation ok, webhook not served: neither ca.crt and ca.key nor");
    assertThat(controller.get("/api/v1/remediation")).contains("\"leading\":true");
    assertThat(controller.get("/metrics"))
        .contains("probelet_build_info", "nodehealthcheck_ongoing_remediation");
    client
        .resource(
            new GenericKubernetesResourceBuilder()
                .withApiVersion("probelet.io/v1alpha1")
                .withKind("ClusterHealth")
                .withNewMetadata()
                .withName("cluster")
                .endMetadata()
                .addToAdditionalProperties("spec", Map.of("syncPeriod", "1s"))
                .build())
        .create();
    eventually(() -> status("cluster").contains("APIServerAvailable"));
    assertThat(status("cluster")).doesNotContain("nodes is forbidden", "apps is forbidden");
    eventually(() -> !leader("probelet-node-monitor").isEmpty());
    assertThat(controller.lines()).anyMatch(line -> line.contains("webhook not served: neither"));
  }

  private String status(String name) {
    return String.valueOf(
        client
            .genericKubernetesResources("probelet.io/v1alpha1", "ClusterHealth")
            .withName(name)
            .get()
            .getAdditionalProperties()
            .get("status"));
  }

  private void refusesWhatAgentsCouldDo() throws Exception {
    try (KubernetesClient agents =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(api.kubeconfigOf(SYSTEM, AGENT).toFile()))
            .build()) {
      ApiServer agent = ApiServer.of(agents, Duration.ofSeconds(30));
      String path = "/api/v1/nodes/" + SICK;
      JsonNode taint =
          json("{'spec': {'taints': [{'key': 'probelet.io/x', 'effect': 'NoExecute'}]}}");
      JsonNode note = json("{'metadata': {'annotations': {'probelet.io/node-taints': '[]'}}}");
      assertThat(agent.patch(path, ApiServer.STRATEGIC_PATCH, taint).isForbidden()).isTrue();
      assertThat(agent.patch(path, ApiServer.STRATEGIC_PATCH, note).isForbidden()).isTrue();
      String status = path + "/status";
      assertThat(agent.patch(status, ApiServer.STRATEGIC_PATCH, taint)).isInstanceOf(Done.class);
      assertThat(node().getSpec().getTaints())
          .as("not by way of the status")
          .noneMatch(each -> each.getKey().equals("probelet.io/x"));
      assertThat(agent.patch(status, ApiServer.STRATEGIC_PATCH, note)).isInstanceOf(Done.class);
      assertThat(node().getMetadata().getAnnotations()).containsKey("probelet.io/node-taints");
      for (String closed :
          List.of(
              "/api/v1/nodes",
              "/api/v1/namespaces/probelet-system/secrets/probelet-webhook",
              "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
              "/apis/coordination.k8s.io/v1/namespaces/medik8s-leases/leases",
              "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks")) {
        assertThat(agent.get(closed).isForbidden()).as(closed).isTrue();
      }
    }
  }

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text.replace('\'', '"'));
  }

  private Node node() {
    return client.nodes().withName(SICK).get();
  }

  private AgentUnderTest leadingAgent() throws Exception {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM, "PROBELET_WEBHOOK_LISTEN", "127.0.0.1:0"),
        "agent",
        "--lead",
        "--kubeconfig=" + api.kubeconfigOf(SYSTEM, AGENT),
        "--node-name=" + SICK,
        "--monitor=none",
        "--runtime-endpoint=none",
        "--listen=127.0.0.1:0");
  }

  private AgentUnderTest controller() throws Exception {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM, "PROBELET_WEBHOOK_LISTEN", "127.0.0.1:0"),
        "controller",
        "--name=replica-1",
        "--kubeconfig=" + api.kubeconfigOf(SYSTEM, CONTROLLER),
        "--listen=127.0.0.1:0");
  }

  private static void eventually(Callable<Boolean> condition) {
    await().atMost(Duration.ofMinutes(2)).ignoreExceptions().until(condition);
  }

  private void ready(String node, String status) {
    Instant since = Instant.now().minus(Duration.ofMinutes(5)).truncatedTo(ChronoUnit.SECONDS);
    client
        .nodes()
        .withName(node)
        .editStatus(old ->
            new NodeBuilder(old)
                .editOrNewStatus()
                .removeMatchingFromConditions(one -> one.getType().equals("Ready"))
                .addNewCondition()
                .withType("Ready")
                .withStatus(status)
                .withLastTransitionTime(since.toString())
                .endCondition()
                .endStatus()
                .build());
  }

  private String leader() {
    return leader(LEASE);
  }

  private String leader(String name) {
    Lease lease = client.leases().inNamespace(SYSTEM).withName(name).get();
    String holder = lease == null ? null : lease.getSpec().getHolderIdentity();
    return holder == null ? "" : holder;
  }

  private Resource<GenericKubernetesResource> check() {
    return client
        .genericKubernetesResources("remediation.medik8s.io/v1alpha1", "NodeHealthCheck")
        .withName("example");
  }

  private String phase() {
    return String.valueOf(check().get().<Object>get("status", "phase"));
  }

  private Resource<GenericKubernetesResource> remediation() {
    return client
        .genericKubernetesResources("example.probelet.io/v1", KIND)
        .inNamespace("default")
        .withName(SICK);
  }
}
