package io.probelet.agent.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.health.Threads;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.latency.ProbeStatistics;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AD-2: what probes have seen outlives the agent. */
class SavedStatisticsTest {
  private static final PodRef POD = new PodRef("shop", "web", "u");
  private static final ProbeSubject SUBJECT = new ProbeSubject(POD, "c", ProbeKind.LIVENESS);
  private static final ProbeSpec SPEC =
      ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(80), null))
          .period(Duration.ofMillis(100))
          .build();

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("probe-statistics.json");
  }

  /** Runs an agent until a probe has succeeded this often. */
  private void live(double successes) {
    SavedStatistics saved = new SavedStatistics(folder, Threads.MACHINE);
    try (ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE)) {
      ProbeEngine engine =
          new ProbeEngine(
              List.of(
                  new ProbeEngine.LoopProber(
                      loops.all().getFirst().probeLoop(),
                      (_, _, _, done) ->
                          done.accept(
                              new ProbeOutcome(new Verdict.Success("ok"), ProbeTimings.of(1))))),
              new Random(1),
              RestartGate.OPEN,
              ProbeLimits.DEFAULT,
              StartupMemory.NONE,
              saved);
      saved.start(engine);
      engine.observed(
          new PodObservation(
              POD,
              PodObservation.Phase.RUNNING,
              false,
              true,
              List.of("127.0.0.1"),
              Map.of("c", ContainerObservation.running("id", Instant.EPOCH, 0))));
      engine.add(
          new ProbedPod(
              POD,
              RestartPolicy.ALWAYS,
              Duration.ofSeconds(30),
              List.of(
                  new ContainerSpec(
                      "c",
                      false,
                      null,
                      List.of(),
                      Map.of(),
                      Map.of(),
                      Map.of(ProbeKind.LIVENESS, SPEC)))));
      Awaitility.await()
          .until(() -> {
            var all = engine.snapshot(HistoryQuery.STATISTICS).join();
            ProbeStatistics seen =
                all.isEmpty() ? null : all.getFirst().probes().getFirst().statistics();
            return seen != null && seen.success().count() >= successes;
          });
      saved.close();
      engine.removeAll().join();
    }
  }

  private ProbeStatistics remembered(ProbeSubject subject, ProbeSpec spec) {
    return new SavedStatistics(folder, Threads.MACHINE).remembered(subject, spec);
  }

  @Test
  @DisplayName("A restart of the agent goes on where the last one ended, in a private file")
  void survivesARestart() throws Exception {
    live(2);
    ProbeStatistics first = remembered(SUBJECT, SPEC);
    assertThat(first.success().count()).isGreaterThanOrEqualTo(2);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-r-----");

    live(first.success().count() + 2);
    ProbeStatistics second = remembered(SUBJECT, SPEC);
    assertThat(second.success().count()).isGreaterThan(first.success().count());
    assertThat(second.since()).isEqualTo(first.since());
  }

  @Test
  void otherProbesGetNothing() {
    live(1);
    ProbeSpec slower =
        ProbeSpec.of(SPEC.handler()).period(SPEC.period()).timeout(Duration.ofSeconds(9)).build();
    ProbeSpec elsewhere =
        ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(81), null))
            .period(SPEC.period())
            .build();
    ProbeSubject recreated =
        new ProbeSubject(new PodRef("shop", "web", "v"), "c", ProbeKind.LIVENESS);
    assertThat(remembered(SUBJECT, slower)).isNull();
    assertThat(remembered(SUBJECT, elsewhere)).isNull();
    assertThat(remembered(recreated, SPEC)).isNull();
    assertThat(remembered(SUBJECT, SPEC)).isNotNull();
  }

  @Test
  @DisplayName("Pods that are not known yet when an agent ends keep their statistics")
  void keepsWhatWasNotAskedFor() {
    live(1);
    SavedStatistics saved = new SavedStatistics(folder, Threads.MACHINE);
    try (ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE)) {
      saved.start(
          new ProbeEngine(
              List.of(
                  new ProbeEngine.LoopProber(
                      loops.all().getFirst().probeLoop(), (_, _, _, _) -> {})),
              new Random(1),
              RestartGate.OPEN,
              ProbeLimits.DEFAULT,
              StartupMemory.NONE,
              saved));
      saved.close();
    }
    assertThat(remembered(SUBJECT, SPEC)).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{\"containers\":7}",
        "{\"containers\":[{\"namespace\":\"shop\",\"pod\":\"web\",\"uid\":\"u\","
            + "\"container\":\"c\",\"probes\":[{\"kind\":\"liveness\",\"periodMs\":100,"
            + "\"timeoutMs\":1000,\"failureThreshold\":3,\"does\":\"connect to <pod>:80\","
            + "\"seen\":{\"since\":\"never\"}}]}]}"
      })
  void aCorruptFileIsIgnored(String content) throws Exception {
    Files.writeString(file(), content);
    assertThat(remembered(SUBJECT, SPEC)).isNull();
    live(1);
    assertThat(remembered(SUBJECT, SPEC)).isNotNull();
  }

  @Test
  void aHugeFileIsIgnored() throws Exception {
    Files.write(file(), new byte[(8 << 20) + 1]);
    assertThat(remembered(SUBJECT, SPEC)).isNull();
  }
}
