package io.probelet.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.runtime.cri.CriStats;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.machine.StatisticsChoice;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The label that tells one node's series from another's. */
class NodeLabelTest {
  private static final PodRef WEB = new PodRef("default", "web", "u-1");

  @Test
  @DisplayName("each series of an agent has it")
  void labelled() throws IOException {
    AgentMetrics metrics = metrics(Optional.of("worker-1"));
    assertThat(samples(metrics.get(Map.of())))
        .anyMatch(line -> line.startsWith("probelet_stop_failures_total{"))
        .anyMatch(line -> line.startsWith("prober_probe_total{"))
        .anyMatch(line -> line.startsWith("prober_probe_duration_seconds_bucket{"))
        .anyMatch(line -> line.startsWith("probelet_workers{"))
        .anyMatch(line -> line.startsWith("probelet_container_ready{"))
        .anyMatch(line -> line.startsWith("probelet_runtime_up{"))
        .anyMatch(line -> line.startsWith("probelet_runtime_relist_seconds_count{"))
        .anyMatch(line -> line.startsWith("probelet_monitor_waiting{"))
        .anyMatch(line -> line.startsWith("host_uptime{"))
        .allMatch(line -> line.contains("node=\"worker-1\""));
  }

  @Test
  @DisplayName("the metrics of any other run do not have it")
  void unlabelled() throws IOException {
    assertThat(samples(metrics(Optional.empty()).get(Map.of())))
        .contains("probelet_stop_failures_total 0.0", "probelet_monitor_waiting 0.0")
        .noneMatch(line -> line.contains("node="));
  }

  @Test
  @DisplayName("A-8 where node-problem-detector would answer, its series are as it has them")
  void detector() throws IOException {
    AgentMetrics metrics = metrics(Optional.of("worker-1"));
    assertThat(samples(metrics.forDetector(Map.of())))
        .anyMatch(line -> line.startsWith("host_uptime{") && !line.contains("node="))
        .contains("probelet_stop_failures_total{node=\"worker-1\"} 0.0");
  }

  private static AgentMetrics metrics(Optional<String> node) {
    AgentMetrics metrics = new AgentMetrics(node, new ManualClock(Instant.EPOCH));
    metrics.probed(
        new Probed(
            new ProbeSubject(WEB, "c", ProbeKind.LIVENESS),
            "id",
            new ProbeOutcome(new Verdict.Success("ok"), ProbeTimings.of(7)),
            1,
            1,
            Duration.ofMillis(1),
            Duration.ZERO));
    metrics.containerChanged(
        null,
        new ContainerStatus(
            WEB, "c", ContainerObservation.running("id", Instant.EPOCH, 0), true, true));
    metrics.node(() -> CompletableFuture.completedFuture(NodeSnapshot.NONE));
    metrics.runtime(() ->
        Optional.of(
            new CriStats(
                true,
                "",
                "containerd 1",
                0,
                1,
                Duration.ZERO,
                new CriStats.Execs(16, 0, 0, 0, Duration.ZERO, 0))));
    metrics.machine(
        new StatisticsChoice(
            Map.of("host/uptime", "host/uptime"),
            false,
            false,
            Optional.empty(),
            Optional.empty()));
    return metrics;
  }

  private static List<String> samples(Answer answer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.startsWith("#"))
        .toList();
  }
}
