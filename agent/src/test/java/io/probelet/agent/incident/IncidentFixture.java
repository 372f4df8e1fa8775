package io.probelet.agent.incident;

import io.probelet.health.ManualClock;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.CpuQuota;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.incident.Incident;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A container whose incidents are recorded, and the evidence that a test has of it. */
class IncidentFixture {
  static final PodRef POD = new PodRef("shop", "web-0", "uid");
  static final Verdict SLOW =
      new Verdict.Failure("context deadline exceeded", false, Cause.TIMEOUT);
  static final Verdict FINE = new Verdict.Success("ok");

  @TempDir Path folder;

  final ManualClock clock = new ManualClock(Instant.parse("2026-11-27T10:00:00Z"));
  final List<Duration> readings = new CopyOnWriteArrayList<>();
  final List<Incident> told = new CopyOnWriteArrayList<>();
  CpuQuota quota = new CpuQuota(100, 0, 0);
  int threshold = 3;
  boolean podGone;
  int logLines;

  /** Runs when it is asked how many lines of a log are allowed. */
  Runnable logAsked = () -> {};

  @Nullable CompletableFuture<ContainerEvidence> slowKernel;
  ContainerStatus now = status("a", "image:1", 0, null);
  List<ContainerSnapshot> beside = List.of();

  final IncidentStore store = new IncidentStore(IncidentFile.none(), clock.wallTime());
  final IncidentRecorder recorder =
      new IncidentRecorder(
          new IncidentSources() {
            @Override
            public CompletableFuture<ContainerEvidence> kernel(String id, Duration after) {
              readings.add(after);
              return slowKernel != null
                  ? slowKernel
                  : CompletableFuture.completedFuture(
                      new ContainerEvidence(quota, null, null, null, null, null));
            }

            @Override
            public Optional<StallTimes> node() {
              return Optional.of(new StallTimes(0, 0, 0));
            }

            @Override
            public CompletableFuture<List<String>> conditions() {
              return CompletableFuture.completedFuture(List.of("DiskPressure"));
            }

            @Override
            public CompletableFuture<List<ContainerSnapshot>> containers(PodRef pod) {
              return CompletableFuture.completedFuture(podGone ? List.of() : snapshots());
            }

            @Override
            public String workload(PodRef pod) {
              return "StatefulSet/web";
            }

            @Override
            public boolean deleting(PodRef pod) {
              return false;
            }
          },
          store,
          new LogTail(() -> {
            logAsked.run();
            return logLines;
          }),
          told::add,
          clock);

  @AfterEach
  void close() {
    recorder.close();
  }

  List<ContainerSnapshot> snapshots() {
    return Stream.concat(Stream.of(snapshot()), beside.stream()).toList();
  }

  ContainerSnapshot snapshot() {
    ProbeSpec spec =
        ProbeSpec.of(new ProbeHandler.HttpGet(new Port.Named("http"), "/"))
            .failureThreshold(threshold)
            .build();
    ContainerSpec container =
        new ContainerSpec(
            "web",
            false,
            null,
            List.of(),
            Map.of("http", 8080),
            Map.of(),
            Map.of(ProbeKind.LIVENESS, spec, ProbeKind.READINESS, spec));
    return new ContainerSnapshot(
        now, true, List.of(), new ProbeTarget(POD, container, "a", "10.0.0.1"));
  }

  static ContainerStatus status(String id, String image, int restarts, @Nullable Termination end) {
    return new ContainerStatus(
        POD,
        "web",
        ContainerRole.REGULAR,
        ContainerObservation.running(id, Instant.parse("2026-11-27T09:59:50Z"), restarts)
            .with(ContainerDetails.ended(end).from(image)),
        true,
        true);
  }

  static ContainerStatus logging(String id, Path log, @Nullable Termination end) {
    ContainerStatus status = status(id, "image:1", end == null ? 0 : 1, end);
    ContainerObservation is = status.observation();
    return new ContainerStatus(
        POD,
        "web",
        ContainerRole.REGULAR,
        is.with(is.details().loggingTo(log.toString())),
        true,
        true);
  }

  void probed(ProbeKind kind, int consecutive, Verdict verdict) {
    clock.advance(Duration.ofSeconds(1));
    recorder.probed(
        new Probed(
            new ProbeSubject(POD, "web", kind),
            "a",
            new ProbeOutcome(verdict, ProbeTimings.of(1_000_000_000)),
            consecutive,
            verdict.equals(FINE) ? 1 : threshold,
            Duration.ofSeconds(1),
            Duration.ZERO));
  }

  Probed probed(int consecutive) {
    return new Probed(
        new ProbeSubject(POD, "web", ProbeKind.LIVENESS),
        "a",
        new ProbeOutcome(SLOW, ProbeTimings.of(1_000_000_000)),
        consecutive,
        threshold,
        Duration.ofSeconds(1),
        Duration.ZERO);
  }

  void fails(ProbeKind kind, int times) {
    for (int i = 1; i <= times; i++) {
      quota = new CpuQuota(100, quota.periods() + 10, quota.throttledPeriods() + 9);
      probed(kind, i, SLOW);
    }
  }

  static RestartDecision decision() {
    return new RestartDecision(
        new ProbeSubject(POD, "web", ProbeKind.LIVENESS),
        new ProbeTarget(
            POD,
            new ContainerSpec("web", false, null, List.of(), Map.of(), Map.of(), Map.of()),
            "a",
            ""),
        Duration.ofSeconds(30),
        new ProbeEvent("Normal", ProbeEvent.KILLING, "killed"),
        "failed");
  }

  List<Incident> recorded() {
    recorder.close(); // waits for what is being put together
    return store.of("", "");
  }

  void awaitRecorded(int count) {
    Awaitility.await().until(() -> store.size() == count);
  }
}
