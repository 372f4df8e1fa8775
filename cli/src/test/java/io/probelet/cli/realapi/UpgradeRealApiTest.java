package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.Release;
import com.marcnuri.helm.UpgradeCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's upgrade from 0.1.0, by kubectl and by Helm: nothing that Probelet has written is lost,
 * and nothing is refused for being immutable.
 */
@Tag("real-api")
@Timeout(300)
class UpgradeRealApiTest {
  /** The last of 0.1.0 whose deploy/ and chart know no namespace but probelet-system. */
  private static final String OLD = "fb8018fe4c51c23492b81a6c068a69bde0483710";

  private static final Path CHART = Path.of("..", "deploy", "helm", "probelet");
  private static final String SYSTEM = "probelet-system";

  /**
   * What is written by who runs: conditions, leases, resources with their status, the authority.
   */
  private static final List<String> WRITTEN =
      List.of(
          "node/worker-1",
          "nodehealthcheck/example",
          "clusterhealth/cluster",
          "-n=probelet-system lease/probelet-remediation",
          "-n=probelet-system lease/worker-1",
          "-n=medik8s-leases lease/node-worker-1");

  private static final List<String> KEPT =
      List.of(
          "namespace/probelet-system",
          "namespace/medik8s-leases",
          "crd/nodehealthchecks.remediation.medik8s.io",
          "crd/clusterhealths.probelet.io",
          "-n=probelet-system daemonset/probelet-agent",
          "-n=probelet-system deployment/probelet-controller",
          "-n=probelet-system serviceaccount/probelet-agent",
          "-n=probelet-system service/probelet-webhook");

  @TempDir Path directory;
  private RealApi api;
  private Kubectl kubectl;
  private Path old;

  @BeforeEach
  void open() throws Exception {
    api = RealApi.open(directory);
    kubectl = new Kubectl(api.kubeconfig());
    old = Kubectl.deployAt(OLD, directory);
    kubectl.run("apply", "-f", old.resolve("crds").toString());
    kubectl.run("wait", "crd", "--all", "--for=condition=Established");
  }

  @AfterEach
  void close() {
    if (api != null) {
      api.close();
    }
  }

  /** As a running Probelet leaves it. */
  private void write() throws Exception {
    Path state =
        Files.writeString(
            directory.resolve("state.yaml"),
            """
            apiVersion: v1
            kind: Node
            metadata: {name: worker-1, annotations: {probelet.io/node-conditions: KernelDeadlock}}
            ---
            apiVersion: remediation.medik8s.io/v1alpha1
            kind: NodeHealthCheck
            metadata: {name: example}
            spec:
              selector: {matchLabels: {role: worker}}
              minHealthy: 51%
              unhealthyConditions: [{type: Ready, status: "False", duration: 5m}]
              remediationTemplate:
                {apiVersion: example.io/v1, kind: RebootTemplate, name: reboot, namespace: default}
            ---
            apiVersion: probelet.io/v1alpha1
            kind: ClusterHealth
            metadata: {name: cluster}
            spec: {syncPeriod: 30s}
            ---
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: probelet-remediation, namespace: probelet-system}
            spec: {holderIdentity: probelet-controller-0, leaseTransitions: 3}
            ---
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: worker-1, namespace: probelet-system}
            spec: {holderIdentity: worker-1, leaseDurationSeconds: 60}
            ---
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: node-worker-1, namespace: medik8s-leases}
            spec: {holderIdentity: reboot}
            """);
    kubectl.run("create", "-f", state.toString());
    status("node/worker-1", "{conditions: [{type: KernelDeadlock, status: 'False', reason: x}]}");
    status("nodehealthcheck/example", "{phase: Enabled, observedNodes: 3, healthyNodes: 3}");
    status("clusterhealth/cluster", "{conditions: []}");
  }

  private void status(String object, String status) throws Exception {
    kubectl.run("patch", object, "--subresource=status", "--type=merge", "-p", "status: " + status);
  }

  private Map<String, JsonNode> read(List<String> objects, String... fields) throws Exception {
    Map<String, JsonNode> found = new LinkedHashMap<>();
    for (String object : objects) {
      String[] arguments =
          Stream.of(Stream.of("get", "-o=json"), Stream.of(object.split(" ", -1)))
              .flatMap(each -> each)
              .toArray(String[]::new);
      JsonNode read = new ObjectMapper().readTree(kubectl.run(arguments));
      for (String field : fields) {
        assertThat(read.at(field).isMissingNode()).as("%s of %s", field, object).isFalse();
        found.put(object + field, read.at(field));
      }
    }
    return found;
  }

  /** Nobody has written to it meanwhile, or made it anew. */
  private Map<String, JsonNode> written() throws Exception {
    return read(WRITTEN, "/metadata/uid", "/metadata/resourceVersion");
  }

  private Map<String, JsonNode> kept() throws Exception {
    return read(KEPT, "/metadata/uid");
  }

  @Test
  @DisplayName(
      "upgrades 0.1.0 by kubectl apply of deploy/, by base and overlays, then by the chart")
  void kubectl() throws Exception {
    kubectl.run("apply", "-f", old.toString());
    write();
    Map<String, JsonNode> written = written();
    Map<String, JsonNode> kept = kept();

    kubectl.run("apply", "-f", "deploy/crds/", "-f", "deploy/");
    assertThat(written()).isEqualTo(written);
    assertThat(kept()).isEqualTo(kept);
    assertThat(kubectl.run("get", "-n", SYSTEM, "daemonset/probelet-agent", "-o=yaml"))
        .contains("kubernetes.io/os: linux");

    kubectl.run("apply", "-k", "deploy");
    assertThat(written()).isEqualTo(written);
    assertThat(kept()).isEqualTo(kept);
    operator("PodMonitor", "podmonitors");
    operator("PrometheusRule", "prometheusrules");
    kubectl.run("wait", "crd", "--all", "--for=condition=Established");
    try (Stream<Path> overlays = Files.list(Path.of("..", "kustomize"))) {
      for (Path overlay : overlays.sorted().toList()) {
        String folder = "kustomize/" + overlay.getFileName();
        kubectl.run("apply", "--dry-run=server", "-k", folder);
      }
    }

    kubectl.run(
        "annotate",
        "-f=deploy/",
        "--overwrite",
        "meta.helm.sh/release-name=probelet",
        "meta.helm.sh/release-namespace=" + SYSTEM);
    kubectl.run("label", "-f=deploy/", "--overwrite", "app.kubernetes.io/managed-by=Helm");
    assertThat(install("probelet", SYSTEM).getStatus()).isEqualTo("deployed");
    assertThat(written()).isEqualTo(written);
    assertThat(kept()).isEqualTo(kept);
  }

  /** Defines a kind of prometheus-operator's, of which anything is taken. */
  private void operator(String kind, String plural) throws Exception {
    String definition =
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: %2$s.monitoring.coreos.com}
        spec:
          group: monitoring.coreos.com
          scope: Namespaced
          names: {kind: %1$s, plural: %2$s}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
        """
            .formatted(kind, plural);
    Path file = Files.writeString(directory.resolve(plural + ".yaml"), definition);
    kubectl.run("create", "-f", file.toString());
  }

  @Test
  @DisplayName("upgrades a release of chart 0.1.0 whose namespace is not the release's")
  void helm() throws Exception {
    Release before =
        new Helm(old.resolve("helm/probelet"))
            .install()
            .withName("probelet")
            .withNamespace("default")
            .withKubeConfig(api.kubeconfig())
            .set("webhook", false) // nobody would answer it
            .call();
    assertThat(before.getStatus()).isEqualTo("deployed");
    write();
    Map<String, JsonNode> written = written();
    Map<String, JsonNode> kept = kept();

    assertThatThrownBy(() -> upgrade(Map.of("webhook", true)))
        .hasMessageContaining("set namespace=probelet-system");
    assertThat(kept()).isEqualTo(kept);

    assertThatThrownBy(() -> upgrade().reuseValues().call())
        .hasMessageContaining("--reset-then-reuse-values");
    assertThat(kept()).isEqualTo(kept);

    Map<String, Object> values = Map.of("webhook", true, "namespace", SYSTEM);
    assertThat(upgrade(values).getStatus()).isEqualTo("deployed");
    assertThat(written()).isEqualTo(written);
    assertThat(kept()).isEqualTo(kept);
    String authority = authority();

    assertThat(upgrade(values).getStatus()).isEqualTo("deployed");
    assertThat(authority()).as("the webhook's authority stays").isEqualTo(authority).isNotEmpty();
    assertThat(trusted()).isEqualTo(authority);
    assertThat(written()).isEqualTo(written);

    operator("PodMonitor", "podmonitors");
    operator("PrometheusRule", "prometheusrules");
    kubectl.run("wait", "crd", "--all", "--for=condition=Established");
    Release second = install("probelet", "team-b");
    assertThat(second.getStatus()).isEqualTo("deployed");
    assertThat(second.getOutput())
        .contains("kubectl label namespace team-b pod-security.kubernetes.io/enforce=privileged");
    assertThatThrownBy(() -> install("other", "team-b"))
        .hasMessageContaining("probelet-webhook")
        .hasMessageContaining("cannot be imported");
    Helm.uninstall("probelet").withNamespace("default").withKubeConfig(api.kubeconfig()).call();
    assertThat(ending("medik8s-leases")).as("which others use, too").isEmpty();
    assertThat(ending(SYSTEM)).as("which the release has made").isNotEmpty();
  }

  private String ending(String namespace) throws IOException, InterruptedException {
    return kubectl.run("get", "namespace", namespace, "-o=jsonpath={.metadata.deletionTimestamp}");
  }

  /** With all that there is: the server knows each field, or refuses it. */
  private Release install(String name, String namespace) {
    InstallCommand command = new Helm(CHART).install();
    for (String value :
        List.of(
            "strictEvents",
            "nodeMonitor",
            "webhookConstraints",
            "webhookRemediation",
            "networkPolicy.enabled",
            "monitoring.enabled",
            "monitoring.dashboards")) {
      command.set(value, true);
    }
    return command
        .withName(name)
        .withNamespace(namespace)
        .createNamespace()
        .withKubeConfig(api.kubeconfig())
        .set("leaseNamespace.create", false)
        .call();
  }

  private Release upgrade(Map<String, Object> values) {
    UpgradeCommand command = upgrade();
    values.forEach(command::set);
    return command.call();
  }

  private UpgradeCommand upgrade() {
    return new Helm(CHART)
        .upgrade()
        .withName("probelet")
        .withNamespace("default")
        .withKubeConfig(api.kubeconfig());
  }

  private String authority() throws IOException, InterruptedException {
    return kubectl.run(
        "get", "-n", SYSTEM, "secret/probelet-webhook-ca", "-o=jsonpath={.data.ca\\.crt}");
  }

  private String trusted() throws IOException, InterruptedException {
    return kubectl.run(
        "get",
        "validatingwebhookconfiguration/probelet-remediation",
        "-o=jsonpath={.webhooks[0].clientConfig.caBundle}");
  }
}
