package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.config.ConfigurationFile;
import io.probelet.agent.config.OrderSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The chart's values.schema.json, and what no schema can say. */
class ChartSchemaTest {
  private static List<JsonNode> render(String changes) throws IOException {
    Map<String, Object> values = HelmChart.values();
    Map<String, Object> changed = new Yaml().load(changes);
    values.putAll(changed);
    return HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "controler: true                                    | controler",
        "runtime: {folder: /run/crio}                       | folder",
        "networkPolicy: {enable: true}                      | enable",
        "podDisruptionBudget: {minAvailable: 1}             | minAvailable",
        "resources: {request: {cpu: 1}}                     | request",
        "replicas: two                                      | replicas",
        "controller: 'yes'                                  | controller",
        "maxUnavailable: most                               | maxUnavailable",
        "port: 70000                                        | port",
        "nodeConditions: \"Gpu' + 'Ready\"                  | nodeConditions",
        "nodeSelector: {gpu: true}                          | nodeSelector",
        "tolerations: {operator: Exists}                    | tolerations",
        "extraVolumeMounts: [{name: rules, mountPath: etc}] | mountPath",
        "extraEnv: [{value: x}]                             | name",
        "monitors: [gpu.json]                               | monitors",
        "imagePullPolicy: Sometimes                         | imagePullPolicy",
        "profiles: [{name: mesh}]                            | namespaces",
        "namespace: Probelet                                | namespace",
        "orders: {reboots: true}                            | reboots",
        "orders: {units: [kubelet]}                         | units",
        "networkPolicy: {apiServerPorts: []}                | apiServerPorts"
      })
  @DisplayName("a value of a wrong name or type is refused, and the message names it")
  void refused(String changes, String named) {
    assertThatThrownBy(() -> render(changes))
        .hasMessageContaining("values don't meet the specifications of the schema")
        .hasMessageContaining(named);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "maxUnavailable: 1",
        "resources: {limits: {cpu: 1, memory: 1Gi, example.com/gpu: 1}}",
        "runtime: {directory: '', socket: ''}",
        "extraEnv: [{name: NODE, valueFrom: {fieldRef: {fieldPath: spec.nodeName}}}]",
        "global: {imageRegistry: registry.example.com}",
        "nodeConditions: GpuLost example.com/FanBroken"
      })
  @DisplayName("what is right is not refused")
  void taken(String changes) {
    assertThatCode(() -> render(changes)).doesNotThrowAnyException();
  }

  @Test
  @DisplayName("the kubelet asks where the agents listen, and the configuration is YAML")
  void configuration() {
    assertThatThrownBy(() -> render("port: 20300"))
        .hasMessageContaining("port 20300")
        .hasMessageContaining("listen on 127.0.0.1:20258");
    assertThatThrownBy(() -> render("configuration: '{'"))
        .hasMessageContaining("configuration is not YAML");
    assertThatCode(() -> render("{port: 20300, configuration: 'http: {listen: \"[::1]:20300\"}'}"))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(strings = {"runtime", "leaseNamespace", "networkPolicy", "monitoring"})
  @DisplayName("values of an older chart, which lack what is new, are refused in plain words")
  void reused(String missing) {
    assertThatThrownBy(() -> render(missing + ": null"))
        .hasMessageContaining("the value %s is missing", missing)
        .hasMessageContaining("--reset-then-reuse-values");
  }

  @Test
  @DisplayName("TLS profiles are added to those of the configuration, and the agent takes them")
  void profiles(@TempDir Path home) throws IOException {
    String changes =
        """
        configuration: |
          policy:
            preset: restricted
            profiles: [{name: one, namespaces: [shop], tls: {}}]
        profiles:
        - name: mesh
          namespaces: ["edge-*"]
          tls: {caFile: /etc/probelet-profiles/ca.crt}
        """;
    String text =
        render(changes).stream()
            .filter(object -> object.path("kind").asText().equals("ConfigMap"))
            .map(object -> object.at("/data/agent.yaml").asText())
            .collect(Collectors.joining());
    ConfigurationFile.Reading reading =
        ConfigurationFile.read(Files.writeString(home.resolve("agent.yaml"), text));
    assertThat(reading.problems()).isEmpty();
    JsonNode configuration = DeployManifests.of(text).getFirst();
    assertThat(configuration.at("/policy/preset").asText()).isEqualTo("restricted");
    assertThat(configuration.at("/policy/profiles").findValuesAsText("name"))
        .containsExactly("one", "mesh");
  }

  @Test
  @DisplayName(
      "orders are added to the configuration, and the agent takes them; they are in one place")
  void orders(@TempDir Path home) throws IOException {
    String text =
        render("orders: {enabled: true, units: [k3s.service], reboot: true}").stream()
            .filter(object -> object.path("kind").asText().equals("ConfigMap"))
            .map(object -> object.at("/data/agent.yaml").asText())
            .collect(Collectors.joining());
    ConfigurationFile.Reading reading =
        ConfigurationFile.read(Files.writeString(home.resolve("agent.yaml"), text));
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.configuration().orders())
        .isEqualTo(new OrderSettings(true, Set.of("k3s.service"), true, false, false));
    String both = "{orders: {enabled: true}, configuration: 'orders: {reboot: true}'}";
    assertThatThrownBy(() -> render(both)).hasMessageContaining("use only one");
  }

  @Test
  @DisplayName("what is older than Kubernetes 1.30 has to say that it does without the policy")
  void older() throws IOException {
    Map<String, Object> values = HelmChart.values();
    assertThatThrownBy(() -> old(values))
        .hasMessageContaining("admissionPolicy needs Kubernetes 1.30, this cluster has v1.29.3");
    values.put("admissionPolicy", false);
    assertThatCode(() -> old(values)).doesNotThrowAnyException();
  }

  private static void old(Map<String, Object> values) throws IOException {
    HelmChart.rendered(HelmChart.RELEASE, HelmChart.NAMESPACE, values, "v1.29.3");
  }

  @Test
  @DisplayName("the schema has the values of values.yaml, all of them and no others")
  void values() throws IOException {
    ObjectMapper json = new ObjectMapper();
    JsonNode schema = json.readTree(HelmChart.DIRECTORY.resolve("values.schema.json").toFile());
    compare("values", schema, json.valueToTree(HelmChart.values()));
  }

  private static void compare(String name, JsonNode schema, JsonNode values) {
    assertThat(schema.path("additionalProperties").asBoolean(true)).as(name).isFalse();
    JsonNode properties = schema.path("properties");
    assertThat(properties.propertyStream().map(Map.Entry::getKey))
        .as(name)
        .filteredOn(key -> !key.equals("global")) // Helm's own
        .containsExactlyInAnyOrderElementsOf(
            values.propertyStream().map(Map.Entry::getKey).toList());
    for (Map.Entry<String, JsonNode> property : properties.properties()) {
      if (property.getValue().has("properties")) {
        compare(property.getKey(), property.getValue(), values.path(property.getKey()));
      }
    }
  }
}
