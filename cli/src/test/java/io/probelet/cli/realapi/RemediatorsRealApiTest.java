package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Taint;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.remediator.resource.RemediationKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The controller with the rights of deploy/remediators and no others carries out remediations. */
@Tag("real-api")
@Timeout(300)
class RemediatorsRealApiTest {
  private static final String SYSTEM = "probelet-system";
  private static final String FENCING = "probelet-fencing-test";
  private static final String UNBOUND = "probelet-unbound-test";

  /** One each, as each waits for evidence, which nobody gives here. */
  private static final List<String> NODES = List.of("node-off", "node-a", "node-b", "node-drain");

  private static final String BOOT = "11111111-2222-3333-4444-555555555555";

  @TempDir Path directory;
  private RealApi api;
  private KubernetesClient client;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    client = api.client();
    api.assumeSince(RealApi.RULES);
    for (RemediationKind kind : RemediationKind.values()) {
      define(kind.plural());
    }
    define("nodeorders");
    define("remediationpolicies");
    for (String file : List.of("controller", "remediators/controller")) {
      api.applyRights("deploy/00-namespace.yaml");
      api.applyRights("deploy/" + file + ".yaml");
    }
    for (RemediationKind kind : RemediationKind.values()) {
      api.applyRights("deploy/remediators/" + kind.label() + ".yaml");
    }
    for (String namespace : List.of(FENCING, UNBOUND)) {
      client
          .resource(
              new NamespaceBuilder().withNewMetadata().withName(namespace).endMetadata().build())
          .createOr(NonDeletingOperation::update);
    }
    NODES.forEach(this::node);
  }

  private void node(String name) {
    client
        .resource(new NodeBuilder().withNewMetadata().withName(name).endMetadata().build())
        .createOr(NonDeletingOperation::update);
    client
        .nodes()
        .withName(name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.STRATEGIC_MERGE),
            """
            {"status": {"nodeInfo": {"bootID": "%s", "architecture": "", "containerRuntimeVersion":
              "", "kernelVersion": "", "kubeProxyVersion": "", "kubeletVersion": "", "machineID": "",
              "operatingSystem": "", "osImage": "", "systemUUID": ""},
              "conditions": [{"type": "Ready", "status": "Unknown"}]}}
            """
                .formatted(BOOT));
  }

  private void define(String plural) throws Exception {
    String name = plural + "." + RemediationKind.GROUP;
    api.define("deploy/crds/" + name + ".yaml", name);
  }

  @AfterEach
  void close() {
    if (client != null) {
      NODES.forEach(name -> client.nodes().withName(name).delete());
      client.namespaces().withName(FENCING).delete();
      client.namespaces().withName(UNBOUND).delete();
      api.close();
    }
  }

  private AgentUnderTest controller() throws Exception {
    return AgentUnderTest.start(
        Map.of("POD_NAMESPACE", SYSTEM, "PROBELET_WEBHOOK_LISTEN", "127.0.0.1:0"),
        "controller",
        "--name=replica-1",
        "--parts=remediators",
        "--remediators=drain,out-of-service,hook",
        "--kubeconfig=" + api.kubeconfigOf(SYSTEM, "probelet-controller"),
        "--listen=127.0.0.1:0");
  }

  private GenericKubernetesResource order(
      RemediationKind kind, String node, String namespace, String spec) {
    return client
        .resource(
            Serialization.unmarshal(
                """
                apiVersion: probelet.io/v1alpha1
                kind: %s
                metadata: {name: %s, namespace: %s}
                spec: %s
                """
                    .formatted(kind.kind(), node, namespace, spec),
                GenericKubernetesResource.class))
        .create();
  }

  private String status(GenericKubernetesResource remediation, String field) {
    return String.valueOf(client.resource(remediation).get().<Object>get("status", field));
  }

  private static void eventually(ThrowingRunnable assertion) {
    await().atMost(Duration.ofMinutes(2)).ignoreExceptions().untilAsserted(assertion);
  }

  @Test
  @DisplayName(
      "ACT-57, ACT-58, ACT-60: works with these permissions, and creates no Job without the role")
  void rights() throws Exception {
    String job =
        "{job: {template: {spec: {template: {spec: {restartPolicy: Never,"
            + " containers: [{name: a, image: busybox}]}}}}}}";
    bindJobs();
    GenericKubernetesResource off =
        order(
            RemediationKind.OUT_OF_SERVICE,
            "node-off",
            FENCING,
            "{confirmation: {annotation: {}}}");
    GenericKubernetesResource bound = order(RemediationKind.HOOK, "node-a", FENCING, job);
    GenericKubernetesResource unbound = order(RemediationKind.HOOK, "node-b", UNBOUND, job);
    GenericKubernetesResource drain = order(RemediationKind.DRAIN, "node-drain", FENCING, "{}");
    try (AgentUnderTest controller = controller()) {
      eventually(
          () -> assertThat(status(off, "message")).endsWith("probelet.io/power-off=" + BOOT));
      client
          .nodes()
          .withName("node-off")
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"metadata\": {\"annotations\": {\"probelet.io/power-off\": \"" + BOOT + "\"}}}");
      eventually(() -> assertThat(status(off, "phase")).isEqualTo("Done"));
      assertThat(taints()).contains("node.kubernetes.io/out-of-service");

      eventually(() -> assertThat(status(bound, "message")).isEqualTo("the Job is running"));
      assertThat(
              client
                  .batch()
                  .v1()
                  .jobs()
                  .inNamespace(FENCING)
                  .withName("probelet-hook-" + bound.getMetadata().getUid())
                  .get()
                  .getMetadata()
                  .getOwnerReferences())
          .hasSize(1);
      eventually(() -> assertThat(status(unbound, "phase")).isEqualTo("Failed"));
      assertThat(status(unbound, "message")).contains("cannot create resource \"jobs\"");
      eventually(() -> assertThat(status(drain, "phase")).isEqualTo("Done"));
      assertThat(client.nodes().withName("node-drain").get().getSpec().getUnschedulable()).isTrue();

      for (GenericKubernetesResource each : List.of(off, bound, unbound, drain)) {
        client.resource(each).delete();
        eventually(() -> assertThat(client.resource(each).get()).isNull());
      }
      assertThat(taints()).doesNotContain("node.kubernetes.io/out-of-service");
      assertThat(controller).isNotNull();
    }
  }

  private void bindJobs() {
    client
        .resource(
            """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: probelet-hook-jobs, namespace: %s}
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: ClusterRole
              name: probelet-remediator-jobs
            subjects: [{kind: ServiceAccount, name: probelet-controller, namespace: %s}]
            """
                .formatted(FENCING, SYSTEM))
        .create();
  }

  private List<String> taints() {
    return client.nodes().withName("node-off").get().getSpec().getTaints().stream()
        .map(Taint::getKey)
        .toList();
  }
}
