package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.config.ConfigurationFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** deploy/daemonset.yaml is what this agent needs, and no more. */
class DaemonSetTest {
  private static final Path FILE = Path.of("..", "deploy", "daemonset.yaml");

  private final List<JsonNode> objects = new ArrayList<>();

  @BeforeEach
  void read() throws IOException {
    ObjectMapper json = new ObjectMapper();
    for (Object document : new Yaml().loadAll(Files.readString(FILE))) {
      objects.add(json.valueToTree(document));
    }
  }

  private JsonNode object(String kind) {
    return objects.stream()
        .filter(each -> each.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private JsonNode pod() {
    return object("DaemonSet").at("/spec/template/spec");
  }

  private JsonNode container() {
    return pod().at("/containers/0");
  }

  @Test
  @DisplayName("the rights are those of the requests that the agent makes")
  void rights() {
    assertThat(rights("ClusterRole"))
        .containsExactly(
            "create events", "list pods", "patch events", "patch pods/status", "watch pods");
    assertThat(rights("Role")).containsExactly("create leases", "patch leases");
  }

  @Test
  @DisplayName("allows the 100 s that a start takes on a node without spare CPU")
  void slowStart() {
    JsonNode startup = container().path("startupProbe");
    assertThat(startup.at("/httpGet/path").asText()).isEqualTo("/livez");
    assertThat(startup.path("failureThreshold").asInt() * startup.path("periodSeconds").asInt())
        .isGreaterThanOrEqualTo(600);
  }

  private Set<String> rights(String kind) {
    Set<String> rights = new TreeSet<>();
    for (JsonNode rule : object(kind).path("rules")) {
      for (JsonNode resource : rule.path("resources")) {
        rule.path("verbs").forEach(verb -> rights.add(verb.asText() + " " + resource.asText()));
      }
    }
    return rights;
  }

  @Test
  @DisplayName("every object is in the agents' namespace, which comes first")
  void namespace() {
    assertThat(objects.getFirst().path("kind").asText()).isEqualTo("Namespace");
    assertThat(
            objects.stream()
                .filter(each -> each.at("/metadata/namespace").isTextual())
                .map(each -> each.at("/metadata/namespace").asText()))
        .containsOnly("probelet-system");
  }

  @Test
  @DisplayName("the configuration is valid and mounted at the path that the agent reads")
  void configuration(@TempDir Path home) throws IOException {
    JsonNode data = object("ConfigMap").path("data");
    Path file = Files.writeString(home.resolve("agent.yaml"), data.path("agent.yaml").asText());
    ConfigurationFile.Reading reading = ConfigurationFile.read(file);
    assertThat(reading.problems()).isEmpty();
    String address = "127.0.0.1:" + container().at("/livenessProbe/httpGet/port").asInt();
    assertThat(reading.configuration().http().listen()).hasToString(address);
    assertThat(container().at("/volumeMounts/0/mountPath").asText() + "/agent.yaml")
        .isEqualTo(environment("PROBELET_CONFIG"));
  }

  @Test
  @DisplayName("a changed ConfigMap reaches the agent: it is mounted as a folder")
  void followsTheConfigMap() {
    JsonNode mount = container().at("/volumeMounts/0");
    assertThat(mount.path("name").asText()).isEqualTo(pod().at("/volumes/0/name").asText());
    assertThat(pod().at("/volumes/0/configMap/name").asText())
        .isEqualTo(object("ConfigMap").at("/metadata/name").asText());
    assertThat(mount.has("subPath")).as("which a kubelet never updates").isFalse();
  }

  private String environment(String name) {
    for (JsonNode variable : container().path("env")) {
      if (variable.path("name").asText().equals(name)) {
        return variable.path("value").asText();
      }
    }
    throw new AssertionError("no variable " + name);
  }

  @Test
  @DisplayName("arguments and environment are known to the command line")
  void commandLine() {
    List<String> arguments = new ArrayList<>();
    container().path("args").forEach(argument -> arguments.add(argument.asText()));
    assertThat(arguments.removeFirst()).isEqualTo("agent");
    CommandLine line =
        new CommandLine(new AgentCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    line.parseArgs(arguments.toArray(String[]::new));
    String help = line.getUsageMessage().replaceAll("\\s+", " ");
    for (JsonNode variable : container().path("env")) {
      String name = variable.path("name").asText();
      if (!name.equals("XDG_STATE_HOME")) { // everybody's, which a configuration file may overrule
        assertThat(help).contains(name);
      }
    }
  }

  @Test
  @DisplayName("state is kept on the node, at the path that the agent writes")
  void state() {
    String folder = environment("XDG_STATE_HOME") + "/probelet";
    for (JsonNode mount : container().path("volumeMounts")) {
      if (mount.path("name").asText().equals("state")) {
        assertThat(mount.path("mountPath").asText()).isEqualTo(folder);
        assertThat(mount.path("readOnly").asBoolean()).isFalse();
      }
    }
    assertThat(pod().path("volumes").findValuesAsText("path")).contains(folder);
  }

  @Test
  @DisplayName("the pod has no more privileges than its runtime socket gives it")
  void confined() {
    JsonNode security = container().path("securityContext");
    assertThat(security.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(security.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(security.at("/capabilities/drop/0").asText()).isEqualTo("ALL");
    assertThat(security.path("capabilities").has("add")).isFalse();
    assertThat(security.at("/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    assertThat(pod().path("priorityClassName").asText()).isEqualTo("system-node-critical");
    assertThat(pod().at("/tolerations/0")).hasToString("{\"operator\":\"Exists\"}");
    assertThat(environment("PROBELET_RUNTIME_ENDPOINT"))
        .startsWith("unix://" + pod().at("/volumes/1/hostPath/path").asText());
  }
}
