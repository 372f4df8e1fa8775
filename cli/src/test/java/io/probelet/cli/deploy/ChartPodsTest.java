package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the chart's values do to pods, their selectors and their network. */
class ChartPodsTest {
  @Test
  @DisplayName("selectors are those of the first chart, which can never be changed")
  void selectors() throws IOException {
    List<JsonNode> objects = HelmChart.rendered("{podLabels: {team: nodes}}");
    for (String part :
        List.of(
            "DaemonSet probelet-system/probelet-agent",
            "Deployment probelet-system/probelet-controller")) {
      JsonNode workload = HelmChart.object(objects, part);
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
    assertThat(
            HelmChart.object(objects, "Service probelet-system/probelet-webhook")
                .at("/spec/selector"))
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
    List<JsonNode> objects = HelmChart.rendered(named(values, prefix));
    JsonNode template = HelmChart.object(objects, workload).at("/spec/template");
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

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      textBlock =
          """
          {}                                                        | webhook metrics | none
          {networkPolicy: {metricsFrom: [{namespaceSelector: {}}]}} | webhook         | http metrics
          """)
  @DisplayName("the controller's network: the webhook for all, the page for some, without a value")
  void ingress(String values, String open, String some) throws IOException {
    JsonNode policy = networkPolicy(values);
    assertThat(policy.at("/podSelector/matchLabels"))
        .hasToString("{\"app.kubernetes.io/name\":\"probelet-controller\"}");
    assertThat(policy.path("policyTypes")).hasToString("[\"Ingress\",\"Egress\"]");
    assertThat(policy.path("ingress")).hasSize(some == null ? 1 : 2);
    assertThat(policy.at("/ingress/0/from").isMissingNode()).isTrue();
    assertThat(ports(policy.at("/ingress/0"))).isEqualTo(open);
    if (some != null) {
      assertThat(policy.at("/ingress/1/from")).isNotEmpty();
      assertThat(ports(policy.at("/ingress/1"))).isEqualTo(some);
    }
  }

  @Test
  @DisplayName("the controller calls API servers, DNS, and what else a value names")
  void egress() throws IOException {
    assertThat(networkPolicy("{}").path("egress"))
        .hasToString(
            "[{\"ports\":[{\"port\":443},{\"port\":6443},{\"port\":8443},{\"port\":16443}]},"
                + "{\"ports\":[{\"port\":53,\"protocol\":\"UDP\"},{\"port\":53}]}]");
    assertThat(
            networkPolicy(
                    "{networkPolicy: {apiServerPorts: [6443], egress: [{ports: [{port: 8080}]}]}}")
                .path("egress"))
        .hasToString(
            "[{\"ports\":[{\"port\":6443}]},"
                + "{\"ports\":[{\"port\":53,\"protocol\":\"UDP\"},{\"port\":53}]},"
                + "{\"ports\":[{\"port\":8080}]}]");
  }

  @Test
  @DisplayName("without a controller, or where that is wanted, there is no policy")
  void noNetworkPolicy() throws IOException {
    for (String values : List.of("networkPolicy: {enabled: false}", "controller: false")) {
      assertThat(HelmChart.identities(HelmChart.rendered(values)))
          .doesNotContain("NetworkPolicy probelet-system/probelet-controller");
    }
  }

  private static JsonNode networkPolicy(String values) throws IOException {
    return HelmChart.object(
            HelmChart.rendered(values), "NetworkPolicy probelet-system/probelet-controller")
        .path("spec");
  }

  private static String ports(JsonNode rule) {
    return rule.path("ports")
        .valueStream()
        .map(port -> port.path("port").asText())
        .collect(Collectors.joining(" "));
  }

  @Test
  @DisplayName("another namespace for the nodes' leases is the controller's, too")
  void leaseNamespace() throws IOException {
    List<JsonNode> objects = HelmChart.rendered("leaseNamespace: {name: leases, create: false}");
    assertThat(HelmChart.identities(objects))
        .contains("Role leases/probelet-remediation")
        .doesNotContain("Namespace leases", "Namespace medik8s-leases");
    assertThat(HelmChart.pod(objects, "Deployment probelet-system/probelet-controller").toString())
        .contains("{\"name\":\"LEASE_NAMESPACE\",\"value\":\"leases\"}");
  }
}
