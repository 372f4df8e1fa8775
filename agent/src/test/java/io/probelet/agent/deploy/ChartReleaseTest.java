package io.probelet.agent.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.DryRun;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.InstallCommand;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The chart as Helm sees it: lint, names and labels of releases, and the values for pods. */
class ChartReleaseTest {
  private static final Set<String> SHARED = Set.of("Namespace medik8s-leases");

  private static Map<String, Object> everything() throws IOException {
    Map<String, Object> values = HelmChart.values();
    values.replaceAll((_, value) -> value.equals(false) ? true : value);
    values.put("networkPolicy", Map.of("enabled", true, "apiServerPorts", List.of(6443)));
    values.put("monitoring", Map.of("enabled", true, "certManager", true, "dashboards", true));
    return values;
  }

  private static List<JsonNode> rendered(String changes) throws IOException {
    Map<String, Object> values = HelmChart.values();
    Map<String, Object> changed = new Yaml().load(changes);
    values.putAll(changed);
    return HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values);
  }

  private static String identity(JsonNode object) {
    JsonNode namespace = object.at("/metadata/namespace");
    return object.path("kind").asText()
        + " "
        + (namespace.isTextual() ? namespace.asText() + "/" : "")
        + object.at("/metadata/name").asText();
  }

  private static JsonNode object(List<JsonNode> objects, String identity) {
    return objects.stream()
        .filter(object -> identity(object).equals(identity))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + identity));
  }

  private static JsonNode pod(List<JsonNode> objects, String workload) {
    return object(objects, workload).at("/spec/template/spec");
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
    Set<String> one = identities(HelmChart.rendered(name, namespace, values));
    Set<String> other = identities(HelmChart.rendered(otherName, otherNamespace, values));
    assertThat(one).hasSameSizeAs(other).containsAll(SHARED);
    one.removeAll(SHARED);
    assertThat(one).isNotEmpty().doesNotContainAnyElementsOf(other);
  }

  private static Set<String> identities(List<JsonNode> objects) {
    Set<String> identities = new TreeSet<>();
    for (JsonNode object : objects) {
      assertThat(identities.add(identity(object))).as(identity(object)).isTrue();
    }
    return identities;
  }

  @Test
  @DisplayName("everything of a release is bound to the release's own accounts")
  void bound() throws IOException {
    List<JsonNode> objects = HelmChart.rendered("one", "team-a", everything());
    Set<String> there = identities(objects);
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
    assertThat(pod(objects, "DaemonSet team-a/one-probelet-agent").path("serviceAccountName"))
        .hasToString("\"one-probelet-agent\"");
    assertThat(pod(objects, "DaemonSet team-a/one-probelet-agent").at("/volumes/0/configMap/name"))
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
    assertThat(identities(rendered(changes))).contains("DaemonSet probelet-system/" + agent);
  }

  @Test
  @DisplayName(
      "a release of the chart 0.1.0 can keep its namespace and names, whatever it is called")
  void keepsNames() throws IOException {
    Map<String, Object> values = everything();
    Set<String> named =
        identities(HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values));
    named.add("Namespace " + HelmChart.NAMESPACE);
    values.put("namespace", HelmChart.NAMESPACE);
    values.put("fullnameOverride", "probelet");
    assertThat(identities(HelmChart.rendered("health", "default", values))).isEqualTo(named);
  }

  @Test
  @DisplayName("every object has the standard labels")
  void labels() throws IOException {
    for (JsonNode object : HelmChart.rendered("one", "team-a", everything())) {
      JsonNode labels = object.at("/metadata/labels");
      String part = labels.path("app.kubernetes.io/component").asText();
      assertThat(part).as(identity(object)).isIn("agent", "controller");
      assertThat(labels.path("app.kubernetes.io/name").asText()).isEqualTo("one-probelet-" + part);
      assertThat(labels.path("app.kubernetes.io/instance").asText()).isEqualTo("one");
      assertThat(labels.path("app.kubernetes.io/part-of").asText()).isEqualTo("probelet");
      assertThat(labels.path("app.kubernetes.io/managed-by").asText()).isEqualTo("Helm");
      assertThat(labels.path("app.kubernetes.io/version").asText()).startsWith("0.");
      assertThat(labels.path("helm.sh/chart").asText()).startsWith("probelet-0.");
    }
  }

  @Test
  @DisplayName("selectors are those of the chart 0.1.0, which can never be changed")
  void selectors() throws IOException {
    List<JsonNode> objects = rendered("{podLabels: {team: nodes}}");
    for (String part :
        List.of(
            "DaemonSet probelet-system/probelet-agent",
            "Deployment probelet-system/probelet-controller")) {
      JsonNode workload = object(objects, part);
      assertThat(workload.at("/spec/selector"))
          .hasToString(
              "{\"matchLabels\":{\"app.kubernetes.io/name\":\"%s\"}}"
                  .formatted(workload.at("/metadata/name").asText()));
      assertThat(workload.at("/spec/template/metadata/labels").toString())
          .contains(
              "\"app.kubernetes.io/name\":" + workload.at("/metadata/name"),
              "\"app.kubernetes.io/instance\":\"probelet\"",
              "\"team\":\"nodes\"");
    }
    assertThat(object(objects, "Service probelet-system/probelet-webhook").at("/spec/selector"))
        .hasToString("{\"app.kubernetes.io/name\":\"probelet-controller\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "DaemonSet probelet-system/probelet-agent, ''",
    "Deployment probelet-system/probelet-controller, controller"
  })
  @DisplayName("what pods are given by values of Kubernetes' own kind")
  void pods(String workload, String prefix) throws IOException {
    String values =
        """
        imagePullSecrets: [{name: registry}]
        imagePullPolicy: Always
        podAnnotations: {note: x}
        PNodeSelector: {kubernetes.io/arch: arm64}
        PAffinity: {nodeAffinity: {x: z}}
        PTolerations: [{key: gpu, operator: Exists}]
        PPriorityClassName: high
        PResources: {limits: {memory: 1Gi}}
        PExtraEnv: [{name: MORE, value: "1"}]
        PExtraVolumes: [{name: more, emptyDir: {}}]
        PExtraVolumeMounts: [{name: more, mountPath: /more}]
        """;
    List<JsonNode> objects = rendered(named(values, prefix));
    JsonNode template = object(objects, workload).at("/spec/template");
    JsonNode pod = template.path("spec");
    JsonNode container = pod.at("/containers/0");
    assertThat(template.at("/metadata/annotations")).hasToString("{\"note\":\"x\"}");
    assertThat(pod.path("imagePullSecrets")).hasToString("[{\"name\":\"registry\"}]");
    assertThat(pod.path("nodeSelector"))
        .isEqualTo(yaml("{kubernetes.io/os: linux, kubernetes.io/arch: arm64}"));
    assertThat(pod.path("affinity")).isEqualTo(yaml("{nodeAffinity: {x: z}}"));
    assertThat(pod.path("tolerations")).isEqualTo(yaml("[{key: gpu, operator: Exists}]"));
    assertThat(pod.path("priorityClassName").asText()).isEqualTo("high");
    assertThat(pod.path("volumes")).last().isEqualTo(yaml("{name: more, emptyDir: {}}"));
    assertThat(container.path("imagePullPolicy").asText()).isEqualTo("Always");
    assertThat(container.at("/resources/limits")).isEqualTo(yaml("{memory: 1Gi}"));
    assertThat(container.path("env")).last().isEqualTo(yaml("{name: MORE, value: '1'}"));
    assertThat(container.path("volumeMounts"))
        .last()
        .isEqualTo(yaml("{name: more, mountPath: /more}"));
  }

  private static JsonNode yaml(String text) {
    return DeployManifests.of(text).getFirst();
  }

  private static String named(String values, String prefix) {
    return values
        .lines()
        .map(line ->
            line.startsWith("P") ? named(line.substring(1), prefix.isEmpty(), prefix) : line)
        .collect(Collectors.joining("\n"));
  }

  private static String named(String line, boolean plain, String prefix) {
    return plain ? Character.toLowerCase(line.charAt(0)) + line.substring(1) : prefix + line;
  }

  @Test
  @DisplayName("the controller's network: the webhook for all, metrics for some, the API server")
  void networkPolicy() throws IOException {
    JsonNode policy =
        object(
                rendered(
                    "{networkPolicy: {enabled: true, metricsFrom: [{namespaceSelector: {}}],"
                        + " apiServerPorts: [6443]}}"),
                "NetworkPolicy probelet-system/probelet-controller")
            .path("spec");
    assertThat(policy.at("/podSelector/matchLabels"))
        .hasToString("{\"app.kubernetes.io/name\":\"probelet-controller\"}");
    assertThat(policy.path("ingress"))
        .hasToString(
            "[{\"ports\":[{\"port\":\"webhook\"}]},"
                + "{\"from\":[{\"namespaceSelector\":{}}],\"ports\":[{\"port\":\"http\"}]}]");
    assertThat(policy.path("egress"))
        .hasToString(
            "[{\"ports\":[{\"port\":6443}]},"
                + "{\"ports\":[{\"port\":53,\"protocol\":\"UDP\"},{\"port\":53}]}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"elsewhere", "probelet-system"})
  @DisplayName("a namespace other than the release's is made, the release's is not")
  void namespace(String namespace) throws IOException {
    boolean made =
        identities(rendered("namespace: " + namespace)).contains("Namespace " + namespace);
    assertThat(made).isEqualTo(!namespace.equals(HelmChart.NAMESPACE));
  }

  @Test
  @DisplayName("another namespace for the nodes' leases is the controller's, too")
  void leaseNamespace() throws IOException {
    List<JsonNode> objects = rendered("leaseNamespace: {name: leases, create: false}");
    assertThat(identities(objects))
        .contains("Role leases/probelet-remediation")
        .doesNotContain("Namespace leases", "Namespace medik8s-leases");
    assertThat(pod(objects, "Deployment probelet-system/probelet-controller").toString())
        .contains("{\"name\":\"LEASE_NAMESPACE\",\"value\":\"leases\"}");
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
    for (String name :
        List.of("clusterhealths.probelet.io", "nodehealthchecks.remediation.medik8s.io")) {
      JsonNode crd = DeployManifests.file("crds/" + name + ".yaml").getFirst();
      there.add(crd.at("/metadata/name").asText() + " " + crd.at("/spec/names/kind").asText());
    }
    assertThat(crds).isEqualTo(there);
    assertThat(listed(annotations, "artifacthub.io/changes")).isNotEmpty();
  }

  private static JsonNode listed(JsonNode annotations, String name) {
    return DeployManifests.of(annotations.path(name).asText()).getFirst();
  }
}
