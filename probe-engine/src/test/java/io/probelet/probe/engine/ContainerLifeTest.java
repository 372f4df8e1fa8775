package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static io.probelet.probe.ProbeKind.STARTUP;
import static io.probelet.probe.engine.Fixtures.HANDLER;
import static io.probelet.probe.engine.Fixtures.POD;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Published;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of started, ready and the workers as a pod's phase and a machine's clock turn. */
class ContainerLifeTest {
  private static final Verdict REFUSED = new Verdict.Failure("connection refused");
  private static final ProbeSpec SLOW =
      ProbeSpec.of(HANDLER).period(Duration.ofMinutes(1)).failureThreshold(1).build();

  private static final ProbeSpec SLOW_START = ProbeSpec.of(HANDLER).failureThreshold(1000).build();

  private final EngineHarness harness = new EngineHarness();

  @ParameterizedTest
  @EnumSource(names = {"FAILED", "SUCCEEDED"})
  @DisplayName("W-3.2 a pod that was said to be over and runs again is probed again")
  void phaseTakenBack(Phase phase) {
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe(), READINESS, Fixtures.probe()));
    seen(phase, false);
    harness.advanceSeconds(20);
    assertThat(harness.ended).hasSize(2);
    harness.probed.clear();

    seen(Phase.RUNNING, false);
    harness.advanceSeconds(20);
    assertThat(harness.probed.stream().map(probe -> probe.subject().kind()))
        .contains(LIVENESS, READINESS);
    assertThat(harness.snapshot().probes()).hasSize(2);
    assertThat(harness.status().ready()).isTrue();
  }

  @Test
  @DisplayName("W-10 what was stopped with its pod is not probed again")
  void stoppedStaysStopped() {
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe()));
    harness.engine.stopLivenessAndStartup(POD);
    seen(Phase.FAILED, false);
    seen(Phase.RUNNING, false);
    harness.probed.clear();
    harness.advanceSeconds(60);
    assertThat(harness.probed).isEmpty();
  }

  @Test
  @DisplayName("W-9 what is not ready does not become it because its readiness worker ends")
  void phaseEndsReadiness() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(READINESS, Fixtures.probe()));
    harness.changes.clear();
    seen(Phase.SUCCEEDED, false);
    harness.advanceSeconds(20);
    assertThat(harness.ended).hasSize(1);
    assertThat(harness.status().ready()).isFalse();
    assertThat(harness.changes).noneMatch(ContainerStatus::ready);
  }

  @Test
  @DisplayName("W-9 what was ready is not any more when its readiness worker ends with the pod")
  void phaseEndsReady() {
    harness.settled().running(Map.of(READINESS, Fixtures.probe()));
    assertThat(harness.status().ready()).isTrue();
    seen(Phase.FAILED, false);
    harness.advanceSeconds(20);
    assertThat(harness.status().ready()).isFalse();
  }

  @Test
  @DisplayName("W-9 a container deleted while it starts does not become ready by that")
  void deletedWhileStarting() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(STARTUP, ProbeSpec.of(HANDLER).failureThreshold(30).build()));
    assertThat(harness.status().ready()).isFalse();
    harness.changes.clear();
    seen(Phase.RUNNING, true);
    harness.advanceSeconds(20);
    assertThat(harness.ended).hasSize(1);
    assertThat(harness.changes).noneMatch(ContainerStatus::ready);
  }

  @Test
  @DisplayName(
      "W-9 a container that has started stays ready when the pod's deletion ends its worker")
  void stoppedAfterStart() {
    harness.settled().running(Map.of(STARTUP, Fixtures.probe()));
    assertThat(harness.status().ready()).isTrue();
    harness.engine.stopLivenessAndStartup(POD);
    harness.loop.run();
    assertThat(harness.status().started()).isTrue();
    assertThat(harness.status().ready()).isTrue();
  }

  @Test
  @DisplayName("W-3.4 a clock set back makes no new container one from before the agent's start")
  void clockSetBack() {
    harness.settled().running(Map.of(READINESS, SLOW));
    harness.loop.time().stepWallClock(Duration.ofHours(-1));
    harness.advanceSeconds(30);
    harness.published.clear();
    harness.probed.clear();
    harness.started("id-2", 1);
    harness.advanceSeconds(0);
    assertThat(harness.probed).as("probed at once").hasSize(1);

    harness.advanceSeconds(60);
    assertThat(harness.published.getFirst())
        .matches(Published::initial)
        .matches(published -> published.containerId().equals("id-2"));
  }

  @Test
  @DisplayName("W-3.4 a container that started before its clock was set back is an old one")
  void startedBeforeClockWasSetBack() {
    harness.engine.add(Fixtures.pod(Fixtures.container(Map.of(READINESS, Fixtures.probe()))));
    Instant later = harness.loop.time().wallTime().plus(Duration.ofHours(1));
    harness.engine.observed(Fixtures.seen(ContainerObservation.running("id-1", later, 0)));
    harness.advanceSeconds(10);
    assertThat(harness.published).noneMatch(Published::initial);
  }

  @Test
  @DisplayName("W-9 a container that is not ready is probed when something of its pod changes")
  void podChanges() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(READINESS, SLOW));
    harness.probed.clear();
    harness.advanceSeconds(7);
    assertThat(harness.probed).isEmpty();

    harness.target = () -> new Verdict.Success("ok");
    harness.engine.podChanged(POD);
    harness.loop.run();
    assertThat(harness.probed).hasSize(1);
    assertThat(harness.status().ready()).isTrue();

    harness.engine.podChanged(POD);
    harness.advanceSeconds(59);
    assertThat(harness.probed).as("what is ready keeps its period").hasSize(1);
    harness.advanceSeconds(1);
    assertThat(harness.probed).as("which began anew").hasSize(2);
  }

  @Test
  @DisplayName("W-9 a new observation of a pod is such a change")
  void observationChanges() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(READINESS, SLOW));
    harness.probed.clear();
    harness.advanceSeconds(7);
    seen(Phase.RUNNING, true);
    assertThat(harness.probed).hasSize(1);
  }

  @Test
  @DisplayName("W-8 after an agent restart the startup probe runs again before liveness may kill")
  void nothingRemembered() {
    harness.target = () -> REFUSED;
    afterRestart(Map.of(STARTUP, SLOW_START, LIVENESS, ProbeSpec.of(HANDLER).build()), false);
    harness.advanceSeconds(120);
    assertThat(harness.restarts).isEmpty();
    assertThat(harness.status().started()).isFalse();
    assertThat(harness.probed).isNotEmpty().allMatch(probe -> probe.subject().kind() == STARTUP);

    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(10);
    assertThat(harness.status().started()).isTrue();
  }

  @Test
  @DisplayName("W-8 what a startup probe found before the agent's restart holds, however young")
  void remembered() {
    harness.startups =
        (pod, container, id) -> pod.equals(POD) && container.equals("nginx") && id.equals("id-1");
    harness.engine.add(
        Fixtures.pod(Fixtures.container(Map.of(STARTUP, SLOW_START, LIVENESS, Fixtures.probe()))));
    harness.started("id-1", 0);
    harness.advanceSeconds(30);
    assertThat(harness.status().started()).isTrue();
    assertThat(harness.probed).isNotEmpty().allMatch(probe -> probe.subject().kind() == LIVENESS);

    harness.started("id-2", 1);
    assertThat(harness.status().started()).as("another instance starts").isFalse();
  }

  @Test
  @DisplayName(
      "W-9 a ready container stays ready while its startup probe runs again, until it fails")
  void readyWhileStartupProbeRunsAgain() {
    harness.target = () -> REFUSED;
    afterRestart(
        Map.of(STARTUP, ProbeSpec.of(HANDLER).failureThreshold(2).build(), READINESS, SLOW), true);
    harness.advanceSeconds(10);
    assertThat(harness.status().ready()).isTrue();
    harness.advanceSeconds(10);
    assertThat(harness.restarts).hasSize(1);
    assertThat(harness.status().ready()).isFalse();
  }

  private void afterRestart(Map<ProbeKind, ProbeSpec> probes, boolean ready) {
    ContainerObservation container =
        new ContainerObservation(
            "id-1",
            ContainerObservation.State.RUNNING,
            VirtualLoop.START.minusSeconds(60),
            0,
            0,
            "",
            false,
            ready);
    harness.engine.add(Fixtures.pod(Fixtures.container(probes)));
    harness.engine.observed(
        new PodObservation(
            POD, Phase.RUNNING, false, ready, List.of("10.0.0.1"), Map.of("nginx", container)));
    harness.loop.run();
  }

  private void seen(Phase phase, boolean deleting) {
    ContainerObservation container = harness.status().observation();
    harness.engine.observed(
        new PodObservation(
            POD, phase, deleting, false, List.of("10.0.0.1"), Map.of("nginx", container)));
    harness.loop.run();
  }
}
