package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * deploy/Kustomization and the overlays in kustomize/ build, and make what the plain files make. As
 * much of Kustomize as they use is done here; that they build is for kubectl to show, in
 * UpgradeRealApiTest.
 */
class KustomizeTest {
  private static final String NONROOT = "variants/daemonset-nonroot.yaml";

  static Stream<Path> roots() throws IOException {
    List<Path> roots = new ArrayList<>(List.of(DeployManifests.DEPLOY));
    try (Stream<Path> all = Files.list(DeployManifests.DEPLOY.resolveSibling("kustomize"))) {
      all.sorted().forEach(roots::add);
    }
    return roots.stream();
  }

  private static List<JsonNode> built(String root) throws IOException {
    return build(DeployManifests.DEPLOY.resolve(root));
  }

  private static List<JsonNode> build(Path root) throws IOException {
    return build(root, new ArrayList<>());
  }

  /** With what is there already, which a component changes. */
  private static List<JsonNode> build(Path root, List<JsonNode> before) throws IOException {
    JsonNode kustomization = kustomization(root);
    List<JsonNode> objects = new ArrayList<>(before);
    Set<String> names = new HashSet<>();
    for (JsonNode resource : kustomization.path("resources")) {
      Path file = root.resolve(resource.asText());
      assertThat(root.toRealPath().startsWith(file.toRealPath())).as("a cycle: %s", file).isFalse();
      for (JsonNode object : Files.isDirectory(file) ? build(file) : read(root, file)) {
        assertThat(names.add(identity(object))).as("%s twice in %s", object, root).isTrue();
        objects.add(object);
      }
    }
    for (JsonNode component : kustomization.path("components")) {
      objects = build(root.resolve(component.asText()), objects);
    }
    for (JsonNode patch : kustomization.path("patches")) {
      objects = patched(objects, patch, root);
    }
    return objects;
  }

  private static JsonNode kustomization(Path root) throws IOException {
    Path file = root.resolve("Kustomization");
    file = Files.exists(file) ? file : root.resolve("kustomization.yaml");
    return DeployManifests.of(Files.readString(file)).getFirst();
  }

  /** Kustomize reads no file that is not in or below the folder. */
  private static List<JsonNode> read(Path root, Path file) throws IOException {
    assertThat(file.toRealPath()).startsWith(root.toRealPath());
    return DeployManifests.of(Files.readString(file));
  }

  private static String identity(JsonNode object) {
    return object.path("apiVersion").asText()
        + object.path("kind").asText()
        + object.at("/metadata/namespace").asText()
        + "/"
        + object.at("/metadata/name").asText();
  }

  private static List<JsonNode> patched(List<JsonNode> objects, JsonNode patch, Path root)
      throws IOException {
    JsonNode change =
        patch.has("path")
            ? read(root, root.resolve(patch.path("path").asText())).getFirst()
            : DeployManifests.of(patch.path("patch").asText()).getFirst();
    List<JsonNode> patched = new ArrayList<>();
    int found = 0;
    for (JsonNode object : objects) {
      if (!isMeant(object, patch.path("target"), change)) {
        patched.add(object);
      } else {
        found++;
        if (change.isArray()) {
          patched.add(added(object, change));
        } else if (!change.path("$patch").asText().equals("delete")) {
          patched.add(StrategicMerge.of(object, change));
        }
      }
    }
    assertThat(found).as("what %s is for", patch).isPositive();
    return patched;
  }

  private static boolean isMeant(JsonNode object, JsonNode target, JsonNode change) {
    if (target.isMissingNode()) {
      return identity(object).equals(identity(change));
    }
    return object.path("kind").asText().matches(target.path("kind").asText(".*"))
        && object.at("/metadata/name").asText().matches(target.path("name").asText(".*"));
  }

  /** Of JSON patches, what adds to a list. */
  private static JsonNode added(JsonNode object, JsonNode changes) {
    ObjectNode changed = object.deepCopy();
    for (JsonNode change : changes) {
      String path = change.path("path").asText();
      assertThat(change.path("op").asText() + path).matches("add/.*/-");
      ((ArrayNode) changed.at(path.substring(0, path.length() - 2))).add(change.path("value"));
    }
    return changed;
  }

  private static Set<JsonNode> files(String... names) throws IOException {
    Set<JsonNode> objects = new HashSet<>();
    for (String name : names) {
      objects.addAll(DeployManifests.file(name));
    }
    return objects;
  }

  @ParameterizedTest
  @MethodSource("roots")
  @DisplayName("what each names is there, is below it, comes once, and is of a known kind")
  void builds(Path root) throws IOException {
    assertThat(build(root)).isNotEmpty();
    JsonNode kustomization = kustomization(root);
    assertThat(kustomization.path("kind").asText()).isEqualTo("Kustomization");
    assertThat(kustomization.path("apiVersion").asText())
        .isEqualTo("kustomize.config.k8s.io/v1beta1");
  }

  @Test
  @DisplayName("the base is all that `kubectl apply -f deploy/crds/ -f deploy/` makes")
  void base() throws IOException {
    Set<JsonNode> applied = new HashSet<>();
    for (String folder : List.of("", "crds")) {
      try (Stream<Path> all = Files.list(DeployManifests.DEPLOY.resolve(folder))) {
        for (Path file : all.filter(each -> each.toString().endsWith(".yaml")).toList()) {
          applied.addAll(DeployManifests.of(Files.readString(file)));
        }
      }
    }
    assertThat(built(".")).containsExactlyInAnyOrderElementsOf(applied);
  }

  @Test
  @DisplayName("agents: the base without anything of the controller")
  void agents() throws IOException {
    List<JsonNode> expected = built(".");
    expected.removeAll(files("controller.yaml", "remediation.yaml", "cluster-care.yaml"));
    expected.removeIf(object -> {
      String name = object.at("/metadata/name").asText();
      boolean role = object.path("kind").asText().startsWith("Role");
      return name.equals("probelet-node-lifecycle")
          || (role && name.equals("probelet-node-monitor"));
    });
    assertThat(built("../kustomize/agents"))
        .containsExactlyInAnyOrderElementsOf(expected)
        .noneMatch(object -> object.toString().contains("probelet-controller"));
  }

  @Test
  @DisplayName("non-root: the base with the agents of variants/daemonset-nonroot.yaml")
  void nonRoot() throws IOException {
    List<JsonNode> expected = built(".");
    expected.removeAll(files("daemonset.yaml"));
    expected.addAll(files(NONROOT, "variants/admission-policy-evictions.yaml"));
    assertThat(built("../kustomize/non-root")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @DisplayName("node-monitor: the base with variants/node-monitor-patch.yaml applied")
  void nodeMonitor() throws IOException {
    JsonNode patch = DeployManifests.file("variants/node-monitor-patch.yaml").getFirst();
    List<JsonNode> expected =
        built(".").stream()
            .map(object ->
                object.path("kind").asText().equals("DaemonSet")
                    ? StrategicMerge.of(object, patch)
                    : object)
            .toList();
    assertThat(built("../kustomize/node-monitor")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @DisplayName("monitoring: the base with deploy/monitoring, patches applied")
  void monitoring() throws IOException {
    List<JsonNode> expected = built(".");
    for (String part : List.of("agent", "controller")) {
      JsonNode patch = DeployManifests.file("monitoring/%s-patch.yaml".formatted(part)).getFirst();
      expected.replaceAll(object ->
          identity(object).equals(identity(patch)) ? StrategicMerge.of(object, patch) : object);
    }
    expected.addAll(
        files(
            "monitoring/access.yaml",
            "monitoring/podmonitors.yaml",
            "monitoring/prometheusrule.yaml"));
    assertThat(built("../kustomize/monitoring")).containsExactlyInAnyOrderElementsOf(expected);
    Path root = DeployManifests.DEPLOY.resolve("monitoring");
    Set<String> dashboards = new HashSet<>();
    kustomization(root)
        .at("/configMapGenerator/0/files")
        .forEach(file -> dashboards.add(file.asText()));
    try (Stream<Path> all = Files.list(root.resolve("dashboards"))) {
      assertThat(all.map(file -> root.relativize(file).toString()))
          .containsExactlyInAnyOrderElementsOf(dashboards);
    }
  }

  @Test
  @DisplayName("node-readiness: the base with deploy/node-readiness, patch applied")
  void nodeReadiness() throws IOException {
    List<JsonNode> expected = built(".");
    JsonNode patch = DeployManifests.file("node-readiness/controller-patch.yaml").getFirst();
    expected.replaceAll(object ->
        identity(object).equals(identity(patch)) ? StrategicMerge.of(object, patch) : object);
    expected.addAll(files("node-readiness/access.yaml"));
    assertThat(built("../kustomize/node-readiness")).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void workloadEvidenceIsTheBaseWithItsRightsAndPolicy() throws IOException {
    List<JsonNode> expected = built(".");
    JsonNode patch = DeployManifests.file("workload-evidence/controller-patch.yaml").getFirst();
    expected.replaceAll(object ->
        identity(object).equals(identity(patch)) ? StrategicMerge.of(object, patch) : object);
    expected.addAll(
        files("workload-evidence/access.yaml", "workload-evidence/admission-policy.yaml"));
    assertThat(built("../kustomize/workload-evidence"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  @DisplayName("`kubectl apply -f deploy/` does not take the base for an object")
  void noYaml() {
    assertThat(DeployManifests.DEPLOY.resolve("Kustomization")).exists();
    assertThat(DeployManifests.DEPLOY.resolve("kustomization.yaml")).doesNotExist();
  }
}
