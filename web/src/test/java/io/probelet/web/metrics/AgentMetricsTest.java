package io.probelet.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Discarded;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.ProbeListener.Published;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.runtime.cri.CriStats;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a scrape reads after given events. */
class AgentMetricsTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final PodRef WEB = new PodRef("default", "web", "u-1");
  private static final ProbeSubject READINESS = subject(WEB, ProbeKind.READINESS);
  private static final ProbeSubject LIVENESS = subject(WEB, ProbeKind.LIVENESS);
  private static final Verdict OK = new Verdict.Success("ok");
  private static final Verdict REDIRECTED = new Verdict.Warning("elsewhere");
  private static final Verdict REFUSED = new Verdict.Failure("connection refused");

  private final AgentMetrics metrics = new AgentMetrics(Optional.empty(), new ManualClock(NOON));

  @Test
  @DisplayName("section 5: the kubelet's names, labels, buckets, and what it counts")
  void kubeletFamilies() throws IOException {
    probed(READINESS, OK, Duration.ofMillis(5));
    probed(READINESS, REDIRECTED, Duration.ofNanos(5_000_001));
    probed(READINESS, OK, Duration.ofSeconds(11));
    probed(READINESS, REFUSED, Duration.ofMillis(1));
    probed(LIVENESS, REFUSED, Duration.ofSeconds(1));

    assertThat(exposed("prober_probe"))
        .isEqualTo(
            """
            # HELP prober_probe_total Cumulative number of a liveness, readiness or startup probe for a container by result.
            # TYPE prober_probe_total counter
            prober_probe_total{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Liveness",result="failed"} 1.0
            prober_probe_total{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Readiness",result="failed"} 1.0
            prober_probe_total{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Readiness",result="successful"} 3.0
            # HELP prober_probe_duration_seconds Duration in seconds for a probe response.
            # TYPE prober_probe_duration_seconds histogram
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.005"} 1
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.01"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.025"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.05"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.1"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.25"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="0.5"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="1.0"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="2.5"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="5.0"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="10.0"} 2
            prober_probe_duration_seconds_bucket{container="c",namespace="default",pod="web",probe_type="Readiness",le="+Inf"} 3
            prober_probe_duration_seconds_count{container="c",namespace="default",pod="web",probe_type="Readiness"} 3
            prober_probe_duration_seconds_sum{container="c",namespace="default",pod="web",probe_type="Readiness"} 11.010000001
            """);
  }

  @Test
  @DisplayName("W-4 a prober error is no probe to the kubelet; ours are counted by reason")
  void discarded() throws IOException {
    probed(READINESS, error(Verdict.Reason.STALLED), Duration.ofSeconds(1));
    probed(READINESS, error(Verdict.Reason.STALLED), Duration.ofSeconds(1));
    probed(READINESS, error(Verdict.Reason.LOCAL_SHORTAGE), Duration.ofSeconds(1));
    metrics.discarded(new Discarded(READINESS, Verdict.Reason.POD_BUDGET, "…", false));

    assertThat(exposed("prober_")).isEmpty();
    assertThat(exposed("probelet_probes_discarded"))
        .isEqualTo(
            """
            # HELP probelet_probes_discarded_total Probes that could not run and decided nothing.
            # TYPE probelet_probes_discarded_total counter
            probelet_probes_discarded_total{reason="bad_target"} 0.0
            probelet_probes_discarded_total{reason="cold_start"} 0.0
            probelet_probes_discarded_total{reason="incomplete_answer"} 0.0
            probelet_probes_discarded_total{reason="internal"} 0.0
            probelet_probes_discarded_total{reason="local_shortage"} 1.0
            probelet_probes_discarded_total{reason="node_budget"} 0.0
            probelet_probes_discarded_total{reason="pod_budget"} 1.0
            probelet_probes_discarded_total{reason="runtime"} 0.0
            probelet_probes_discarded_total{reason="stalled"} 2.0
            """);
  }

  @Test
  @DisplayName("how the container runtime answers, and how its commands queue, read at each scrape")
  void runtime() throws IOException {
    AtomicReference<CriStats> stats =
        new AtomicReference<>(
            new CriStats(
                true,
                "",
                "containerd 1",
                2,
                40,
                Duration.ofMillis(500),
                new CriStats.Execs(16, 16, 3, 1000, Duration.ofMillis(1250), 2)));
    metrics.runtime(() -> Optional.of(stats.get()));

    assertThat(exposed("probelet_runtime_"))
        .isEqualTo(
            """
            # HELP probelet_runtime_disconnects_total How often the container runtime became unavailable.
            # TYPE probelet_runtime_disconnects_total counter
            probelet_runtime_disconnects_total 2.0
            # HELP probelet_runtime_exec_wait_seconds How long commands waited before they ran.
            # TYPE probelet_runtime_exec_wait_seconds summary
            probelet_runtime_exec_wait_seconds_count 1000
            probelet_runtime_exec_wait_seconds_sum 1.25
            # HELP probelet_runtime_execs_displaced_total Commands ended before their timeout because other pods waited for their slot.
            # TYPE probelet_runtime_execs_displaced_total counter
            probelet_runtime_execs_displaced_total 2.0
            # HELP probelet_runtime_execs_limit Commands that may run in containers at once.
            # TYPE probelet_runtime_execs_limit gauge
            probelet_runtime_execs_limit 16.0
            # HELP probelet_runtime_execs_running Commands running in containers, including those past their timeout.
            # TYPE probelet_runtime_execs_running gauge
            probelet_runtime_execs_running 16.0
            # HELP probelet_runtime_execs_waiting Commands waiting for a slot or for the share of their pod or namespace.
            # TYPE probelet_runtime_execs_waiting gauge
            probelet_runtime_execs_waiting 3.0
            # HELP probelet_runtime_relist_seconds Duration of listing pods and containers in the container runtime.
            # TYPE probelet_runtime_relist_seconds summary
            probelet_runtime_relist_seconds_count 40
            probelet_runtime_relist_seconds_sum 0.5
            # HELP probelet_runtime_up Whether the container runtime answered the last request.
            # TYPE probelet_runtime_up gauge
            probelet_runtime_up 1.0
            """);

    stats.set(
        new CriStats(
            false,
            "connection refused",
            "containerd 1",
            3,
            40,
            Duration.ofMillis(500),
            new CriStats.Execs(16, 0, 0, 1000, Duration.ofMillis(1250), 2)));
    assertThat(exposed("probelet_runtime_"))
        .contains("\nprobelet_runtime_up 0.0\n", "\nprobelet_runtime_disconnects_total 3.0\n");
  }

  @Test
  @DisplayName("W-7 a worker's series go when it ends, those of its neighbours stay")
  void seriesEndWithTheirWorker() throws IOException {
    probed(READINESS, OK, Duration.ofMillis(5));
    probed(LIVENESS, OK, Duration.ofMillis(5));
    metrics.workerEnded(LIVENESS);
    assertThat(exposed("prober_")).contains("Readiness").doesNotContain("Liveness");
    metrics.workerEnded(READINESS);
    assertThat(exposed("prober_")).isEmpty();
  }

  @Test
  @DisplayName("durations have no pod uid: a pod and its successor of the same name share them")
  void durationsAreShared() throws IOException {
    ProbeSubject successor = subject(new PodRef("default", "web", "u-2"), ProbeKind.READINESS);
    probed(READINESS, OK, Duration.ofMillis(5));
    probed(successor, OK, Duration.ofMillis(50));
    String count =
        "prober_probe_duration_seconds_count{container=\"c\",namespace=\"default\",pod=\"web\","
            + "probe_type=\"Readiness\"} ";
    assertThat(exposed("prober_")).contains(count + "2\n");
    metrics.workerEnded(READINESS);
    assertThat(exposed("prober_")).contains(count + "1\n").doesNotContain("u-1");
  }

  @Test
  @DisplayName("workers count from their first container on, probed or not")
  void workers() throws IOException {
    metrics.published(new Published(LIVENESS, "id", ProbeResult.SUCCESS, "", true));
    probed(READINESS, OK, Duration.ofMillis(5));
    assertThat(exposed("probelet_workers"))
        .endsWith(
            """
            probelet_workers{probe_type="Liveness"} 1.0
            probelet_workers{probe_type="Readiness"} 1.0
            probelet_workers{probe_type="Startup"} 0.0
            """);
  }

  @Test
  void containersAreShownFromTheirFirstSightingUntilTheirPodIsRemoved() throws IOException {
    metrics.containerChanged(null, container(WEB, 0, false));
    metrics.containerChanged(null, container(WEB, 3, true));
    metrics.containerChanged(null, container(new PodRef("default", "db", "u-9"), 0, false));
    assertThat(exposed("probelet_container"))
        .isEqualTo(
            """
            # HELP probelet_container_ready Whether the container is ready for traffic.
            # TYPE probelet_container_ready gauge
            probelet_container_ready{container="c",namespace="default",pod="db",pod_uid="u-9"} 0.0
            probelet_container_ready{container="c",namespace="default",pod="web",pod_uid="u-1"} 1.0
            # HELP probelet_container_restarts_total Instances before the current one.
            # TYPE probelet_container_restarts_total counter
            probelet_container_restarts_total{container="c",namespace="default",pod="db",pod_uid="u-9"} 0.0
            probelet_container_restarts_total{container="c",namespace="default",pod="web",pod_uid="u-1"} 3.0
            # HELP probelet_container_started Whether the container runs and its startup probe has succeeded.
            # TYPE probelet_container_started gauge
            probelet_container_started{container="c",namespace="default",pod="db",pod_uid="u-9"} 1.0
            probelet_container_started{container="c",namespace="default",pod="web",pod_uid="u-1"} 1.0
            """);
    metrics.podRemoved(WEB);
    assertThat(exposed("probelet_container")).doesNotContain("web").contains("db");
  }

  @Test
  void initContainersHaveRestartsOnly() throws IOException {
    metrics.containerChanged(
        null,
        new ContainerStatus(
            WEB,
            "migrate",
            ContainerRole.INIT,
            ContainerObservation.terminated("id", NOON, 0, 2),
            false,
            true));
    assertThat(exposed("probelet_container").lines().filter(line -> line.contains("migrate")))
        .containsExactly(
            "probelet_container_restarts_total{container=\"migrate\",namespace=\"default\",pod=\"web\",pod_uid=\"u-1\"} 2.0");
  }

  @Test
  void decisionsToStopAndTheirFailuresAreCounted() throws IOException {
    RestartDecision decision =
        new RestartDecision(
            LIVENESS,
            new ProbeTarget(
                LIVENESS.pod(),
                new ContainerSpec(
                    LIVENESS.container(), false, null, List.of(), Map.of(), Map.of(), Map.of()),
                "id",
                ""),
            Duration.ofSeconds(30),
            new ProbeEvent("Normal", "Killing", "…"),
            "…");
    metrics.restartDecided(decision);
    metrics.stopFailed(decision, "runtime gone", Duration.ofSeconds(1));
    metrics.stopFailed(decision, "runtime gone", Duration.ofSeconds(2));
    assertThat(exposed("probelet_restart_decisions"))
        .endsWith(
            """
            probelet_restart_decisions_total{probe_type="Liveness"} 1.0
            probelet_restart_decisions_total{probe_type="Startup"} 0.0
            """);
    assertThat(exposed("probelet_stop")).endsWith("probelet_stop_failures_total 2.0\n");
  }

  @Test
  void lagsAreHistogramsInSecondsWithTheLargestOfTheLastMinutes() throws IOException {
    metrics.probed(
        new Probed(
            READINESS,
            "id",
            new ProbeOutcome(OK, ProbeTimings.of(1)),
            1,
            1,
            Duration.ofMillis(1),
            Duration.ofMillis(7)));
    metrics.loopLag(1).record(Duration.ofMillis(30));
    assertThat(exposed("probelet_probe_start_lag"))
        .contains(
            "# TYPE probelet_probe_start_lag_seconds histogram\n",
            "probelet_probe_start_lag_seconds_bucket{le=\"0.005\"} 0\n",
            "probelet_probe_start_lag_seconds_bucket{le=\"0.01\"} 1\n",
            "probelet_probe_start_lag_seconds_sum 0.007\n",
            "probelet_probe_start_lag_seconds_max 0.007\n");
    assertThat(exposed("probelet_event_loop_lag"))
        .contains("probelet_event_loop_lag_seconds_bucket{loop=\"1\",le=\"0.05\"} 1\n");
  }

  @Test
  @DisplayName("how each probe went last, with one series at a time, which goes with its worker")
  void results() throws IOException {
    probed(READINESS, OK, Duration.ofMillis(5));
    probed(LIVENESS, new Verdict.Failure("no", Verdict.Cause.STATUS), Duration.ofMillis(5));
    assertThat(exposed("probelet_probe_result{"))
        .isEqualTo(
            """
            probelet_probe_result{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Liveness",reason="status"} 0.0
            probelet_probe_result{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Readiness",reason=""} 1.0
            """);
    probed(LIVENESS, REDIRECTED, Duration.ofMillis(5));
    metrics.discarded(new Discarded(READINESS, Verdict.Reason.NODE_BUDGET, "…", false));
    assertThat(exposed("probelet_probe_result{"))
        .isEqualTo(
            """
            probelet_probe_result{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Liveness",reason=""} 1.0
            probelet_probe_result{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Readiness",reason="node_budget"} -1.0
            """);
    metrics.workerEnded(READINESS);
    metrics.workerEnded(LIVENESS);
    assertThat(exposed("probelet_probe_result{")).isEmpty();
  }

  @Test
  @DisplayName("every cause and reason has a word; unknown is -1")
  void words() throws IOException {
    for (Verdict.Cause cause : Verdict.Cause.values()) {
      probed(READINESS, new Verdict.Failure("no", cause), Duration.ofMillis(5));
      assertThat(exposed("probelet_probe_result{"))
          .contains("reason=\"" + cause.label() + "\"} 0.0");
    }
    for (Verdict.Reason reason : Verdict.Reason.values()) {
      probed(READINESS, error(reason), Duration.ofMillis(5));
      assertThat(exposed("probelet_probe_result{"))
          .contains("reason=\"" + reason.label() + "\"} -1.0");
    }
  }

  @Test
  @DisplayName("when certificates expire: the last known, even if a later handshake fails")
  void certificates() throws IOException {
    probed(READINESS, OK, Duration.ofMillis(5));
    assertThat(exposed("probelet_probe_certificate")).isEmpty();
    outcome(new ProbeOutcome(OK, ProbeTimings.of(5), 1_800_000_000));
    outcome(new ProbeOutcome(REFUSED, ProbeTimings.of(5)));
    assertThat(exposed("probelet_probe_certificate"))
        .endsWith(
            """
            probelet_probe_certificate_expiry_timestamp_seconds{container="c",namespace="default",pod="web",pod_uid="u-1",probe_type="Readiness"} 1.8E9
            """);
  }

  @Test
  @DisplayName("how long phases took: from the end of the one before, of those that there were")
  void phases() throws IOException {
    int not = (int) ProbeTimings.NOT_REACHED;
    int micro = 1_000;
    outcome(
        new ProbeOutcome(
            OK, new ProbeTimings(0, not, 200L * micro, not, 900L * micro, 950L * micro)));
    outcome(
        new ProbeOutcome(
            REFUSED,
            new ProbeTimings(
                5_000L * micro,
                7_000L * micro,
                7_300L * micro,
                19_000L * micro,
                not,
                20_000L * micro)));
    assertThat(exposed("probelet_probe_phase"))
        .contains(
            "probelet_probe_phase_duration_seconds_count{phase=\"resolve\"} 1\n",
            "probelet_probe_phase_duration_seconds_sum{phase=\"resolve\"} 0.002\n",
            "probelet_probe_phase_duration_seconds_bucket{phase=\"connect\",le=\"2.5E-4\"} 1\n",
            "probelet_probe_phase_duration_seconds_bucket{phase=\"connect\",le=\"5.0E-4\"} 2\n",
            "probelet_probe_phase_duration_seconds_count{phase=\"tls\"} 1\n",
            "probelet_probe_phase_duration_seconds_bucket{phase=\"tls\",le=\"0.01\"} 0\n",
            "probelet_probe_phase_duration_seconds_bucket{phase=\"tls\",le=\"0.025\"} 1\n",
            "probelet_probe_phase_duration_seconds_sum{phase=\"first_byte\"} 7.0E-4\n");
  }

  @Test
  void theProgramAndItsProcessAreShown() throws IOException {
    metrics.build("1.2.3");
    ProcessMetrics.addTo(metrics.registry());
    assertThat(exposed("probelet_build"))
        .endsWith("probelet_build_info{java=\"" + Runtime.version() + "\",version=\"1.2.3\"} 1\n");
    Map<String, Double> values =
        (exposed("process_") + exposed("jvm_"))
            .lines()
            .filter(line -> !line.startsWith("#"))
            .collect(
                Collectors.toMap(
                    line -> line.substring(0, line.lastIndexOf(' ')),
                    line -> Double.valueOf(line.substring(line.lastIndexOf(' ')))));
    assertThat(values)
        .containsOnlyKeys(
            "process_cpu_seconds_total",
            "process_open_fds",
            "process_resident_memory_bytes",
            "process_start_time_seconds",
            "jvm_memory_used_bytes{area=\"heap\"}",
            "jvm_memory_max_bytes{area=\"heap\"}")
        .allSatisfy((_, value) -> assertThat(value).isPositive());
  }

  private void outcome(ProbeOutcome outcome) {
    metrics.probed(new Probed(READINESS, "id", outcome, 1, 1, Duration.ofMillis(1), Duration.ZERO));
  }

  private void probed(ProbeSubject subject, Verdict verdict, Duration duration) {
    metrics.probed(
        new Probed(
            subject,
            "id",
            new ProbeOutcome(verdict, ProbeTimings.of(duration.toNanos())),
            1,
            1,
            duration,
            Duration.ZERO));
  }

  /** The lines about metrics whose name begins so. */
  private String exposed(String prefix) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    var answer = metrics.get(Map.of());
    assertThat(answer.contentType()).isEqualTo("text/plain; version=0.0.4; charset=utf-8");
    answer.body().writeTo(out);
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    return lines.stream()
        .filter(line -> line.replaceFirst("^# (HELP|TYPE) ", "").startsWith(prefix))
        .map(line -> line + "\n")
        .collect(Collectors.joining());
  }

  private static ProbeSubject subject(PodRef pod, ProbeKind kind) {
    return new ProbeSubject(pod, "c", kind);
  }

  private static Verdict error(Verdict.Reason reason) {
    return new Verdict.ProberError(reason, "…");
  }

  private static ContainerStatus container(PodRef pod, int restarts, boolean ready) {
    return new ContainerStatus(
        pod, "c", ContainerObservation.running("id", NOON, restarts), true, ready);
  }
}
