package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.node.SystemStatsFile;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A command line of node-problem-detector, and what its users expect to find. */
class DetectorCompatTest {
  @TempDir Path home;
  private final HttpClient client = HttpClient.newHttpClient();

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(1)).ignoreExceptions();
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private Path config(String name, String content) throws IOException {
    return Files.writeString(home.resolve(name), content);
  }

  @Test
  @DisplayName("A-8, issue 6 acceptance 4: its files, flags, ports, endpoints and metrics")
  void serves() throws Exception {
    FakeApiServer api = new FakeApiServer();
    Path kubeconfig = config("kubeconfig", api.kubeconfig());
    Path settings =
        config("agent.yaml", "nodeMonitor: {stateFolder: %s}".formatted(home.resolve("state")));
    Path kmsg = Files.createFile(home.resolve("kmsg"));
    Path kernel =
        config(
            "kernel-monitor.json",
            """
            {"plugin": "kmsg", "logPath": "/dev/kmsg", "lookback": "5m", "bufferSize": 10,
             "source": "kernel-monitor", "metricsReporting": true,
             "conditions": [{"type": "LinkDown", "reason": "LinkIsUp", "message": "link is up"}],
             "rules": [
               {"type": "temporary", "reason": "OOMKilling", "pattern": "Killed process \\\\d+ .*"},
               {"type": "permanent", "condition": "LinkDown", "reason": "NoCarrier",
                "pattern": "link down"}]}
            """);
    Path plugin =
        config(
            "custom-plugin-monitor.json",
            """
            {"plugin": "custom", "pluginConfig": {"invoke_interval": "30s", "timeout": "20s"},
             "source": "ntp-custom-plugin-monitor",
             "conditions": [{"type": "NTPProblem", "reason": "NTPIsUp", "message": "ntp is up"}],
             "rules": [{"type": "permanent", "condition": "NTPProblem", "reason": "NTPIsDown",
                        "path": "/bin/false"}]}
            """);
    Path stats =
        config(
            "system-stats-monitor.json",
            """
            {"cpu": {"metricsConfigs": {"cpu/load_1m": {"displayName": "cpu/load_1m"}}},
             "disk": {"metricsConfigs": {"disk/smart": {"displayName": "disk/smart"},
                                         "disk/io_time": {"displayName": "disk/io_time"}}},
             "host": {"metricsConfigs": {"host/uptime": {"displayName": "host/uptime"}}},
             "memory": {"metricsConfigs": {"memory/bytes_used": {"displayName": "mem/used"}}},
             "invokeInterval": "60s"}
            """);
    int port = FreePort.choose();
    int metricsPort = FreePort.choose();
    try (api;
        AgentUnderTest agent =
            AgentUnderTest.start(
                "agent",
                "--kubeconfig=" + kubeconfig,
                "--config=" + settings,
                "--node-name=here",
                "--runtime-endpoint=none",
                "--listen=127.0.0.1:0",
                "--kmsg=" + kmsg,
                "--config.system-log-monitor=" + kernel,
                "--config.custom-plugin-monitor=" + plugin,
                "--config.system-stats-monitor=" + stats,
                "--npd-compat",
                "--v=2",
                "--event-namespace=monitoring",
                "--port=" + port,
                "--prometheus-port=" + metricsPort)) {
      patiently()
          .until(() ->
              agent.lines().stream()
                  .anyMatch(line -> line.contains("disk/smart is not collected")));
      Files.writeString(
          kmsg,
          "Killed process 1234 (foo) total-vm:1kB, anon-rss:1kB, file-rss:0kB\neth0: link down\n",
          StandardOpenOption.APPEND);
      patiently()
          .untilAsserted(() ->
              assertThat(get(metricsPort, "/metrics").body().lines())
                  .contains(
                      "# TYPE problem_counter counter",
                      "problem_counter{reason=\"OOMKilling\"} 1.0",
                      "problem_counter{reason=\"NTPIsDown\"} 1.0",
                      "problem_gauge{reason=\"NoCarrier\",type=\"LinkDown\"} 1.0",
                      "problem_gauge{reason=\"NTPIsDown\",type=\"NTPProblem\"} 1.0")
                  .anyMatch(line -> line.startsWith("cpu_load_1m "))
                  .anyMatch(line -> line.startsWith("host_uptime{kernel_version="))
                  .anyMatch(line -> line.startsWith("mem_used{state=\"free\"} ")));
      assertThat(agent.lines()).anyMatch(line -> line.contains("(--v, --logtostderr"));
      patiently().until(() -> api.writes("/namespaces/monitoring/events").size() == 3);
      assertThat(get(port, "/healthz").statusCode()).isEqualTo(200);
      JsonNode conditions = new ObjectMapper().readTree(get(port, "/conditions").body());
      assertThat(conditions.findValuesAsText("type")).containsExactly("LinkDown", "NTPProblem");
      assertThat(conditions.findValuesAsText("status")).containsExactly("True", "True");
      assertThat(conditions.findValuesAsText("reason")).containsExactly("NoCarrier", "NTPIsDown");
      assertThat(conditions.findValuesAsText("message").getFirst()).contains("link down");
      assertThat(Instant.parse(conditions.get(0).path("transition").asText()))
          .isBefore(Instant.now());
      agent.signal("TERM");
      assertThat(agent.exitCode()).isZero();
    }
  }

  @Test
  @DisplayName("A-8 statistics: an unknown one is a warning, a broken file an error")
  void statistics() throws IOException {
    Path odd = config("odd.json", "{\"x\":{\"metricsConfigs\":{\"x/y\":{\"displayName\":\"z\"}}}}");
    SystemStatsFile read = SystemStatsFile.read(List.of(odd));
    assertThat(read.choice().names()).isEmpty();
    assertThat(read.problems()).singleElement().matches(problem -> !problem.isError());
    Path broken = config("broken.json", "{");
    assertThat(SystemStatsFile.read(List.of(broken)).problems())
        .singleElement()
        .matches(problem -> problem.isError());
  }
}
