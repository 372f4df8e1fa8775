package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.agent.config.ThrottleSettings;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.CpuQuota;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * D-13: the restart of a container that its own CPU limit throttles is held, for a limited time.
 */
class ThrottleGateTest {
  private static final Verdict SLOW =
      new Verdict.Failure("context deadline exceeded", false, Cause.TIMEOUT);
  private static final Verdict REFUSED = new Verdict.Failure("connection refused", Cause.CONNECT);
  private static final Verdict FINE = new Verdict.Success("ok");
  private static final PodRef POD = new PodRef("shop", "web-0", "uid");
  private static final ProbeSubject LIVENESS = new ProbeSubject(POD, "web", ProbeKind.LIVENESS);
  private static final int THRESHOLD = 3;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-27T10:00:00Z"));
  private final List<String> told = new ArrayList<>();
  private final List<Duration> waits = new ArrayList<>();
  private final SuppressedRestarts kept =
      new SuppressedRestarts(
          clock,
          new KeptListener() {
            @Override
            public void kept(RestartDecision decision, String reason, String message) {
              told.add(reason + ": " + message);
            }

            @Override
            public void observed(RestartDecision decision, String message) {
              told.add("observed: " + message);
            }
          });

  private ThrottleSettings settings = ThrottleSettings.DEFAULT;
  private boolean observed;
  private @Nullable CpuQuota quota = new CpuQuota(10, 0, 0);
  private final ThrottleGate gate =
      new ThrottleGate(() -> settings, _ -> observed, this::read, kept, clock);

  private CompletableFuture<ContainerEvidence> read(String containerId, Duration after) {
    waits.add(after);
    return CompletableFuture.completedFuture(
        new ContainerEvidence(quota, null, null, null, null, null));
  }

  /** Ten seconds pass, in which the container wants to run and is throttled so often. */
  private void tenSeconds(int throttled) {
    clock.advance(Duration.ofSeconds(10));
    if (quota != null) {
      quota = new CpuQuota(10, quota.periods() + 100, quota.throttledPeriods() + throttled);
    }
  }

  private void probed(String id, int consecutive, Verdict verdict) {
    gate.probed(
        new Probed(
            LIVENESS,
            id,
            new ProbeOutcome(verdict, ProbeTimings.of(1_000_000_000)),
            consecutive,
            THRESHOLD,
            Duration.ofSeconds(1),
            Duration.ZERO));
  }

  /** As many failures as decide, ten seconds apart; then the question. */
  private boolean restarts(String id, int throttled, Verdict... verdicts) {
    for (int i = 0; i < verdicts.length; i++) {
      tenSeconds(throttled);
      probed(id, i + 1, verdicts[i]);
    }
    return gate.ask(decision(id, null)).join();
  }

  private static RestartDecision decision(String id, @Nullable Duration hold) {
    return new RestartDecision(
        LIVENESS,
        Targets.of(POD, "web", id),
        Duration.ofSeconds(30),
        new ProbeEvent(
            "Normal", "Killing", "Container web failed liveness probe, will be restarted"),
        "failed",
        hold);
  }

  /**
   * A container that is on hold fails once more, and its gate is asked again, as the engine does.
   */
  private boolean restartsNow(String id, int throttled, Verdict verdict) {
    tenSeconds(throttled);
    probed(id, THRESHOLD, verdict);
    return gate.ask(decision(id, null)).join();
  }

  /** Seconds until it restarts, from the first decision on. */
  private int heldSeconds(String id) {
    if (restarts(id, 98, SLOW, SLOW, SLOW)) {
      return 0;
    }
    int held = 10;
    while (!restartsNow(id, 98, SLOW)) {
      held += 10;
      assertThat(held).as("seconds").isLessThan(600);
    }
    return held;
  }

  @Test
  @DisplayName("holds a throttled container for two minutes in total, then lets it restart")
  void bounded() {
    assertThat(heldSeconds("a")).isEqualTo(120);
    assertThat(told)
        .contains(
            "RestartHeld: Container web failed liveness probe, restart on hold for up to 2m0s: its"
                + " CPU limit of 10m throttled it 98 % of the time while the probe failed. Raise the"
                + " CPU limit or the probe's timeout")
        .last()
        .isEqualTo(
            "RestartHoldOver: Container web failed liveness probe, hold over after 2m0s: its CPU"
                + " limit of 10m throttled it 98 % of the time while the probe failed");
  }

  @Test
  @DisplayName("a hold that is over does not begin again while another gate holds the restart")
  void overOnce() {
    heldSeconds("a");
    int events = told.size();
    for (int i = 0; i < 50; i++) {
      assertThat(restartsNow("a", 98, SLOW)).isTrue();
    }
    assertThat(told).hasSize(events);
  }

  @Test
  @DisplayName("a hold never exceeds its limit, however long the author's period is")
  void limit() {
    settings = new ThrottleSettings(true, Duration.ofSeconds(15), Duration.ofSeconds(15));
    assertThat(heldSeconds("a")).isEqualTo(10);
    settings = new ThrottleSettings(true, Duration.ofSeconds(9), Duration.ofSeconds(9));
    assertThat(heldSeconds("b")).as("the next decision would be too late").isZero();
  }

  @Test
  @DisplayName("a container that stops using CPU while it is held restarts at its next failure")
  void hangsLater() {
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isFalse();
    clock.advance(Duration.ofSeconds(10)); // without a period in which it wants to run
    probed("a", THRESHOLD, SLOW);
    assertThat(gate.ask(decision("a", null)).join()).isTrue();
  }

  @Test
  @DisplayName("a definite answer while it is held restarts it at once")
  void definiteLater() {
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isFalse();
    assertThat(restartsNow("a", 98, REFUSED)).isTrue();
    assertThat(restartsNow("a", 98, SLOW)).as("it is not held again").isTrue();
  }

  @Test
  @DisplayName("failures within less than a second are read again after a second")
  void shortWindow() {
    for (int i = 1; i <= THRESHOLD; i++) {
      clock.advance(Duration.ofMillis(100));
      probed("a", i, SLOW);
    }
    gate.ask(decision("a", null)).join();
    assertThat(waits).containsExactly(Duration.ZERO, Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("restarts at once unless the limit throttled most of the window")
  void notThrottled() {
    assertThat(restarts("a", 49, SLOW, SLOW, SLOW)).isTrue();
    assertThat(restarts("b", 50, SLOW, SLOW, SLOW)).isFalse();
    assertThat(restarts("c", 0, SLOW, SLOW, SLOW)).as("a hang that idles").isTrue();
  }

  @Test
  @DisplayName("throttling before the failures does not count")
  void windowOnly() {
    quota = new CpuQuota(10, 1_000_000, 1_000_000);
    assertThat(restarts("a", 10, SLOW, SLOW, SLOW)).isTrue();
  }

  @Test
  @DisplayName("restarts at once if one of the failures was not a timeout")
  void definite() {
    assertThat(restarts("a", 98, REFUSED, SLOW, SLOW)).isTrue();
    assertThat(restarts("b", 98, SLOW, REFUSED, SLOW)).isTrue();
    assertThat(restarts("c", 98, SLOW, SLOW, REFUSED)).isTrue();
    assertThat(told).isEmpty();
  }

  @Test
  @DisplayName("restarts at once where no limit can be read")
  void unknown() {
    quota = null;
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isTrue();
  }

  @Test
  @DisplayName("the first failure after a recovery starts a new hold")
  void recovery() {
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isFalse();
    assertThat(restartsNow("a", 98, SLOW)).isFalse();
    probed("a", 1, FINE);
    assertThat(heldSeconds("a")).isEqualTo(120);
  }

  @Test
  @DisplayName("the next instance starts a new hold")
  void nextInstance() {
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isFalse();
    assertThat(heldSeconds("b")).isEqualTo(120);
  }

  @Test
  @DisplayName("a probe that decides at its first failure is read again after a second")
  void firstFailure() {
    restarts("a", 98, SLOW);
    assertThat(waits).containsExactly(Duration.ZERO, Duration.ofSeconds(1));
  }

  @Test
  @DisplayName("a probe that fails every other time causes at most one reading a second")
  void flapping() {
    for (int probe = 0; probe < 100; probe++) {
      clock.advance(Duration.ofMillis(100));
      probed("a", 1, probe % 2 == 0 ? SLOW : FINE);
    }
    assertThat(waits).hasSizeBetween(9, 11);
  }

  @Test
  @DisplayName("a pod chooses its hold, up to what the administrator allows")
  void annotation() {
    settings = new ThrottleSettings(true, Duration.ofSeconds(30), Duration.ofSeconds(60));
    restarts("a", 98, SLOW, SLOW, SLOW);
    assertThat(gate.ask(decision("a", Duration.ofHours(1))).join()).isFalse();
    tenSeconds(98);
    assertThat(gate.ask(decision("a", Duration.ofHours(1))).join()).isFalse();
    clock.advance(Duration.ofSeconds(39));
    quota = new CpuQuota(10, 10_000, 9_800);
    assertThat(gate.ask(decision("a", Duration.ofHours(1))).join()).isFalse();
    clock.advance(Duration.ofSeconds(2));
    quota = new CpuQuota(10, 20_000, 19_600);
    assertThat(gate.ask(decision("a", Duration.ofHours(1))).join())
        .as("with the next failure it would be more than a minute")
        .isTrue();
    restarts("b", 98, SLOW, SLOW, SLOW);
    assertThat(gate.ask(decision("b", Duration.ZERO)).join()).as("0s turns it off").isTrue();
  }

  @Test
  @DisplayName("the administrator turns it off for all, without a reading")
  void disabled() {
    settings = new ThrottleSettings(false, Duration.ofMinutes(2), Duration.ofMinutes(2));
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isTrue();
    assertThat(gate.ask(decision("a", Duration.ofMinutes(1))).join()).isTrue();
    assertThat(waits).isEmpty();
  }

  @Test
  @DisplayName("reports in observe mode what it would have held")
  void observed() {
    observed = true;
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).as("what observes keeps it").isTrue();
    assertThat(told)
        .containsExactly(
            "observed: would be on hold for up to 2m0s, but its pod is in observe mode: its CPU limit"
                + " of 10m throttled it 98 % of the time while the probe failed");
    assertThat(kept.count(Why.THROTTLED)).isZero();
    assertThat(kept.count(Why.OBSERVED_THROTTLED)).isEqualTo(1);
  }

  @Test
  @DisplayName("forgets a probe that ended")
  void ended() {
    assertThat(restarts("a", 98, SLOW, SLOW, SLOW)).isFalse();
    gate.workerEnded(LIVENESS);
    assertThat(gate.ask(decision("a", null)).join()).isTrue();
  }
}
