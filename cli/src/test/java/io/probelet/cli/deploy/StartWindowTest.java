package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** What is deployed starts on a node where nobody leaves it more than it has asked for. */
class StartWindowTest {
  /** Of processor time, by {@code benchmarks/run start}, on a machine that is not quick. */
  private static final double START_COST_SECONDS = 2.5;

  /** For what a starved node has to wait for besides. */
  private static final int TIMES = 3;

  @ParameterizedTest
  @CsvSource({
    "daemonset.yaml, DaemonSet",
    "variants/daemonset-nonroot.yaml, DaemonSet",
    "variants/all-in-one.yaml, DaemonSet",
    "controller.yaml, Deployment"
  })
  @DisplayName(
      "the processor time requested is enough for a start within the startup probe's window")
  void window(String file, String kind) throws Exception {
    JsonNode container = container(file, kind);
    JsonNode probe = container.path("startupProbe");
    int windowSeconds =
        probe.path("periodSeconds").asInt(10) * probe.path("failureThreshold").asInt(3);
    String cpu = container.at("/resources/requests/cpu").asText();
    assertThat(cpu).matches("[0-9]+m");
    double share = Integer.parseInt(cpu.replace("m", "")) / 1000.0;
    assertThat(windowSeconds * share).isGreaterThanOrEqualTo(TIMES * START_COST_SECONDS);
    assertThat(container.at("/resources/limits/cpu").isMissingNode())
        .as("a limit would starve it on an idle node, too")
        .isTrue();
  }

  private static JsonNode container(String file, String kind) throws Exception {
    ObjectMapper json = new ObjectMapper();
    for (Object document :
        new Yaml().loadAll(Files.readString(Path.of("..", "deploy").resolve(file)))) {
      JsonNode object = json.valueToTree(document);
      if (object.path("kind").asText().equals(kind)) {
        return object.at("/spec/template/spec/containers/0");
      }
    }
    throw new IllegalStateException("no " + kind + " in " + file);
  }
}
