package io.probelet.agent.incident;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.probelet.health.ManualClock;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.hook.PreKillListener.Report;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.StallTimes;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.CpuQuota;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.incident.CauseType;
import io.probelet.web.incident.Causes;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What is recorded, from what evidence, and what is not. */
class IncidentRecorderTest {
  private static final PodRef POD = new PodRef("shop", "web-0", "uid");
  private static final Verdict SLOW =
      new Verdict.Failure("context deadline exceeded", false, Cause.TIMEOUT);
  private static final Verdict FINE = new Verdict.Success("ok");

  @TempDir Path folder;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-27T10:00:00Z"));
  private final List<Duration> readings = new CopyOnWriteArrayList<>();
  private final List<Incident> told = new CopyOnWriteArrayList<>();
  private CpuQuota quota = new CpuQuota(100, 0, 0);
  private int threshold = 3;
  private boolean podGone;
  private int logLines;
  private @Nullable CompletableFuture<ContainerEvidence> slowKernel;
  private ContainerStatus now = status("a", "image:1", 0, null);
  private List<ContainerSnapshot> beside = List.of();

  private final IncidentStore store = new IncidentStore(IncidentFile.none(), clock.wallTime());
  private final IncidentRecorder recorder =
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
          new LogTail(() -> logLines),
          told::add,
          clock);

  @AfterEach
  void close() {
    recorder.close();
  }

  private List<ContainerSnapshot> snapshots() {
    return Stream.concat(Stream.of(snapshot()), beside.stream()).toList();
  }

  private ContainerSnapshot snapshot() {
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

  private static ContainerStatus status(
      String id, String image, int restarts, @Nullable Termination end) {
    return new ContainerStatus(
        POD,
        "web",
        ContainerRole.REGULAR,
        ContainerObservation.running(id, Instant.parse("2026-11-27T09:59:50Z"), restarts)
            .with(ContainerDetails.ended(end).from(image)),
        true,
        true);
  }

  private static ContainerStatus logging(String id, Path log, @Nullable Termination end) {
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

  private void probed(ProbeKind kind, int consecutive, Verdict verdict) {
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

  private void fails(ProbeKind kind, int times) {
    for (int i = 1; i <= times; i++) {
      quota = new CpuQuota(100, quota.periods() + 10, quota.throttledPeriods() + 9);
      probed(kind, i, SLOW);
    }
  }

  private static RestartDecision decision() {
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

  private List<Incident> recorded() {
    recorder.close(); // waits for what is being put together
    return store.of("", "");
  }

  @Test
  @DisplayName("a kill has the outcomes, the kernel's counts of the failing time and the node")
  void killed() {
    recorder.containerChanged(null, now);
    probed(ProbeKind.LIVENESS, 1, FINE);
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.kind()).isEqualTo(IncidentKind.KILLED);
          assertThat(incident.workload()).isEqualTo("StatefulSet/web");
          assertThat(incident.node().conditions()).containsExactly("DiskPressure");
          assertThat(incident.probe()).isNotNull();
          assertThat(incident.probe().port()).isEqualTo(8080);
          assertThat(incident.probe().outcomes()).hasSize(3);
          assertThat(incident.probe().succeeded()).isTrue();
          assertThat(incident.probe().startMs()).isEqualTo(11_000);
          assertThat(incident.kernel()).isNotNull();
          assertThat(incident.kernel().windowMs()).isEqualTo(2000);
          assertThat(incident.kernel().throttledPercent()).isEqualTo(90);
          assertThat(Causes.of(incident).type()).isEqualTo(CauseType.CPU_LIMIT);
        });
    assertThat(told).hasSize(1);
    assertThat(readings).as("at the first failure and at the decision").hasSize(2);
  }

  @Test
  @DisplayName("the end of an instance that the agent killed completes its record")
  void endOfKilled() {
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    awaitRecorded(1);
    ContainerStatus next =
        status("b", "image:1", 1, new Termination(137, 9, "Error", "", clock.wallTime()));
    recorder.containerChanged(now, next);
    assertThat(recorded())
        .singleElement()
        .satisfies(incident ->
            assertThat(incident.end())
                .isNotNull()
                .satisfies(end -> assertThat(end.exitCode()).isEqualTo(137)));
  }

  private void awaitRecorded(int count) {
    Awaitility.await().until(() -> store.size() == count);
  }

  @Test
  @DisplayName("the output of a preKill command is in the record of the kill, if that is allowed")
  void preKill() {
    logLines = 2;
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    Report report = new Report("exit code 0", "thread 1\npassword=hunter2\nthread 3\n");
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    Logger log = (Logger) LoggerFactory.getLogger(PreKillOutput.class);
    lines.start();
    log.addAppender(lines);
    log.setLevel(Level.INFO);
    try {
      recorder.ended(decision(), report);
    } finally {
      log.detachAppender(lines);
      log.setLevel(null);
    }
    assertThat(lines.list)
        .singleElement()
        .satisfies(line ->
            assertThat(line.getFormattedMessage())
                .contains("thread 1")
                .contains("thread 3")
                .doesNotContain("hunter2"));
    recorder.restartDecided(decision());
    assertThat(recorded())
        .singleElement()
        .satisfies(incident ->
            assertThat(incident.log())
                .hasSize(3)
                .startsWith("preKill: exit code 0", "thread 1")
                .noneMatch(line -> line.contains("hunter2")));
  }

  @Test
  @DisplayName("without permission the output of a preKill command is not recorded")
  void preKillNotAllowed() {
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    recorder.ended(decision(), new Report("exit code 0", "thread 1"));
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> assertThat(incident.log()).isEmpty());
  }

  @Test
  @DisplayName("another end is an incident of its own, with the image that was replaced")
  void ended() {
    recorder.containerChanged(null, now);
    ContainerStatus next =
        status("b", "image:2", 1, new Termination(143, 15, "Error", "", clock.wallTime()));
    now = next;
    recorder.containerChanged(status("a", "image:1", 0, null), next);
    recorder.containerChanged(
        next, status("b", "image:2", 1, next.observation().details().lastTermination()));
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> {
          assertThat(incident.kind()).isEqualTo(IncidentKind.ENDED);
          assertThat(incident.containerId()).isEqualTo("a");
          assertThat(Causes.of(incident).type()).isEqualTo(CauseType.IMAGE_CHANGED);
        });
  }

  @Test
  @DisplayName("an end has the last lines of the instance that ended, not of the next one")
  void logOfInstance() throws IOException {
    logLines = 5;
    Path first = Files.writeString(folder.resolve("0.log"), "lookup db: no such host\n");
    Path second = Files.writeString(folder.resolve("1.log"), "starting\n");
    ContainerStatus before = logging("a", first, null);
    recorder.containerChanged(null, before);
    now = logging("b", second, new Termination(1, 0, "Error", "", clock.wallTime()));
    recorder.containerChanged(before, now);
    assertThat(recorded())
        .singleElement()
        .satisfies(each -> assertThat(each.log()).containsExactly("lookup db: no such host"));
  }

  @Test
  @DisplayName("D-23 an end that follows a rule of another container is a restart of the pod")
  void restartedByRule() {
    ContainerSpec worker =
        new ContainerSpec(
            "worker",
            false,
            RestartPolicy.NEVER,
            List.of(new RestartRule(true, Set.of(42), true)),
            Map.of(),
            Map.of(),
            Map.of());
    ContainerObservation ended =
        ContainerObservation.running("w", Instant.parse("2026-11-27T09:59:50Z"), 0)
            .with(ContainerDetails.ended(new Termination(42, 0, "Error", "", clock.wallTime())));
    beside =
        List.of(
            new ContainerSnapshot(
                new ContainerStatus(POD, "worker", ContainerRole.REGULAR, ended, true, true),
                true,
                List.of(),
                new ProbeTarget(POD, worker, "w", "10.0.0.1")));
    recorder.containerChanged(null, now);
    clock.advance(Duration.ofSeconds(2));
    ContainerStatus before = now;
    now = status("b", "image:1", 1, new Termination(143, 15, "Error", "", clock.wallTime()));
    recorder.containerChanged(before, now);
    clock.advance(Duration.ofMinutes(3));
    ContainerStatus later =
        status("c", "image:1", 2, new Termination(143, 15, "Error", "", clock.wallTime()));
    recorder.containerChanged(now, later);
    assertThat(recorded())
        .extracting(incident -> Causes.of(incident).type())
        .containsExactlyInAnyOrder(CauseType.POD_RESTARTED, CauseType.STOPPED_BY_OTHERS);
  }

  @Test
  @DisplayName("an end before the agent's start is told if it is recent, once")
  void endBeforeStart() {
    Termination old =
        new Termination(1, 0, "Error", "", clock.wallTime().minus(Duration.ofHours(3)));
    recorder.containerChanged(null, status("b", "image:1", 1, old));
    Termination recent =
        new Termination(1, 0, "Error", "", clock.wallTime().minus(Duration.ofMinutes(3)));
    PodRef other = new PodRef("shop", "web-1", "uid2");
    ContainerStatus seen =
        new ContainerStatus(
            other, "web", status("c", "image:1", 1, recent).observation(), true, true);
    recorder.containerChanged(null, seen);
    assertThat(recorded())
        .singleElement()
        .satisfies(incident -> assertThat(Causes.of(incident).type()).isEqualTo(CauseType.CRASH));
  }

  @Test
  @DisplayName("readiness that fails is one incident for each streak, whatever its length")
  void unready() {
    recorder.containerChanged(null, now);
    fails(ProbeKind.READINESS, 30);
    probed(ProbeKind.READINESS, 1, FINE);
    clock.advance(Duration.ofMinutes(1));
    fails(ProbeKind.READINESS, 3);
    probed(ProbeKind.READINESS, 1, FINE);
    fails(ProbeKind.READINESS, 3); // within a minute: flapping
    assertThat(recorded())
        .hasSize(2)
        .allSatisfy(each -> assertThat(each.kind()).isEqualTo(IncidentKind.UNREADY));
    assertThat(readings).hasSize(6);
  }

  @Test
  @DisplayName("a probe that decides at its first failure is looked at twice")
  void threshold1() {
    threshold = 1;
    recorder.containerChanged(null, now);
    probed(ProbeKind.READINESS, 1, SLOW);
    assertThat(readings).containsExactly(Duration.ZERO, Duration.ofSeconds(1));
    assertThat(recorded())
        .singleElement()
        .satisfies(each -> {
          assertThat(each.kernel()).isNotNull();
          assertThat(each.kernel().windowMs()).isEqualTo(1000);
        });
  }

  @Test
  @DisplayName("healthy probes read nothing, and an init container that succeeded is no incident")
  void nothing() {
    recorder.containerChanged(null, now);
    probed(ProbeKind.LIVENESS, 1, FINE);
    probed(ProbeKind.LIVENESS, 2, FINE);
    recorder.containerChanged(
        now, status("a", "image:1", 0, new Termination(0, 0, "Completed", "", clock.wallTime())));
    assertThat(recorded()).isEmpty();
    assertThat(readings).isEmpty();
  }

  @Test
  @DisplayName("where its pod is gone nothing is recorded")
  void gone() {
    podGone = true;
    fails(ProbeKind.LIVENESS, 3);
    recorder.restartDecided(decision());
    assertThat(recorded()).isEmpty();
  }

  @Test
  @DisplayName("a kernel that does not answer holds up a bounded number of records")
  void bounded() {
    slowKernel = new CompletableFuture<>();
    recorder.containerChanged(null, now);
    fails(ProbeKind.LIVENESS, 3);
    for (int i = 0; i < IncidentWriter.MAX_OF_NAMESPACE + 3; i++) {
      recorder.restartDecided(decision());
    }
    assertThat(recorder.missed()).isEqualTo(3);
    slowKernel.complete(ContainerEvidence.NONE);
    assertThat(recorded()).hasSize(IncidentWriter.MAX_OF_NAMESPACE);
  }
}
