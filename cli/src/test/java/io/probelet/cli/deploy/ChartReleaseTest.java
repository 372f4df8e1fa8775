package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart as Helm sees it: lint, names and labels of releases, notes. */
class ChartReleaseTest {
  private static final Set<String> SHARED = Set.of("Namespace medik8s-leases");

  private static Map<String, Object> everything() throws IOException {
    Map<String, Object> values = HelmChart.values();
    values.replaceAll((_, value) -> value.equals(false) ? true : value);
    values.put("networkPolicy", Map.of("enabled", true, "apiServerPorts", List.of(6443)));
    values.put("remediators", List.of("drain", "hook"));
    values.put("monitoring", Map.of("enabled", true, "certManager", true, "dashboards", true));
    return values;
  }

  @Test
  @DisplayName("Helm finds nothing wrong with it")
  void lint() {
    LintResult result = new Helm(HelmChart.DIRECTORY).lint().strict().call();
    assertThat(result.isFailed()).as("%s", result.getMessages()).isFalse();
    assertThat(result.getMessages()).noneMatch(line -> line.matches(".*\\[(WARNING|ERROR)].*"));
  }

  @ParameterizedTest
  @CsvSource({
    "probelet, team-a, probelet, team-b", // the same name in two namespaces
    "probelet, probelet-system, probelet, team-b",
    "one, team-a, two, team-b",
    "one, team-a, probelet, probelet-system"
  })
  @DisplayName("two releases in two namespaces have no object in common")
  void apart(String name, String namespace, String otherName, String otherNamespace)
      throws IOException {
    Map<String, Object> values = everything();
    Set<String> one = HelmChart.identities(HelmChart.rendered(name, namespace, values));
    Set<String> other = HelmChart.identities(HelmChart.rendered(otherName, otherNamespace, values));
    assertThat(one).hasSameSizeAs(other).containsAll(SHARED);
    one.removeAll(SHARED);
    assertThat(one).isNotEmpty().doesNotContainAnyElementsOf(other);
  }

  @Test
  @DisplayName("everything of a release is bound to the release's own accounts")
  void bound() throws IOException {
    List<JsonNode> objects = HelmChart.rendered("one", "team-a", everything());
    Set<String> there = HelmChart.identities(objects);
    for (JsonNode object : objects) {
      if (object.path("kind").asText().endsWith("Binding") && object.has("roleRef")) {
        JsonNode subject = object.at("/subjects/0");
        assertThat(subject.path("namespace").asText()).isEqualTo("team-a");
        assertThat(there).contains("ServiceAccount team-a/" + subject.path("name").asText());
        JsonNode namespace = object.at("/metadata/namespace");
        boolean cluster = object.at("/roleRef/kind").asText().equals("ClusterRole");
        assertThat(there)
            .contains(
                object.at("/roleRef/kind").asText()
                    + " "
                    + (cluster ? "" : namespace.asText() + "/")
                    + object.at("/roleRef/name").asText());
      }
    }
    assertThat(objects.toString())
        .contains("'system:serviceaccount:team-a:one-probelet-agent'")
        .doesNotContain("probelet-system");
    assertThat(
            HelmChart.pod(objects, "DaemonSet team-a/one-probelet-agent")
                .path("serviceAccountName"))
        .hasToString("\"one-probelet-agent\"");
    assertThat(
            HelmChart.pod(objects, "DaemonSet team-a/one-probelet-agent")
                .at("/volumes/0/configMap/name"))
        .hasToString("\"one-probelet-agent\"");
    assertThat(there).contains("ConfigMap team-a/one-probelet-agent");
  }

  @ParameterizedTest
  @CsvSource({
    "'{fullnameOverride: health}', health-agent",
    "'{nameOverride: health}', probelet-health-agent",
    "'{}', probelet-agent"
  })
  @DisplayName("names begin with what the release is called, or with what one says")
  void names(String changes, String agent) throws IOException {
    assertThat(HelmChart.identities(HelmChart.rendered(changes)))
        .contains("DaemonSet probelet-system/" + agent);
  }

  @Test
  @DisplayName(
      "a release of an early chart can keep its namespace and names, whatever it is called")
  void keepsNames() throws IOException {
    Map<String, Object> values = everything();
    Set<String> named =
        HelmChart.identities(HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values));
    named.add("Namespace " + HelmChart.NAMESPACE);
    values.put("namespace", HelmChart.NAMESPACE);
    values.put("fullnameOverride", "probelet");
    assertThat(HelmChart.identities(HelmChart.rendered("health", "default", values)))
        .isEqualTo(named);
  }

  @Test
  @DisplayName("every object has the standard labels")
  void labels() throws IOException {
    for (JsonNode object : HelmChart.rendered("one", "team-a", everything())) {
      JsonNode labels = object.at("/metadata/labels");
      String part = labels.path("app.kubernetes.io/component").asText();
      assertThat(part).as(HelmChart.identity(object)).isIn("agent", "controller");
      assertThat(labels.path("app.kubernetes.io/name").asText()).isEqualTo("one-probelet-" + part);
      assertThat(labels.path("app.kubernetes.io/instance").asText()).isEqualTo("one");
      assertThat(labels.path("app.kubernetes.io/part-of").asText()).isEqualTo("probelet");
      assertThat(labels.path("app.kubernetes.io/managed-by").asText()).isEqualTo("Helm");
      assertThat(labels.path("app.kubernetes.io/version").asText()).startsWith("0.");
      assertThat(labels.path("helm.sh/chart").asText()).startsWith("probelet-0.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"elsewhere", "probelet-system"})
  @DisplayName("a namespace other than the release's is made, the release's is not")
  void namespace(String namespace) throws IOException {
    boolean made =
        HelmChart.identities(HelmChart.rendered("namespace: " + namespace))
            .contains("Namespace " + namespace);
    assertThat(made).isEqualTo(!namespace.equals(HelmChart.NAMESPACE));
  }

  @ParameterizedTest
  @CsvSource({
    "x, y, 'rollout status daemonset/x-probelet-agent'",
    "x, y, 'kubectl label namespace team-a pod-security.kubernetes.io/enforce=privileged'",
    "controller, true, 'rollout status deployment/x-probelet-controller'",
    "admissionPolicy, false, 'WARNING: admissionPolicy is false'",
    "webhookRemediation, true, 'WARNING: webhookRemediation lets'"
  })
  @DisplayName("after an installation Helm says what to do next")
  void notes(String value, String set, String said) {
    InstallCommand command =
        new Helm(HelmChart.DIRECTORY)
            .install()
            .withName("x")
            .withNamespace("team-a")
            .withKubeVersion("v1.30.0")
            .clientOnly()
            .dryRun()
            .withDryRunOption(DryRun.CLIENT);
    if (!value.equals("x")) {
      command.set(value, Boolean.parseBoolean(set));
    }
    assertThat(command.call().getOutput()).contains("NOTES:", said);
  }

  @Test
  @DisplayName("Artifact Hub is told of the image and the definitions that are there")
  void artifactHub() throws IOException {
    JsonNode chart =
        DeployManifests.of(Files.readString(HelmChart.DIRECTORY.resolve("Chart.yaml"))).getFirst();
    JsonNode annotations = chart.path("annotations");
    JsonNode images = listed(annotations, "artifacthub.io/images");
    assertThat(images.at("/0/image").asText()).isEqualTo(HelmChart.values().get("image"));
    assertThat(images.at("/0/image").asText()).endsWith(":" + chart.path("appVersion").asText());
    Set<String> crds = new HashSet<>();
    for (JsonNode crd : listed(annotations, "artifacthub.io/crds")) {
      crds.add(crd.path("name").asText() + " " + crd.path("kind").asText());
    }
    Set<String> there = new HashSet<>();
    try (Stream<Path> files = Files.list(DeployManifests.DEPLOY.resolve("crds"))) {
      for (Path file : files.toList()) {
        JsonNode crd = DeployManifests.file("crds/" + file.getFileName()).getFirst();
        there.add(crd.at("/metadata/name").asText() + " " + crd.at("/spec/names/kind").asText());
      }
    }
    assertThat(crds).isEqualTo(there);
    assertThat(listed(annotations, "artifacthub.io/changes")).isNotEmpty();
  }

  private static JsonNode listed(JsonNode annotations, String name) {
    return DeployManifests.of(annotations.path(name).asText()).getFirst();
  }
}
