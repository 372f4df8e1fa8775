package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** AD-10: stored outcomes tried with other settings, through the worker's own rules. */
class ProbeReplayTest {
  private static final Duration TEN = Duration.ofSeconds(10);

  private final List<OutcomeRun> runs = new ArrayList<>();
  private long at = 1_000;

  private ProbeReplayTest seen(Result result, int count, boolean newInstance) {
    runs.add(
        new OutcomeRun(
            result,
            newInstance,
            Instant.ofEpochSecond(at),
            Instant.ofEpochSecond(at + 10L * (count - 1)),
            count));
    at += 10L * count;
    return this;
  }

  private int restarts(ProbeSpec.Builder spec, boolean timeoutsSucceed) {
    return failures(ProbeKind.LIVENESS, spec, timeoutsSucceed);
  }

  private int failures(ProbeKind kind, ProbeSpec.Builder spec, boolean timeoutsSucceed) {
    return new ProbeReplay(kind, spec.build()).failures(runs, TEN, timeoutsSucceed).size();
  }

  private static ProbeSpec.Builder spec() {
    return ProbeSpec.of(Fixtures.HANDLER);
  }

  @Test
  void findsTheRestartsThatHappened() {
    seen(Result.SUCCESS, 5, false).seen(Result.TIMEOUT, 3, false);
    seen(Result.SUCCESS, 5_000, true).seen(Result.FAILURE, 2, false);
    seen(Result.SUCCESS, 5, false).seen(Result.FAILURE, 3, false).seen(Result.SUCCESS, 1, true);
    assertThat(restarts(spec(), false)).isEqualTo(2);
    assertThat(restarts(spec().failureThreshold(2), false))
        .isEqualTo(2); // each instance once: what comes after would have been another's
    assertThat(restarts(spec().failureThreshold(1), false)).isEqualTo(2);
    assertThat(restarts(spec().failureThreshold(4), false)).isZero();
    assertThat(restarts(spec(), true)).isEqualTo(1);
  }

  @Test
  void aNewInstanceBeginsAnew() {
    seen(Result.FAILURE, 2, false).seen(Result.FAILURE, 2, true);
    assertThat(restarts(spec(), false)).isZero();
  }

  @Test
  void anInstanceIsRestartedOnce() {
    seen(Result.FAILURE, 9, false);
    assertThat(restarts(spec(), false)).isEqualTo(1);
    seen(Result.FAILURE, 3, true);
    assertThat(restarts(spec(), false)).isEqualTo(2);
  }

  @Test
  void aShorterPeriodFailsMoreOftenInTheSameTime() {
    seen(Result.SUCCESS, 5, false).seen(Result.FAILURE, 2, false).seen(Result.SUCCESS, 5, false);
    assertThat(restarts(spec().period(Duration.ofSeconds(5)), false)).isEqualTo(1);
    assertThat(restarts(spec().period(Duration.ofSeconds(20)), false)).isZero();
  }

  @Test
  void aReadinessProbeCountsEachFailureOnce() {
    seen(Result.SUCCESS, 5, false).seen(Result.FAILURE, 9, false).seen(Result.SUCCESS, 1, false);
    seen(Result.FAILURE, 3, false);
    assertThat(failures(ProbeKind.READINESS, spec(), false)).isEqualTo(2);
  }

  @Test
  void aStartupProbeGivesUp() {
    seen(Result.FAILURE, 4, false).seen(Result.FAILURE, 2, true).seen(Result.SUCCESS, 1, false);
    assertThat(failures(ProbeKind.STARTUP, spec(), false)).isEqualTo(1);
    assertThat(failures(ProbeKind.STARTUP, spec().failureThreshold(5), false)).isZero();
  }

  @Test
  @DisplayName("The replay decides as an engine did that recorded it")
  void agreesWithTheEngine() {
    EngineHarness harness = new EngineHarness().settled();
    ProbeSpec spec = spec().failureThreshold(2).build();
    harness.running(Map.of(ProbeKind.LIVENESS, spec));
    String outcomes = "++-+--++---+-+--";
    int[] turn = {0};
    harness.target =
        () ->
            outcomes.charAt(turn[0]++ % outcomes.length()) == '+'
                ? new Verdict.Success("")
                : new Verdict.Failure("500");
    for (int instance = 2; instance < 8; instance++) {
      harness.advanceSeconds(100);
      harness.started("id-" + instance, instance);
    }
    var asked = harness.engine.snapshot(HistoryQuery.STATISTICS);
    harness.loop.run();
    List<OutcomeRun> recorded = asked.join().getFirst().probes().getFirst().statistics().runs();
    assertThat(new ProbeReplay(ProbeKind.LIVENESS, spec).failures(recorded, TEN, false))
        .hasSize(harness.restarts.size())
        .hasSizeGreaterThan(3);
  }

  @Test
  void saysHowLongAHangLasts() {
    assertThat(hang(spec())).isEqualTo(Duration.ofSeconds(31));
    assertThat(hang(spec().failureThreshold(1).timeout(Duration.ofSeconds(5))))
        .isEqualTo(Duration.ofSeconds(15));
    assertThat(hang(spec().timeout(Duration.ofSeconds(12)))) // a missed tick follows at once
        .isEqualTo(Duration.ofSeconds(46));
    assertThat(hang(spec().failingPeriod(Duration.ofSeconds(2)))) // counted from the first failure
        .isEqualTo(Duration.ofSeconds(16));
  }

  private static Duration hang(ProbeSpec.Builder spec) {
    return new ProbeReplay(ProbeKind.LIVENESS, spec.build()).hangTime();
  }
}
