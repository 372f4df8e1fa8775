package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import io.probelet.probe.latency.ProbeStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a worker records for days, and what that may take. */
class StatisticsRecorderTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final Verdict OK = new Verdict.Success("");
  private static final Verdict LATE = new Verdict.Failure("late", false, Verdict.Cause.TIMEOUT);
  private static final Verdict BROKEN = new Verdict.Failure("500", Verdict.Cause.STATUS);

  private final StatisticsBudget budget = new StatisticsBudget(1 << 20);
  private final StatisticsRecorder recorder = new StatisticsRecorder(budget.ofPod(), null, true);
  private long seconds = 1_000;

  private void add(Verdict verdict, String id, long millis) {
    recorder.add(
        seconds * SECOND, seconds, id, verdict, TimeUnit.MILLISECONDS.toNanos(millis), 7 * SECOND);
    seconds += 10;
  }

  private ProbeStatistics statistics() {
    return recorder.statistics(seconds * SECOND);
  }

  @Test
  void keepsSuccessAndFailureApart() {
    add(OK, "a", 20);
    add(LATE, "a", 1_000);
    add(OK, "a", 30);
    assertThat(statistics().success().count()).isEqualTo(2);
    assertThat(statistics().failure().count()).isEqualTo(1);
    assertThat(statistics().success().upperBound(0)).isLessThan(Duration.ofMillis(35));
    assertThat(statistics().since()).isEqualTo(Instant.ofEpochSecond(1_000));
  }

  @Test
  void keepsRunsOfEqualOutcomes() {
    add(OK, "a", 1);
    add(OK, "a", 1);
    add(LATE, "a", 1_000);
    add(BROKEN, "a", 1);
    add(BROKEN, "b", 1);
    assertThat(statistics().runs())
        .containsExactly(
            run(Result.SUCCESS, false, 1_000, 1_010, 2),
            run(Result.TIMEOUT, false, 1_020, 1_020, 1),
            run(Result.FAILURE, false, 1_030, 1_030, 1),
            run(Result.FAILURE, true, 1_040, 1_040, 1));
  }

  private static OutcomeRun run(Result result, boolean fresh, long first, long last, int count) {
    return new OutcomeRun(
        result, fresh, Instant.ofEpochSecond(first), Instant.ofEpochSecond(last), count);
  }

  @Test
  void keepsTheNewestRunsOnly() {
    for (int i = 0; i < 100; i++) {
      add(i % 2 == 0 ? OK : BROKEN, "a", 1);
    }
    assertThat(statistics().runs()).hasSize(ProbeStatistics.MAX_RUNS);
    assertThat(statistics().runs().getLast().last())
        .isEqualTo(Instant.ofEpochSecond(1_000 + 99 * 10));
  }

  @Test
  void runsSurviveTheYear2038() {
    seconds = 0x8000_0005L;
    add(OK, "a", 1);
    add(OK, "a", 1);
    assertThat(statistics().runs())
        .containsExactly(run(Result.SUCCESS, false, 0x8000_0005L, 0x8000_000fL, 2));
  }

  @Test
  @DisplayName("A start is timed once for each instance, and only if it was observed")
  void timesStarts() {
    add(BROKEN, "a", 1);
    add(OK, "a", 1);
    add(OK, "a", 1);
    add(OK, "b", 1);
    recorder.add(seconds * SECOND, seconds, "c", OK, 1, StatisticsRecorder.NOT_SEEN);
    assertThat(statistics().starts()).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(7));
    for (int i = 0; i < 40; i++) {
      add(OK, "more-" + i, 1);
    }
    assertThat(statistics().starts()).hasSize(ProbeStatistics.MAX_STARTS);
  }

  @Test
  void halvesEachWeek() {
    add(OK, "a", 10);
    add(OK, "a", 10);
    seconds += Duration.ofDays(7).toSeconds();
    add(OK, "a", 10);
    assertThat(statistics().success().count()).isEqualTo(2);
  }

  @Test
  void goesOnFromAnEarlierLife() {
    add(OK, "a", 10);
    add(LATE, "a", 1_000);
    ProbeStatistics kept = statistics();
    StatisticsRecorder next = new StatisticsRecorder(budget.ofPod(), kept, true);
    assertThat(next.statistics(0)).isSameAs(kept);
    next.add(0, seconds, "a", OK, TimeUnit.MILLISECONDS.toNanos(10), StatisticsRecorder.NOT_SEEN);
    ProbeStatistics now = next.statistics(SECOND);
    assertThat(now.success().count()).isEqualTo(2);
    assertThat(now.failure().count()).isEqualTo(1);
    assertThat(now.since()).isEqualTo(kept.since());
    assertThat(now.starts()).hasSize(1);
    assertThat(now.runs()).hasSize(3);
    assertThat(now.halvedAgo()).isEqualTo(kept.halvedAgo().plusSeconds(1));
  }

  @Test
  @DisplayName("Beyond the limit a probe has no statistics, is counted, and asks again")
  void staysWithinTheBudget() {
    StatisticsBudget small = new StatisticsBudget(OutcomeRuns.MAX_BYTES + LatencySketch.MAX_BYTES);
    StatisticsRecorder first = new StatisticsRecorder(small.ofPod(), null, false);
    StatisticsRecorder second = new StatisticsRecorder(small.ofPod(), null, false);
    first.add(0, 0, "a", OK, 1, 0);
    first.add(0, 0, "a", BROKEN, 1, 0); // no memory for its second sketch, which is no error
    second.add(0, 0, "a", OK, 1, 0);
    second.add(0, 0, "a", OK, 1, 0);
    assertThat(small.used()).isEqualTo(OutcomeRuns.MAX_BYTES + LatencySketch.MAX_BYTES);
    assertThat(small.without()).isEqualTo(1);
    assertThat(first.statistics(0).success().count()).isEqualTo(1);
    assertThat(first.statistics(0).runs()).hasSize(2);
    assertThat(second.statistics(0)).isNull();

    first.close();
    second.add(0, 0, "a", OK, 1, 0);
    assertThat(small.without()).isZero();
    assertThat(second.statistics(0).success().count()).isEqualTo(1);
    second.close();
    second.add(0, 0, "a", OK, 1, 0);
    assertThat(small.used()).isZero();
    assertThat(small.without()).isZero();
  }

  @Test
  @DisplayName("AD-1 pods of hundreds of probes leave enough for others")
  void aPodCannotTakeTheMemoryOfOthers() {
    StatisticsBudget node = new StatisticsBudget(StatisticsBudget.NODE_BYTES);
    for (int pod = 0; pod < 100; pod++) {
      StatisticsBudget.PodShare greedy = node.ofPod();
      for (int probe = 0; probe < 768; probe++) {
        StatisticsRecorder each = new StatisticsRecorder(greedy, null, false);
        each.add(0, 0, "a", OK, 1, 0);
        each.add(0, 0, "a", BROKEN, 1, 0);
      }
    }
    StatisticsRecorder honest = new StatisticsRecorder(node.ofPod(), null, false);
    honest.add(0, 0, "a", OK, 1, 0);
    assertThat(honest.statistics(0)).isNotNull();
    assertThat(node.used()).isLessThan(StatisticsBudget.NODE_BYTES);
    assertThat(node.without()).isPositive();
  }

  @Test
  void anEngineRecordsStartsAndRestarts() {
    EngineHarness harness = new EngineHarness().settled();
    harness.running(
        Map.of(
            ProbeKind.LIVENESS,
            ProbeSpec.of(Fixtures.HANDLER).failureThreshold(2).build(),
            ProbeKind.READINESS,
            ProbeSpec.of(Fixtures.HANDLER).build()));
    harness.latency = Duration.ofMillis(40);
    harness.advanceSeconds(60);
    harness.target = () -> BROKEN;
    harness.advanceSeconds(20);
    harness.target = () -> OK;
    harness.started("id-2", 1);
    harness.advanceSeconds(30);

    var asked = harness.engine.snapshot(HistoryQuery.STATISTICS);
    harness.loop.run();
    for (ProbeSnapshot probe : asked.join().getFirst().probes()) {
      ProbeStatistics seen = probe.statistics();
      assertThat(seen.success().upperBound(0))
          .isBetween(Duration.ofMillis(40), Duration.ofMillis(50));
      assertThat(seen.runs().getLast().newInstance()).isTrue();
      assertThat(seen.runs().getLast().result()).isEqualTo(Result.SUCCESS);
      assertThat(seen.starts()).hasSize(probe.kind() == ProbeKind.READINESS ? 2 : 0);
    }
    assertThat(harness.engine.statisticsBytes()).isPositive();
    assertThat(harness.engine.withoutStatistics()).isZero();
    var plain = harness.engine.snapshot(HistoryQuery.NONE);
    harness.loop.run();
    assertThat(plain.join().getFirst().probes()).allMatch(probe -> probe.statistics() == null);
  }
}
