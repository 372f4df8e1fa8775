package io.probelet.cli.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The alerts, as Prometheus itself reads them and as they fire. Costs some 5 s of CPU: some 60
 * tests.
 */
@Timeout(300)
class PromtoolTest {
  private static final Path TESTS = Path.of("src", "test", "resources", "monitoring");

  @TempDir private Path folder;

  private String promtool(String... arguments) throws IOException, InterruptedException {
    assumeThat(Stream.of(System.getenv("PATH").split(":", -1)).map(Path::of))
        .as("promtool, which Debian has in its package prometheus")
        .anyMatch(bin -> Files.isExecutable(bin.resolve("promtool")));
    // JSON is YAML.
    Files.writeString(folder.resolve("rules.yaml"), MonitoringFiles.rules().toString());
    for (String file : List.of("alerts-test.yaml", "one-alert-test.yaml", "kubelet-test.yaml")) {
      Files.copy(TESTS.resolve(file), folder.resolve(file));
    }
    Path output = folder.resolve("output");
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of("promtool"), Stream.of(arguments)).toList())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as("%s", Files.readString(output)).isZero();
    return Files.readString(output);
  }

  @Test
  @DisplayName("promtool check rules")
  void check() throws Exception {
    assertThat(promtool("check", "rules", "rules.yaml"))
        .contains("SUCCESS: " + MonitoringFiles.alerts().size() + " rules found");
  }

  /** Writes each query of the dashboards as a rule, and returns their number. */
  private int queries() throws IOException {
    StringBuilder rules = new StringBuilder("groups:\n- name: dashboards\n  rules:\n");
    int queries = 0;
    for (JsonNode dashboard : MonitoringFiles.dashboards().values()) {
      for (JsonNode target : dashboard.findParents("expr")) {
        String query =
            target.path("expr").asText().replace("$__rate_interval", "5m").replace("$", "");
        rules.append("  - record: query:%d\n    expr: >-\n      %s\n".formatted(queries++, query));
      }
    }
    Files.writeString(folder.resolve("queries.yaml"), rules);
    return queries;
  }

  @Test
  @DisplayName("promtool reads every query of the dashboards")
  void dashboards() throws Exception {
    int queries = queries();
    assertThat(queries).isGreaterThan(60);
    assertThat(promtool("check", "rules", "--lint=none", "queries.yaml"))
        .contains("SUCCESS: " + queries + " rules found");
  }

  @Test
  @DisplayName("promtool test rules: each alert fires, and is silent when all is well")
  void fire() throws Exception {
    assertThat(promtool("test", "rules", "alerts-test.yaml")).contains("SUCCESS");
  }

  @Test
  @DisplayName("promtool test rules: one cause fires one alert")
  void oneAlert() throws Exception {
    assertThat(promtool("test", "rules", "one-alert-test.yaml")).contains("SUCCESS");
  }

  @Test
  @DisplayName("no alert or dashboard counts the series of a kubelet that is scraped, too")
  void kubelet() throws Exception {
    queries();
    assertThat(promtool("test", "rules", "kubelet-test.yaml")).contains("SUCCESS");
  }

  @Test
  @DisplayName("there is a test for each alert of both kinds")
  void complete() throws IOException {
    String tests = Files.readString(TESTS.resolve("alerts-test.yaml"));
    List<String> names = MonitoringFiles.alerts().stream().map(alert -> name(alert)).toList();
    assertThat(names)
        .allSatisfy(
            name -> assertThat(tests).contains(name + " fires\n").contains(name + " is silent\n"));
  }

  private static String name(JsonNode alert) {
    return alert.path("alert").asText();
  }
}
