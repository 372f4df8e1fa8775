package io.probelet.rehearsal.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.RetryBackoff;
import io.probelet.nodehealth.tape.TapeLine;
import io.probelet.nodehealth.tape.TapeReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PrometheusTapeTest {
  private static final Instant START = Instant.parse("2026-10-01T00:00:00Z");
  private static final Instant END = START.plus(Duration.ofHours(2));

  @TempDir private Path folder;
  private FakePrometheus prometheus;
  private final List<String> lines = new ArrayList<>();
  private final List<Instant> reached = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    prometheus = new FakePrometheus();
  }

  @AfterEach
  void stop() {
    prometheus.close();
  }

  private static Instant minute(int count) {
    return START.plus(Duration.ofMinutes(count));
  }

  private void ready(String node, int from, int to) {
    prometheus.condition(node, "Ready", "true", minute(from), minute(to));
  }

  private Instant make() throws Exception {
    PrometheusSource source =
        new PrometheusSource(
            prometheus.url(),
            Optional.empty(),
            Optional.empty(),
            "cluster=\"prod\"",
            Set.of("example.com/nodePool"),
            START,
            END,
            Duration.ofMinutes(1));
    PrometheusClient client =
        new PrometheusClient(
            source,
            Duration.ofSeconds(20),
            RetryBackoff.doubling(Duration.ofMillis(1), Duration.ofMillis(1)),
            new Random(1));
    return new PrometheusTape(source, client, "prod", lines::add, reached::add).make(() -> false);
  }

  private List<TapeLine> read() throws Exception {
    List<TapeLine> read = new ArrayList<>();
    try (TapeReader tape = TapeReader.open(Files.write(folder.resolve("tape.jsonl"), lines))) {
      for (TapeLine line = tape.next(); line != null; line = tape.next()) {
        read.add(line);
      }
      assertThat(tape.ended()).isTrue();
    }
    return read;
  }

  @Test
  @DisplayName("TP-9 the state at the beginning, then what changed, once and in the order of time")
  void changes() throws Exception {
    ready("worker-1", -60, 10);
    prometheus.condition("worker-1", "Ready", "unknown", minute(10), minute(15));
    ready("worker-1", 15, 500);
    prometheus.condition("worker-1", "DiskPressure", "false", minute(-60), minute(500));
    ready("worker-2", -60, 500);
    prometheus.keep(
        "kube_node_spec_unschedulable", "\"node\":\"worker-2\"", minute(12), minute(13));
    prometheus.keep(
        "kube_node_role", "\"node\":\"worker-1\",\"role\":\"worker\"", minute(-9), minute(500));
    prometheus.keep(
        "kube_node_labels",
        "\"node\":\"worker-1\",\"job\":\"ksm\",\"label_topology_kubernetes_io_zone\":\"a\","
            + "\"label_example_com_node_pool\":\"big\",\"label_other_name\":\"x\"",
        minute(-9),
        minute(500));

    assertThat(make()).isEqualTo(START);
    assertThat(lines)
        .containsExactly(
            "{\"tape\":1,\"start\":\"2026-10-01T00:00:00Z\",\"cluster\":\"prod\","
                + "\"source\":\"prometheus\"}",
            "{\"at\":\"2026-10-01T00:00:00Z\",\"node\":{\"name\":\"worker-1\","
                + "\"uid\":\"node-worker-1-1790812800\",\"created\":\"1970-01-01T00:00:00Z\","
                + "\"labels\":{\"example.com/nodePool\":\"big\","
                + "\"node-role.kubernetes.io/worker\":\"\",\"other_name\":\"x\","
                + "\"topology.kubernetes.io/zone\":\"a\"},"
                + "\"conditions\":[{\"type\":\"DiskPressure\",\"status\":\"False\"},"
                + "{\"type\":\"Ready\",\"status\":\"True\"}]}}",
            "{\"at\":\"2026-10-01T00:00:00Z\",\"node\":{\"name\":\"worker-2\","
                + "\"uid\":\"node-worker-2-1790812800\",\"created\":\"1970-01-01T00:00:00Z\","
                + "\"labels\":{},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
            "{\"at\":\"2026-10-01T00:10:00Z\",\"condition\":{\"node\":\"worker-1\","
                + "\"type\":\"Ready\",\"status\":\"Unknown\"}}",
            "{\"at\":\"2026-10-01T00:12:00Z\",\"cordon\":{\"node\":\"worker-2\",\"cordoned\":true}}",
            "{\"at\":\"2026-10-01T00:13:00Z\",\"cordon\":{\"node\":\"worker-2\",\"cordoned\":false}}",
            "{\"at\":\"2026-10-01T00:15:00Z\",\"condition\":{\"node\":\"worker-1\","
                + "\"type\":\"Ready\",\"status\":\"True\"}}",
            "{\"at\":\"2026-10-01T02:00:00Z\",\"end\":true}");
    assertThat(read()).hasSize(7);
    assertThat(prometheus.asked()).allMatch(query -> query.contains("{cluster=\"prod\"}"));
  }

  @Test
  @DisplayName("TP-9 a node whose series end is gone, and is another if they begin again")
  void gone() throws Exception {
    ready("worker-1", -60, 500);
    ready("worker-2", -60, 20);
    ready("worker-2", 30, 500);
    make();
    assertThat(lines.subList(3, lines.size()))
        .containsExactly(
            "{\"at\":\"2026-10-01T00:20:00Z\",\"nodeGone\":\"worker-2\"}",
            "{\"at\":\"2026-10-01T00:30:00Z\",\"node\":{\"name\":\"worker-2\","
                + "\"uid\":\"node-worker-2-1790814600\",\"created\":\"2026-10-01T00:30:00Z\","
                + "\"labels\":{},\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}",
            "{\"at\":\"2026-10-01T02:00:00Z\",\"end\":true}");
    assertThat(read()).hasSize(5);
  }

  @Test
  @DisplayName(
      "TP-9 while there is no node at all Prometheus saw nothing: a gap, then what changed")
  void gap() throws Exception {
    ready("worker-1", -60, 20);
    ready("worker-2", -60, 20);
    prometheus.condition("worker-1", "Ready", "false", minute(40), minute(90));
    make();
    assertThat(lines.subList(3, lines.size()))
        .containsExactly(
            "{\"at\":\"2026-10-01T00:40:00Z\",\"gap\":{\"from\":\"2026-10-01T00:20:00Z\"}}",
            "{\"at\":\"2026-10-01T00:40:00Z\",\"condition\":{\"node\":\"worker-1\","
                + "\"type\":\"Ready\",\"status\":\"False\"}}",
            "{\"at\":\"2026-10-01T00:40:00Z\",\"nodeGone\":\"worker-2\"}",
            "{\"at\":\"2026-10-01T02:00:00Z\",\"gap\":{\"from\":\"2026-10-01T01:30:00Z\"}}",
            "{\"at\":\"2026-10-01T02:00:00Z\",\"end\":true}");
    assertThat(read()).hasSize(7);
  }

  @Test
  @DisplayName("TP-9 of two instances that overlap the one that began last counts")
  void overlap() throws Exception {
    ready("worker-1", -60, 20);
    prometheus.condition("worker-1", "Ready", "false", minute(18), minute(30));
    ready("worker-1", 29, 500);
    make();
    assertThat(lines.subList(2, lines.size() - 1))
        .containsExactly(
            "{\"at\":\"2026-10-01T00:18:00Z\",\"condition\":{\"node\":\"worker-1\","
                + "\"type\":\"Ready\",\"status\":\"False\"}}",
            "{\"at\":\"2026-10-01T00:29:00Z\",\"condition\":{\"node\":\"worker-1\","
                + "\"type\":\"Ready\",\"status\":\"True\"}}");
  }

  @Test
  @DisplayName("TP-9 a tape begins where Prometheus' memory does")
  void laterStart() throws Exception {
    ready("worker-1", 60, 500);
    assertThat(make()).isEqualTo(minute(60));
    assertThat(lines.getFirst()).contains("\"start\":\"2026-10-01T01:00:00Z\"");
    assertThat(read()).hasSize(2);
  }

  @Test
  @DisplayName("TP-10 pages become shorter until Prometheus can answer them, and lose nothing")
  void pages() throws Exception {
    ready("worker-1", -60, 61);
    prometheus.condition("worker-1", "Ready", "false", minute(61), minute(500));
    make();
    List<String> whole = List.copyOf(lines);
    int few = prometheus.asked().size();
    assertThat(reached).containsExactly(START);
    lines.clear();
    prometheus.allow(7);
    make();
    assertThat(reached).isSorted().hasSizeGreaterThan(24).allMatch(END::isAfter);
    assertThat(lines).isEqualTo(whole);
    assertThat(prometheus.asked().size() - few).as("120 steps, 5 a page").isGreaterThan(24 * 8);
  }

  @Test
  @DisplayName("TP-10 what is too much even for one step is an error, without an end on the tape")
  void tooMuch() {
    ready("worker-1", -60, 500);
    prometheus.allow(0);
    assertThatThrownBy(this::make)
        .isInstanceOf(PrometheusException.class)
        .hasMessageStartingWith(
            prometheus.url() + " returns too much data even for a single instant")
        .hasMessageContaining("too many samples");
    assertThat(lines).isEmpty();
  }

  @Test
  @DisplayName("TP-9 without any node there is no tape")
  void nothing() {
    assertThatThrownBy(this::make)
        .isInstanceOf(PrometheusException.class)
        .hasMessage(
            prometheus.url()
                + " has no kube_node_status_condition{cluster=\"prod\"} from 2026-10-01T00:00:00Z to"
                + " 2026-10-01T02:00:00Z; does it scrape kube-state-metrics?");
    assertThat(lines).isEmpty();
  }
}
