package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.health.ReservedPort;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A tape of what a real Prometheus has; its own tool writes its memory. */
@Timeout(120)
class PrometheusProcessTest {
  private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
  private static final Path PROMETHEUS = Path.of("/usr/bin/prometheus");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  @TempDir private Path folder;

  private static String memory() {
    StringBuilder conditions = new StringBuilder("# TYPE kube_node_status_condition gauge\n");
    StringBuilder cordons = new StringBuilder("# TYPE kube_node_spec_unschedulable gauge\n");
    for (int minute = 0; minute <= 60; minute++) {
      long at = START.getEpochSecond() + minute * 60L;
      if (minute >= 40 && minute < 45) {
        continue; // kube-state-metrics is away
      }
      for (String node : minute < 30 ? List.of("a", "b") : List.of("a")) {
        boolean ready = !node.equals("a") || minute < 10 || minute >= 20;
        for (String status : List.of("true", "false", "unknown")) {
          boolean is = status.equals(ready ? "true" : "unknown");
          conditions.append(
              "kube_node_status_condition{instance=\"%s\",node=\"%s\",condition=\"Ready\",status=\"%s\"} %d %d\n"
                  .formatted(minute < 50 ? "x" : "y", node, status, is ? 1 : 0, at));
        }
        cordons.append(
            "kube_node_spec_unschedulable{node=\"%s\"} %d %d\n"
                .formatted(node, minute == 5 ? 1 : 0, at));
      }
    }
    return conditions.append(cordons).append("# EOF\n").toString();
  }

  @Test
  @DisplayName(
      "TP-9 record --from-prometheus of a real one: conditions, a cordon, a node gone, a gap")
  void real() throws Exception {
    assumeTrue(
        Files.isExecutable(PROMETHEUS) && Files.isExecutable(PROMTOOL),
        "needs Debian's package prometheus");
    Path text = Files.writeString(folder.resolve("memory.txt"), memory());
    Path data = folder.resolve("data");
    run(PROMTOOL + "", "tsdb", "create-blocks-from", "openmetrics", text + "", data + "");
    Path config = Files.writeString(folder.resolve("prometheus.yml"), "");
    ReservedPort reserved = new ReservedPort();
    int port = reserved.number();
    Process process =
        new ProcessBuilder(
                PROMETHEUS + "",
                "--config.file=" + config,
                "--storage.tsdb.path=" + data,
                "--storage.tsdb.retention.time=50y",
                "--query.lookback-delta=50s",
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(() -> {
            try (var in =
                URI.create("http://127.0.0.1:" + port + "/-/ready").toURL().openStream()) {
              return in.readAllBytes().length > 0;
            }
          });
      assertThat(recorded("http://127.0.0.1:" + port))
          .containsExactly(
              "{\"tape\":1,\"start\":\"2026-10-01T00:00:00Z\",\"source\":\"prometheus\"}",
              node("a"),
              node("b"),
              "{\"at\":\"2026-10-01T00:05:00Z\",\"cordon\":{\"node\":\"a\",\"cordoned\":true}}",
              "{\"at\":\"2026-10-01T00:05:00Z\",\"cordon\":{\"node\":\"b\",\"cordoned\":true}}",
              "{\"at\":\"2026-10-01T00:06:00Z\",\"cordon\":{\"node\":\"a\",\"cordoned\":false}}",
              "{\"at\":\"2026-10-01T00:06:00Z\",\"cordon\":{\"node\":\"b\",\"cordoned\":false}}",
              ready("2026-10-01T00:10:00Z", "Unknown"),
              ready("2026-10-01T00:20:00Z", "True"),
              "{\"at\":\"2026-10-01T00:30:00Z\",\"nodeGone\":\"b\"}",
              "{\"at\":\"2026-10-01T00:45:00Z\",\"gap\":{\"from\":\"2026-10-01T00:40:00Z\"}}",
              "{\"at\":\"2026-10-01T01:00:00Z\",\"end\":true}");
    } finally {
      process.destroyForcibly().waitFor();
      reserved.close();
    }
  }

  private static String node(String name) {
    return "{\"at\":\"2026-10-01T00:00:00Z\",\"node\":{\"name\":\"%s\",\"uid\":\"node-%s-%d\",\"created\":\"1970-01-01T00:00:00Z\",\"labels\":{},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}"
        .formatted(name, name, START.getEpochSecond());
  }

  private static String ready(String at, String status) {
    return "{\"at\":\"%s\",\"condition\":{\"node\":\"a\",\"type\":\"Ready\",\"status\":\"%s\"}}"
        .formatted(at, status);
  }

  private List<String> recorded(String url) throws IOException {
    Path tape = folder.resolve("tape.jsonl");
    StringWriter err = new StringWriter();
    CommandLine command = Probelet.commandLine().setErr(new PrintWriter(err));
    int code =
        command.execute(
            "record",
            "--from-prometheus=" + url,
            "--since=2h",
            "--until=2026-10-01T01:00:00Z",
            "--tape=" + tape);
    assertThat(code).as(err.toString()).isZero();
    assertThat(err.toString()).contains("begins 2026-10-01T00:00:00Z");
    return Files.readAllLines(tape);
  }

  private void run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("promtool.log").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("promtool.log"))).isZero();
  }
}
