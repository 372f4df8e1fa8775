package io.probelet.agent.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** The Helm chart renders what the plain manifests say. */
class ChartTest {
  private static final Path CHART = DeployManifests.DEPLOY.resolve(Path.of("helm", "probelet"));

  private static Map<String, Object> values() throws IOException {
    return new Yaml().load(Files.readString(CHART.resolve("values.yaml")));
  }

  private static List<JsonNode> rendered(Map<String, Object> values) throws IOException {
    return rendered(values, Map.of());
  }

  /** In a cluster that has these Secrets already, by {@code namespace/name}. */
  private static List<JsonNode> rendered(
      Map<String, Object> values, Map<String, Map<String, String>> secrets) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (Stream<Path> templates = Files.list(CHART.resolve("templates"))) {
      for (Path template : templates.sorted().toList()) {
        String text = Files.readString(template);
        objects.addAll(DeployManifests.of(ChartTemplate.render(text, values, secrets)));
      }
    }
    return objects;
  }

  /** Agents and nothing else. */
  private static Map<String, Object> agentsOnly() throws IOException {
    Map<String, Object> values = values();
    values.replaceAll((_, value) -> value.equals(true) ? false : value);
    return values;
  }

  private static Set<JsonNode> files(String... names) throws IOException {
    Set<JsonNode> objects = new HashSet<>(); // the namespace is in several
    for (String name : names) {
      objects.addAll(DeployManifests.file(name));
    }
    return objects;
  }

  @Test
  @DisplayName(
      "with the values as they are: agents, held by the policy, and the controller with its rights")
  void defaults() throws IOException {
    Set<JsonNode> files =
        files(
            "admission-policy.yaml",
            "daemonset.yaml",
            "controller.yaml",
            "remediation.yaml",
            "cluster-care.yaml");
    List<JsonNode> rendered = rendered(values());
    assertThat(rendered).containsAll(files);
    rendered.removeAll(files);
    assertThat(rendered)
        .extracting(object -> object.path("kind").asText())
        .containsExactly("Secret", "ValidatingWebhookConfiguration");
  }

  @Test
  @DisplayName("with everything switched off: daemonset.yaml")
  void agents() throws IOException {
    assertThat(rendered(agentsOnly())).isEqualTo(DeployManifests.file("daemonset.yaml"));
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
    assertThat(rendered(values)).isEqualTo(DeployManifests.file("variants/daemonset-nonroot.yaml"));
  }

  @ParameterizedTest
  @CsvSource({
    "admissionPolicy, admission-policy.yaml",
    "controller, controller.yaml",
    "nodeMonitor, node-monitor.yaml",
    "remediation, remediation.yaml",
    "clusterCare, cluster-care.yaml",
    "webhookConstraints, variants/webhook-constraints.yaml",
    "webhookRemediation, variants/webhook-remediation.yaml"
  })
  @DisplayName("what is switched on adds the manifest of its name")
  void parts(String value, String file) throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put(value, true);
    assertThat(rendered(values))
        .containsAll(DeployManifests.file(file))
        .hasSameSizeAs(files("daemonset.yaml", file));
  }

  @Test
  @DisplayName("the webhook's authority is made once, is trusted, and stays through upgrades")
  void webhook() throws IOException {
    Map<String, Object> values = agentsOnly();
    values.put("webhook", true);
    List<JsonNode> made = rendered(values);
    JsonNode secret = made.get(made.size() - 2);
    JsonNode configuration = made.getLast();
    assertThat(secret.at("/metadata/name").asText()).isEqualTo("probelet-webhook-ca");
    assertThat(trusted(configuration)).isEqualTo(secret.path("data").path("ca.crt").asText());
    assertThat(secret.path("data").path("ca.key").asText()).isNotEmpty();

    Map<String, String> kept = Map.of("ca.crt", "T0xE", "ca.key", "S0VZ");
    List<JsonNode> upgraded = rendered(values, Map.of("probelet-system/probelet-webhook-ca", kept));
    assertThat(upgraded.get(upgraded.size() - 2).path("data"))
        .hasToString("{\"ca.crt\":\"T0xE\",\"ca.key\":\"S0VZ\"}");
    assertThat(trusted(upgraded.getLast())).isEqualTo("T0xE");
  }

  private static String trusted(JsonNode configuration) {
    assertThat(configuration.path("kind").asText()).isEqualTo("ValidatingWebhookConfiguration");
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
        .containsExactlyInAnyOrder("/run/containerd", "/var/lib/probelet");
  }

  private static JsonNode daemonSet(List<JsonNode> objects) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals("DaemonSet"))
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
    assertThat(CHART.resolve("crds").toRealPath())
        .isEqualTo(DeployManifests.DEPLOY.resolve("crds").toRealPath());
  }

  @Test
  @DisplayName("every value is told of")
  void documented() throws IOException {
    Map<String, Boolean> told = new HashMap<>();
    String before = "";
    for (String line : Files.readAllLines(CHART.resolve("values.yaml"))) {
      if (line.matches("[a-zA-Z]+:.*")) {
        told.put(line.substring(0, line.indexOf(':')), before.startsWith("#"));
      }
      before = line;
    }
    told.remove("resources"); // Kubernetes' own
    told.remove("priorityClassName");
    assertThat(told.values()).containsOnly(true);
  }
}
