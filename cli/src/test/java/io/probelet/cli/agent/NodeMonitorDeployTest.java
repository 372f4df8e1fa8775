package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/** deploy/node-monitor.yaml grants what watching nodes needs, and its patch fits the agents. */
class NodeMonitorDeployTest {
  private static final Path FOLDER = Path.of("..", "deploy");

  private static List<JsonNode> objects(String file) throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    for (Object document : new Yaml().loadAll(Files.readString(FOLDER.resolve(file)))) {
      objects.add(new ObjectMapper().valueToTree(document));
    }
    return objects;
  }

  @Test
  @DisplayName("B-6, B-8, B-11 the rights are those of the requests about nodes")
  void rights() throws IOException {
    Set<String> rights = new TreeSet<>();
    for (JsonNode object : objects("node-monitor.yaml")) {
      for (JsonNode rule : object.path("rules")) {
        for (JsonNode resource : rule.path("resources")) {
          rule.path("verbs").forEach(verb -> rights.add(verb.asText() + " " + resource.asText()));
        }
      }
    }
    assertThat(rights)
        .containsExactly(
            "create leases",
            "get leases",
            "get nodes/status",
            "list leases",
            "list nodes",
            "patch nodes",
            "patch nodes/status",
            "update leases");
  }

  @Test
  @DisplayName("the patch is for the agents' container, and its arguments are known")
  void patch() throws IOException {
    JsonNode patched =
        objects("variants/node-monitor-patch.yaml")
            .getFirst()
            .at("/spec/template/spec/containers/0");
    JsonNode agents =
        objects("daemonset.yaml").stream()
            .filter(object -> object.path("kind").asText().equals("DaemonSet"))
            .findFirst()
            .orElseThrow()
            .at("/spec/template/spec/containers/0");
    assertThat(patched.path("name")).isEqualTo(agents.path("name"));
    List<String> arguments = new ArrayList<>();
    patched.path("args").forEach(argument -> arguments.add(argument.asText()));
    agents.path("args").forEach(argument -> assertThat(arguments).contains(argument.asText()));
    new CommandLine(new AgentCommand())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .parseArgs(arguments.subList(1, arguments.size()).toArray(String[]::new));
  }
}
