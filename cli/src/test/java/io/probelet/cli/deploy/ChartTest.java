package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.cli.controller.WebhookSetupCommand;
import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The Helm chart renders what the plain manifests say. */
class ChartTest {
  private static Map<String, Object> values() throws IOException {
    return HelmChart.values();
  }

  /** As a release whose names are those of deploy/, without what the chart adds to every object. */
  private static List<JsonNode> rendered(Map<String, Object> values) throws IOException {
    return new ArrayList<>(
        HelmChart.plain(HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values)));
  }

  /** Agents and nothing else. */
  private static Map<String, Object> agentsOnly() throws IOException {
    Map<String, Object> values = values();
    values.replaceAll((_, value) -> value.equals(true) ? false : value);
    return values;
  }

  /** What is in these files but the namespace, which is the release's. */
  private static Set<JsonNode> files(String... names) throws IOException {
    Set<JsonNode> objects = new HashSet<>();
    for (String name : names) {
      objects.addAll(DeployManifests.file(name));
    }
    objects.removeIf(ChartTest::isNamespace);
    return objects;
  }

  private static boolean isNamespace(JsonNode object) {
    return object.path("kind").asText().equals("Namespace")
        && object.at("/metadata/name").asText().equals(HelmChart.NAMESPACE);
  }

  @Test
  @DisplayName(
      "with the values as they are: agents, held by the policy, and the controller with its rights")
  void defaults() throws IOException {
    Set<JsonNode> files =
        files(
            "admission-policy.yaml",
            "admission-policy-remediation.yaml",
            "daemonset.yaml",
            "controller.yaml",
            "remediation.yaml",
            "cluster-care.yaml");
    List<JsonNode> rendered = rendered(values());
    assertThat(rendered).containsAll(files);
    rendered.removeAll(files);
    assertThat(rendered)
        .extracting(object -> object.path("kind").asText())
        .containsExactlyInAnyOrder("Secret", "ValidatingWebhookConfiguration");
  }

  @Test
  @DisplayName("with everything switched off: daemonset.yaml")
  void agents() throws IOException {
    assertThat(rendered(agentsOnly())).containsExactlyInAnyOrderElementsOf(files("daemonset.yaml"));
  }

  @Test
  @DisplayName("conditions of one's own are added to those that agents may write")
  void nodeConditions() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeConditions", "GpuLost FanBroken");
    assertThat(rendered(values).toString())
        .contains(".split(' ') + 'GpuLost FanBroken'.split(' ')");
  }

  @Test
  @DisplayName("where agents evict, and where events are to be held too, there are more policies")
  void morePolicies() throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("admissionPolicy", true);
    values.put("strictEvents", true);
    assertThat(rendered(values))
        .containsAll(DeployManifests.file("variants/admission-policy-events.yaml"))
        .doesNotContainAnyElementsOf(
            DeployManifests.file("variants/admission-policy-evictions.yaml"));
    values.put("runtime", Map.of("directory", "", "socket", ""));
    assertThat(rendered(values))
        .containsAll(DeployManifests.file("variants/admission-policy-evictions.yaml"));
  }

  @Test
  @DisplayName("without the directory of a runtime's socket: variants/daemonset-nonroot.yaml")
  void nonroot() throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("runtime", Map.of("directory", "", "socket", ""));
    assertThat(rendered(values))
        .containsExactlyInAnyOrderElementsOf(files("variants/daemonset-nonroot.yaml"));
  }

  @ParameterizedTest
  @CsvSource({
    "admissionPolicy, admission-policy.yaml",
    "controller, controller.yaml",
    "nodeMonitor, node-monitor.yaml",
    "remediation, remediation.yaml",
    "clusterCare, cluster-care.yaml",
    "restartGuard, variants/restart-guard.yaml",
    "nodeReadiness, node-readiness/access.yaml",
    "webhookConstraints, variants/webhook-constraints.yaml",
    "webhookRemediation, variants/webhook-remediation.yaml"
  })
  @DisplayName("what is switched on adds the manifest of its name")
  void parts(String value, String file) throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put(value, true);
    assertThat(rendered(values))
        .containsAll(files(file))
        .hasSameSizeAs(files("daemonset.yaml", file));
  }

  @Test
  @DisplayName("where restarts are counted the controller leads that part, too")
  void restartGuard() throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("controller", true);
    values.put("restartGuard", true);
    assertThat(rendered(values))
        .containsAll(files("variants/restart-guard.yaml"))
        .anySatisfy(object ->
            assertThat(object.at("/spec/template/spec/containers/0/env").toString())
                .contains(
                    "{\"name\":\"PROBELET_PARTS\",\"value\":\"remediation,cluster-care,"
                        + "node-monitor,remediators,restart-guard\"}"));
  }

  @Test
  void nodeAdmissionIsPartOfTheController() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeReadiness", true);
    JsonNode patch = DeployManifests.file("node-readiness/controller-patch.yaml").getFirst();
    List<JsonNode> rendered = rendered(values);
    assertThat(rendered).containsAll(files("node-readiness/access.yaml"));
    assertThat(object(rendered, "Deployment"))
        .isEqualTo(
            StrategicMerge.of(
                object(DeployManifests.file("controller.yaml"), "Deployment"), patch));
    values.put("restartGuard", true);
    assertThat(object(rendered(values), "Deployment").toString())
        .contains("remediators,restart-guard,node-readiness\"");
  }

  @Test
  void trustedNamespacesSwitchTheEvidenceByWorkloadsOn() throws IOException {
    Map<String, Object> values = values();
    List<String> namespaces = List.of("kube-system", "monitoring", "ingress-nginx");
    values.put("workloadEvidence", evidence(namespaces, "5m", 3, 60));
    JsonNode patch = DeployManifests.file("workload-evidence/controller-patch.yaml").getFirst();
    List<JsonNode> rendered = rendered(values);
    assertThat(rendered)
        .containsAll(
            files(
                "workload-evidence/access.yaml",
                "workload-evidence/admission-policy.yaml",
                "../examples/workload-evidence/namespaces.yaml"));
    assertThat(object(rendered, "Deployment"))
        .isEqualTo(
            StrategicMerge.of(
                object(DeployManifests.file("controller.yaml"), "Deployment"), patch));
    values.put("admissionPolicy", false);
    values.put("nodeReadiness", true);
    values.put("workloadEvidence", evidence(namespaces, "10m", 4, 75));
    rendered = rendered(values);
    assertThat(rendered)
        .doesNotContainAnyElementsOf(files("workload-evidence/admission-policy.yaml"));
    assertThat(object(rendered, "Deployment").toString())
        .contains(
            "remediators,node-readiness,workload-evidence\"",
            "{\"name\":\"PROBELET_WORKLOAD_FOR\",\"value\":\"10m\"}",
            "{\"name\":\"PROBELET_WORKLOAD_MINIMUM\",\"value\":\"4\"}",
            "{\"name\":\"PROBELET_WORKLOAD_SHARE\",\"value\":\"75\"}");
  }

  private static Map<String, Object> evidence(
      List<String> namespaces, String duration, int minimum, int share) {
    return Map.of("namespaces", namespaces, "for", duration, "minimum", minimum, "share", share);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("a kind of remediation that is switched on brings its rights and the option")
  void remediators(RemediationKind kind) throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("remediators", List.of(kind.label()));
    Set<JsonNode> common = files("daemonset.yaml", "remediators/controller.yaml");
    common.addAll(files("remediators/agents.yaml", "remediators/%s.yaml".formatted(kind.label())));
    assertThat(rendered(values)).containsExactlyInAnyOrderElementsOf(common);
    values.put("admissionPolicy", true);
    values.put("controller", true);
    assertThat(rendered(values))
        .containsAll(files("remediators/admission-policy.yaml"))
        .containsAll(common)
        .anySatisfy(object ->
            assertThat(object.at("/spec/template/spec/containers/0/env").toString())
                .contains(
                    "{\"name\":\"PROBELET_REMEDIATORS\",\"value\":\"%s\"}"
                        .formatted(kind.label())));
  }

  @Test
  @DisplayName("the webhook's authority is made, and trusted")
  void webhook() throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("webhook", true);
    List<JsonNode> made = rendered(values);
    JsonNode secret = object(made, "Secret");
    assertThat(secret.at("/metadata/name").asText()).isEqualTo("probelet-webhook-ca");
    assertThat(trusted(object(made, "ValidatingWebhookConfiguration")))
        .isEqualTo(secret.path("data").path("ca.crt").asText())
        .isNotEmpty();
    assertThat(secret.path("data").path("ca.key").asText()).isNotEmpty();
  }

  @Test
  @DisplayName(
      "the webhook's configuration is that of `probelet webhook-setup`, but for the authority")
  void webhookSetup() throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("webhook", true);
    StringWriter out = new StringWriter();
    assertThat(new CommandLine(new WebhookSetupCommand()).setOut(new PrintWriter(out)).execute())
        .isZero();
    JsonNode printed = object(DeployManifests.of(out.toString()), "ValidatingWebhookConfiguration");
    JsonNode ours = object(rendered(values), "ValidatingWebhookConfiguration");
    for (JsonNode each : List.of(printed, ours)) {
      ((ObjectNode) each.at("/webhooks/0/clientConfig")).remove("caBundle");
    }
    assertThat(ours).isEqualTo(printed);
  }

  @Test
  @DisplayName(
      "D-21 readiness gates are off by default, and else as `probelet webhook-setup` prints")
  void readinessGates() throws IOException {
    assertThat(rendered(values()).toString()).doesNotContain("MutatingWebhookConfiguration");
    Map<String, Object> values = agentsOnly();
    values.put("readinessGateWebhook", true);
    assertThatThrownBy(() -> rendered(values)).hasMessageContaining("needs webhook: true");
    values.put("webhook", true);
    StringWriter out = new StringWriter();
    assertThat(
            new CommandLine(new WebhookSetupCommand())
                .setOut(new PrintWriter(out))
                .execute("--readiness-gates"))
        .isZero();
    List<JsonNode> made = rendered(values);
    JsonNode ours = object(made, "MutatingWebhookConfiguration");
    assertThat(trusted(ours))
        .isEqualTo(object(made, "Secret").path("data").path("ca.crt").asText())
        .isNotEmpty();
    JsonNode printed = object(DeployManifests.of(out.toString()), "MutatingWebhookConfiguration");
    for (JsonNode each : List.of(printed, ours)) {
      ((ObjectNode) each.at("/webhooks/0/clientConfig")).remove("caBundle");
    }
    assertThat(ours).isEqualTo(printed);
  }

  private static String trusted(JsonNode configuration) {
    return configuration.at("/webhooks/0/clientConfig/caBundle").asText();
  }

  @Test
  @DisplayName("with node monitoring: daemonset.yaml with variants/node-monitor-patch.yaml applied")
  void nodeMonitor() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeMonitor", true);
    JsonNode patch = DeployManifests.file("variants/node-monitor-patch.yaml").getFirst();
    assertThat(daemonSet(rendered(values)))
        .isEqualTo(StrategicMerge.of(daemonSet(DeployManifests.file("daemonset.yaml")), patch));
    values.put("runtime", Map.of("directory", "", "socket", ""));
    assertThat(daemonSet(rendered(values)).toString()).contains("\"runAsUser\":0");
  }

  @Test
  @DisplayName(
      "with orders: daemonset.yaml with variants/node-orders-patch.yaml applied, and rights")
  void orders() throws IOException {
    Map<String, Object> values = values();
    values.put("orders", Map.of("enabled", true, "units", List.of("k3s.service"), "reboot", true));
    JsonNode patch = DeployManifests.file("variants/node-orders-patch.yaml").getFirst();
    List<JsonNode> rendered = rendered(values);
    assertThat(daemonSet(rendered))
        .isEqualTo(StrategicMerge.of(daemonSet(DeployManifests.file("daemonset.yaml")), patch));
    assertThat(rendered)
        .containsAll(files("remediators/agents.yaml", "remediators/admission-policy.yaml"));
    values.put("nodeMonitor", true);
    assertThat(daemonSet(rendered(values)).toString())
        .as("the node's root directory brings the bus")
        .contains("--host-root=/host")
        .doesNotContain("dbus");
    values.put("hostRoot", false);
    assertThat(daemonSet(rendered(values)).toString()).contains("\"mountPath\":\"/run/dbus\"");
    values.put("runtime", Map.of("directory", "", "socket", ""));
    values.put("nodeMonitor", false);
    JsonNode pod = daemonSet(rendered(values)).at("/spec/template/spec");
    assertThat(pod.at("/containers/0/securityContext/runAsUser").asInt(1)).isZero();
    assertThat(pod.path("volumes").findValuesAsText("path"))
        .as("evidence stays on the node")
        .contains("/run/dbus", "/var/lib/probelet");
  }

  @Test
  @DisplayName("nodes are watched by monitors of one's own, too")
  void ownMonitors() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeMonitor", true);
    values.put("monitors", List.of("default", "/etc/probelet-monitors"));
    assertThat(daemonSet(rendered(values)).at("/spec/template/spec/containers/0/args").toString())
        .contains("\"--monitor=default,/etc/probelet-monitors\"");
  }

  @Test
  @DisplayName("without the node's root directory: its process namespace instead")
  void withoutHostRoot() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeMonitor", true);
    JsonNode pod = daemonSet(rendered(values)).at("/spec/template/spec");
    assertThat(pod.path("hostPID").asBoolean()).as("its /proc is enough").isFalse();
    assertThat(pod.toString()).contains("--host-root=/host");
    values.put("hostRootPropagation", "");
    assertThat(daemonSet(rendered(values)).toString())
        .contains("host-root")
        .doesNotContain("mountPropagation");
    values.put("hostRoot", false);
    pod = daemonSet(rendered(values)).at("/spec/template/spec");
    assertThat(pod.path("hostPID").asBoolean()).isTrue();
    assertThat(pod.toString()).contains("--monitor=default").doesNotContain("host-root");
    values.put("nodeMonitor", false);
    values.put("hostRoot", true);
    assertThat(daemonSet(rendered(values))).isEqualTo(daemonSet(rendered(values())));
  }

  @Test
  @DisplayName("with monitoring: deploy/monitoring with its patches applied")
  void monitoring() throws IOException {
    Map<String, Object> values = values();
    values.put("monitoring", Map.of("enabled", true, "certManager", true));
    List<JsonNode> rendered = rendered(values);
    assertThat(rendered)
        .containsAll(
            files(
                "monitoring/access.yaml",
                "monitoring/certificate.yaml",
                "monitoring/podmonitors.yaml"));
    for (String part : List.of("agent", "controller")) {
      JsonNode patch = DeployManifests.file("monitoring/%s-patch.yaml".formatted(part)).getFirst();
      String kind = patch.path("kind").asText();
      String file = part.equals("agent") ? "daemonset.yaml" : "controller.yaml";
      JsonNode plain = object(DeployManifests.file(file), kind);
      assertThat(object(rendered, kind)).isEqualTo(StrategicMerge.of(plain, patch));
    }
  }

  @Test
  @DisplayName("alerts and dashboards are those of deploy/monitoring, about the release's own jobs")
  void alerts() throws IOException {
    Map<String, Object> values = values();
    values.put("monitoring", Map.of("enabled", true, "dashboards", true));
    List<JsonNode> plain = rendered(values);
    assertThat(object(plain, "PrometheusRule").path("spec"))
        .isEqualTo(DeployManifests.file("monitoring/prometheusrule.yaml").getFirst().path("spec"));
    JsonNode dashboards = named(plain, "probelet-dashboards").path("data");
    Set<String> files = new HashSet<>();
    try (Stream<Path> all = Files.list(DeployManifests.DEPLOY.resolve("monitoring/dashboards"))) {
      for (Path file : all.toList()) {
        files.add(file.getFileName().toString());
        assertThat(dashboards.path(file.getFileName().toString()).asText())
            .isEqualTo(Files.readString(file).strip());
      }
    }
    assertThat(dashboards.propertyStream().map(Map.Entry::getKey))
        .containsExactlyInAnyOrderElementsOf(files);

    List<JsonNode> other = HelmChart.rendered("one", "team-a", values);
    assertThat(object(other, "PrometheusRule").toString())
        .contains(".*/one-probelet-agent", ".*/one-probelet-controller")
        .doesNotContain("/probelet-agent", "/probelet-controller");
    assertThat(named(other, "one-probelet-dashboards").toString())
        .contains(".*/one-probelet-agent")
        .doesNotContain("/probelet-agent", "/probelet-controller");
  }

  private static JsonNode named(List<JsonNode> objects, String name) {
    return objects.stream()
        .filter(object -> object.at("/metadata/name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("B5 watching nodes takes one capability and no privileged container, no device")
  void unprivileged() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeMonitor", true);
    JsonNode pod = daemonSet(rendered(values)).at("/spec/template/spec");
    JsonNode security = pod.at("/containers/0/securityContext");
    assertThat(security.path("privileged").asBoolean(true)).isFalse();
    assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(security.path("capabilities"))
        .hasToString("{\"drop\":[\"ALL\"],\"add\":[\"SYSLOG\"]}");
    assertThat(pod.path("volumes").findValuesAsText("path"))
        .containsExactlyInAnyOrder("/run/containerd", "/var/lib/probelet", "/");
    JsonNode root = pod.at("/containers/0/volumeMounts/5");
    assertThat(root)
        .hasToString(
            """
            {"name":"host-root","mountPath":"/host","readOnly":true,\
            "mountPropagation":"HostToContainer"}\
            """);
  }

  private static JsonNode daemonSet(List<JsonNode> objects) {
    return object(objects, "DaemonSet");
  }

  private static JsonNode object(List<JsonNode> objects, String kind) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("it brings no verb on all webhook configurations, and none on Secrets")
  void rights() throws IOException {
    for (JsonNode object : rendered(values())) {
      assertThat(object.path("rules").toString())
          .doesNotContain("webhookconfigurations", "secrets");
    }
  }

  @Test
  @DisplayName("another image, namespace and runtime are where they belong, all of them")
  void others() throws IOException {
    Map<String, Object> values = values();
    values.put("namespace", "elsewhere");
    values.put("image", "registry.example.io/probelet:1");
    values.put("runtime", Map.of("directory", "/run/crio", "socket", "crio.sock"));
    values.replaceAll((_, value) -> value.equals(false) ? true : value);
    assertThat(rendered(values).toString())
        .contains("registry.example.io/probelet:1", "unix:///run/crio/crio.sock", "elsewhere")
        .doesNotContain("probelet-system", "containerd.sock", "SNAPSHOT");
  }

  @Test
  @DisplayName("the custom resources are those of deploy/crds")
  void crds() throws IOException {
    assertThat(HelmChart.DIRECTORY.resolve("crds").toRealPath())
        .isEqualTo(DeployManifests.DEPLOY.resolve("crds").toRealPath());
  }
}
