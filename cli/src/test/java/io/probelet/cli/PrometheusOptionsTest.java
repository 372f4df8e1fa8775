package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.rehearsal.prometheus.FakePrometheus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** {@code probelet record --from-prometheus} as a user calls it. */
class PrometheusOptionsTest {
  private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
  private static final Instant LATER = START.plus(Duration.ofDays(9));

  /** Bounds of a tape (TP-1). */
  private static final int MAX_CONDITIONS = 64;

  private static final int MAX_LABELS = 256;

  @TempDir private Path folder;
  private FakePrometheus prometheus;
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    prometheus = new FakePrometheus();
  }

  @AfterEach
  void stop() {
    prometheus.close();
  }

  private Path tape() {
    return folder.resolve("tape.jsonl");
  }

  private int record(String... options) {
    List<String> all = new ArrayList<>(List.of("record", "--tape=" + tape()));
    all.addAll(List.of("--from-prometheus=" + prometheus.url(), "--until=2026-10-01T02:00:00Z"));
    all.addAll(List.of("--since=2h"));
    for (String option : options) {
      all.removeIf(each -> each.startsWith(option.substring(0, option.indexOf('=') + 1)));
      all.add(option);
    }
    CommandLine command = Probelet.commandLine().setErr(new PrintWriter(err));
    return command.execute(all.toArray(String[]::new));
  }

  @Test
  @DisplayName("TP-9 the times of a tape are multiples of its step")
  void times() throws IOException {
    prometheus.condition("a", "Ready", "true", START, LATER);
    assertThat(record("--step=30s", "--until=2026-10-01T02:00:29Z")).as(err.toString()).isZero();
    assertThat(Files.readAllLines(tape())).first().asString().contains("2026-10-01T00:00:00Z");
    assertThat(Files.readAllLines(tape())).last().asString().contains("2026-10-01T02:00:00Z");
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        arguments("--from-prometheus=ftp://here", "--from-prometheus must be a URL"),
        arguments("--from-prometheus=http://me:secret@here", "without user"),
        arguments("--from-prometheus=http://here?a=b", "without user, query"),
        arguments("--from-prometheus=:", "--from-prometheus must be a URL"),
        arguments("--step=4s", "--step must be from 5s to 5m"),
        arguments("--step=5m1s", "--step must be from 5s to 5m"),
        arguments("--step=7500ms", "in whole seconds"),
        arguments("--since=367d", "--since must be from one step to 366d"),
        arguments("--since=30s", "--since must be from one step"),
        arguments("--since=a month", "--since: "),
        arguments("--until=yesterday", "--until must be a time"),
        arguments("--until=9999-01-01T00:00:00Z", "--until must not be after now"),
        arguments("--until=-1000000000-01-01T00:00:00Z", "--until must not be"),
        arguments("--match=" + "x".repeat(2_001), "--match is longer than 2000"),
        arguments("--token-file=/here", "--token-file requires an https URL"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  @DisplayName("refuses a wrong option and names the allowed values")
  void wrong(String option, String why) {
    assertThat(record(option)).isEqualTo(2);
    assertThat(err.toString()).contains(why).doesNotContain("secret");
    assertThat(tape()).doesNotExist();
  }

  static Stream<Arguments> strangeNodes() {
    return Stream.of(
        arguments(
            "\"node\":\"A B\",\"condition\":\"Ready\",\"status\":\"true\"", "invalid node name"),
        arguments("\"condition\":\"Ready\",\"status\":\"true\"", "needs the label node"),
        arguments("\"node\":\"b\",\"status\":\"true\"", "needs the label condition"),
        arguments("\"node\":\"b\",\"condition\":\"Ready\",\"status\":\"yes\"", "true, false or"),
        arguments(
            "\"node\":\"b\",\"status\":\"true\",\"condition\":\"" + "x".repeat(317) + "\"",
            "of up to 316 characters"));
  }

  @ParameterizedTest
  @MethodSource("strangeNodes")
  @DisplayName("TP-10 invalid data is an error, and the unfinished tape is removed")
  void strangeNodes(String labels, String why) {
    prometheus.condition("a", "Ready", "true", START, LATER);
    prometheus.keep("kube_node_status_condition", labels, START.plusSeconds(3_600), LATER);
    assertThat(record()).isEqualTo(2);
    assertThat(err.toString())
        .startsWith("probelet record: " + prometheus.url() + " has data that a tape cannot contain")
        .contains(why)
        .contains("no tape was written");
    assertThat(tape()).doesNotExist();
  }

  @Test
  @DisplayName("TP-10 limits the conditions of a node")
  void conditions() {
    for (int i = 0; i <= MAX_CONDITIONS; i++) {
      prometheus.condition("a", "Type" + i, "true", START, LATER);
    }
    assertThat(record()).isEqualTo(2);
    assertThat(err.toString()).contains("node a has more than 64 conditions");
  }

  @Test
  @DisplayName("TP-10 limits the labels of a node")
  void labels() {
    prometheus.condition("a", "Ready", "true", START, LATER);
    StringBuilder labels = new StringBuilder("\"node\":\"a\"");
    for (int i = 0; i <= MAX_LABELS; i++) {
      labels.append(",\"label_").append(i).append("\":\"x\"");
    }
    prometheus.keep("kube_node_labels", labels.toString(), START, LATER);
    assertThat(record()).isEqualTo(2);
    assertThat(err.toString()).contains("node a has more than 256 labels");
  }

  @Test
  @DisplayName("neither overwrites nor removes an existing tape")
  void exists() throws IOException {
    Files.writeString(tape(), "mine");
    prometheus.condition("a", "Ready", "true", START, LATER);
    assertThat(record()).isEqualTo(2);
    assertThat(err.toString()).contains("already exists");
    assertThat(Files.readString(tape())).isEqualTo("mine");
  }

  @Test
  @DisplayName("reports a tape that is full and lacks its last line")
  void full() throws IOException {
    prometheus.condition("a", "Ready", "true", START, LATER);
    for (int i = 0; i < 9_000; i++) {
      prometheus.condition("node-" + i, "Ready", "true", START, LATER);
    }
    assertThat(record("--max-mebibytes=1", "--since=1m")).isEqualTo(1);
    assertThat(err.toString()).contains("is full");
    assertThat(Files.readAllLines(tape())).last().asString().doesNotContain("\"end\"");
  }
}
