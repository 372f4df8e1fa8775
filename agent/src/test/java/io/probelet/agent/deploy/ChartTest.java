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
  private static final Path CHART = Manifests.DEPLOY.resolve(Path.of("helm", "probelet"));

  private static Map<String, Object> values() throws IOException {
    return new Yaml().load(Files.readString(CHART.resolve("values.yaml")));
  }

  private static List<JsonNode> rendered(Map<String, Object> values) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (Stream<Path> templates = Files.list(CHART.resolve("templates"))) {
      for (Path template : templates.sorted().toList()) {
        objects.addAll(Manifests.of(ChartTemplate.render(Files.readString(template), values)));
      }
    }
    return objects;
  }

  @Test
  @DisplayName("with the values as they are: daemonset.yaml")
  void defaults() throws IOException {
    assertThat(rendered(values())).isEqualTo(Manifests.file("daemonset.yaml"));
  }

  @Test
  @DisplayName("without the directory of a runtime's socket: variants/daemonset-nonroot.yaml")
  void nonroot() throws IOException {
    Map<String, Object> values = values();
    values.put("runtime", Map.of("directory", "", "socket", ""));
    assertThat(rendered(values)).isEqualTo(Manifests.file("variants/daemonset-nonroot.yaml"));
  }

  @ParameterizedTest
  @CsvSource({
    "admissionPolicy, admission-policy.yaml",
    "nodeMonitor, node-monitor.yaml",
    "remediation, remediation.yaml",
    "clusterCare, cluster-care.yaml"
  })
  @DisplayName("what is switched on adds the manifest of its name")
  void parts(String value, String file) throws IOException {
    Map<String, Object> values = values();
    values.put(value, true);
    Set<JsonNode> both = new HashSet<>(Manifests.file("daemonset.yaml"));
    both.addAll(Manifests.file(file)); // the namespace may be in both
    assertThat(rendered(values)).containsAll(Manifests.file(file)).hasSameSizeAs(both);
  }

  @Test
  @DisplayName("with node monitoring: daemonset.yaml with variants/node-monitor-patch.yaml applied")
  void nodeMonitor() throws IOException {
    Map<String, Object> values = values();
    values.put("nodeMonitor", true);
    JsonNode patch = Manifests.file("variants/node-monitor-patch.yaml").getFirst();
    assertThat(daemonSet(rendered(values)))
        .isEqualTo(StrategicMerge.of(daemonSet(Manifests.file("daemonset.yaml")), patch));
    values.put("runtime", Map.of("directory", "", "socket", ""));
    assertThat(daemonSet(rendered(values)).toString()).contains("\"runAsUser\":0");
  }

  private static JsonNode daemonSet(List<JsonNode> objects) {
    return objects.stream()
        .filter(object -> object.path("kind").asText().equals("DaemonSet"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("agents may become leaders where there is something to lead")
  void leaders() throws IOException {
    Map<String, Object> values = values();
    assertThat(rendered(values).toString()).doesNotContain("POD_NAMESPACE");
    values.put("clusterCare", true);
    assertThat(rendered(values).toString()).contains("POD_NAMESPACE");
  }

  @Test
  @DisplayName("another image, namespace and runtime are where they belong, all of them")
  void others() throws IOException {
    Map<String, Object> values = values();
    values.put("namespace", "elsewhere");
    values.put("image", "registry.example.io/probelet:1");
    values.put("runtime", Map.of("directory", "/run/crio", "socket", "crio.sock"));
    for (String flag : List.of("admissionPolicy", "nodeMonitor", "remediation", "clusterCare")) {
      values.put(flag, true);
    }
    assertThat(rendered(values).toString())
        .contains("registry.example.io/probelet:1", "unix:///run/crio/crio.sock", "elsewhere")
        .doesNotContain("probelet-system", "containerd.sock", "SNAPSHOT");
  }

  @Test
  @DisplayName("the custom resources are those of deploy/crds")
  void crds() throws IOException {
    assertThat(CHART.resolve("crds").toRealPath())
        .isEqualTo(Manifests.DEPLOY.resolve("crds").toRealPath());
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
