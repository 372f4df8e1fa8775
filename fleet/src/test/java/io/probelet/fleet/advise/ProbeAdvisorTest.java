package io.probelet.fleet.advise;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is proposed, from which evidence, and that it keeps what it promises. */
class ProbeAdvisorTest {
  private static final AdviceSubject SUBJECT =
      new AdviceSubject("shop", "Deployment", "web", "app");
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  /** One probe's evidence, in the making. */
  private static final class Seen {
    final ProbeKind kind;
    final LatencySketch success = new LatencySketch();
    final LatencySketch failure = new LatencySketch();
    final List<List<OutcomeRun>> pods = new ArrayList<>();
    final List<Duration> starts = new ArrayList<>();
    ProbeSpec.Builder spec = ProbeSpec.of(new ProbeHandler.TcpSocket(new Port.Numeric(1), null));
    String does = "GET http://<pod>:8080/healthz";
    Duration span = Duration.ofDays(3);
    private Instant at = NOON;

    Seen(ProbeKind kind) {
      this.kind = kind;
    }

    Seen answers(int count, double millis) {
      for (int i = 0; i < count; i++) {
        success.add((long) (millis * 1e6));
      }
      return this;
    }

    Seen pod(OutcomeRun... runs) {
      pods.add(List.of(runs));
      at = NOON;
      return this;
    }

    OutcomeRun run(Result result, int count, boolean newInstance) {
      Instant first = at;
      Instant last = first.plusSeconds(10L * (count - 1));
      at = last.plusSeconds(10);
      if (result != Result.SUCCESS) {
        for (int i = 0; i < count; i++) {
          failure.add(result == Result.TIMEOUT ? 1_000_000_000L : 5_000_000L);
        }
      }
      return new OutcomeRun(result, newInstance, first, last, count);
    }

    ProbeEvidence evidence() {
      return new ProbeEvidence(kind, does, spec.build(), success, failure, pods, starts, span);
    }
  }

  private static Seen liveness() {
    return new Seen(ProbeKind.LIVENESS);
  }

  private static WorkloadAdvice advise(Seen... probes) {
    return advise(AdviceGoals.DEFAULT, probes);
  }

  private static WorkloadAdvice advise(AdviceGoals goals, Seen... probes) {
    Map<ProbeKind, ProbeEvidence> evidence = new EnumMap<>(ProbeKind.class);
    for (Seen probe : probes) {
      evidence.put(probe.kind, probe.evidence());
    }
    return ProbeAdvisor.advise(
        new WorkloadEvidence(
            SUBJECT, evidence, "regular", EnumSet.allOf(ProbeKind.class), 3, 2, 0, 0),
        goals);
  }

  private static Proposal only(WorkloadAdvice advice) {
    assertThat(advice.proposals()).hasSize(1);
    return advice.proposals().getFirst();
  }

  // --- The promise

  enum Server {
    LOGNORMAL(random -> Math.exp(Math.log(60) + 0.8 * random.nextGaussian())),
    BIMODAL(random ->
        random.nextDouble() < 0.98
            ? 5 + 3 * random.nextDouble()
            : 600 + 200 * random.nextGaussian()),
    HEAVY_TAIL(random -> 8 / Math.pow(1 - random.nextDouble(), 1 / 1.5)),
    RARE_PAUSE(random -> random.nextDouble() < 0.0005 ? 1_700 : 12),
    UNIFORM(random -> 100 + 800 * random.nextDouble());

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<Random> latency;

    Server(ToDoubleFunction<Random> latency) {
      this.latency = latency;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LOGNORMAL, 60000",
    "BIMODAL, 60000",
    "HEAVY_TAIL, 60000",
    "RARE_PAUSE, 60000",
    "UNIFORM, 60000",
    "LOGNORMAL, 30000",
    "HEAVY_TAIL, 30000",
    "RARE_PAUSE, 30000",
    "HEAVY_TAIL, 5000",
    "LOGNORMAL, 3000"
  })
  @DisplayName("AD-4 the proposed timeout fails at most the promised share of 10,000 fresh probes")
  void theProposedTimeoutKeepsItsPromise(Server server, int outcomes) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      Seen seen = liveness();
      seen.spec.timeout(Duration.ofSeconds(30)).period(Duration.ofSeconds(30));
      for (int i = 0; i < outcomes; i++) {
        seen.answers(1, server.latency.applyAsDouble(random));
      }
      TailBound bound = TailBound.of(seen.success, 0).orElseThrow();
      assertThat(bound.oneIn()).isEqualTo(outcomes < 30_000 ? 1_000 : 10_000);
      // The timeout of 30 s stays where it is needed.
      List<Proposal> proposals = advise(new AdviceGoals(Duration.ofHours(1)), seen).proposals();
      double limit = proposals.isEmpty() ? 30_000 : proposals.getFirst().value() * 1_000.0;
      assertThat(proposals).allMatch(each -> each.field().equals("timeoutSeconds"));
      assertThat(proposals.isEmpty() && server != Server.HEAVY_TAIL).isFalse();
      long late = 0;
      for (int i = 0; i < 10_000; i++) {
        late += server.latency.applyAsDouble(random) > limit ? 1 : 0;
      }
      assertThat(late)
          .as("%s, seed %d, timeout %s ms", server, seed, limit)
          .isLessThanOrEqualTo(10_000 / bound.oneIn());
    }
  }

  @Test
  @DisplayName("Without the margin the bound alone holds in 19 of 20 cases")
  void theBoundHoldsAsOftenAsItSays() {
    int broken = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      LatencySketch sketch = new LatencySketch();
      for (int i = 0; i < 3_000; i++) {
        sketch.add((long) (1e6 * 10 / (1 - random.nextDouble()))); // P(X > x) = 10 / x
      }
      double bound = TailBound.of(sketch, 0).orElseThrow().latency().toNanos() / 1e6;
      broken += 10 / bound > 1.0 / 1_000 ? 1 : 0;
    }
    assertThat(broken).isLessThan(400 / 20 + 10);
  }

  @Test
  void exceptionsAreThoseThatOneCaseOfTwentyHas() {
    assertThat(TailBound.exceptions(2.9)).isEqualTo(-1);
    assertThat(TailBound.exceptions(3)).isZero();
    assertThat(TailBound.exceptions(4.8)).isEqualTo(1);
    assertThat(TailBound.exceptions(10)).isEqualTo(4);
    assertThat(TailBound.exceptions(499)).isBetween(460, 463);
    assertThat(TailBound.exceptions(501)).isBetween(462, 465);
  }

  // --- Timeout

  @Test
  void raisesATimeoutThatIsTooClose() {
    Seen seen = liveness().answers(40_000, 20).answers(10, 900);
    seen.pod(
        seen.run(Result.SUCCESS, 1_000, false),
        seen.run(Result.TIMEOUT, 3, false),
        seen.run(Result.SUCCESS, 1_000, true));
    Proposal proposal = only(advise(seen));
    assertThat(proposal.today()).isEqualTo("1s");
    assertThat(proposal.proposed()).isEqualTo("2s");
    assertThat(proposal.rule()).isEqualTo("measured-timeout-too-short");
    assertThat(proposal.reason())
        .startsWith("at most 1 of 10,000 answers takes longer than")
        .contains("40,013 outcomes");
    assertThat(proposal.effect())
        .isEqualTo(
            "1 of 1 restarts would not have happened if the answers came within 2s; a hang is"
                + " found after at most 32s instead of 31s");
  }

  @Test
  @DisplayName("AD-5 a timeout that cuts the tail off hides it: no rate is promised")
  void doublesATimeoutThatHidesTheTail() {
    Seen seen = liveness().answers(40_000, 400);
    OutcomeRun[] runs = new OutcomeRun[32];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = seen.run(i % 2 == 0 ? Result.SUCCESS : Result.TIMEOUT, 1, false);
    }
    seen.pod(runs);
    Proposal proposal = advise(seen).proposals().getFirst();
    assertThat(proposal.proposed()).isEqualTo("2s");
    assertThat(proposal.reason()).contains("no rate can be promised");
  }

  @Test
  void aHangIsNoSlowAnswer() {
    Seen seen = liveness().answers(40_000, 20);
    for (int pod = 0; pod < 10; pod++) {
      seen.pod(
          seen.run(Result.SUCCESS, 1_000, false),
          seen.run(Result.TIMEOUT, 3, false),
          seen.run(Result.SUCCESS, 1_000, true));
    }
    assertThat(advise(seen).proposals()).isEmpty();
  }

  @Test
  @DisplayName("AD-5 an outage of a readiness probe is no slow answer, nor are hangs of before")
  void anOutageIsNoSlowAnswer() {
    Seen readiness = new Seen(ProbeKind.READINESS).answers(40_000, 20);
    readiness.pod(
        readiness.run(Result.SUCCESS, 1_000, false),
        readiness.run(Result.TIMEOUT, 60, false),
        readiness.run(Result.SUCCESS, 1_000, false));
    assertThat(advise(readiness).proposals()).isEmpty();

    Seen hangs = liveness().answers(40_000, 20);
    hangs.pod(
        hangs.run(Result.SUCCESS, 1_000, false),
        hangs.run(Result.TIMEOUT, 3, false),
        hangs.run(Result.SUCCESS, 1_000, true));
    for (int i = 0; i < 100; i++) {
      hangs.failure.add(1_000_000_000L); // their runs are no longer stored
    }
    assertThat(advise(hangs).proposals()).isEmpty();
  }

  @Test
  void lowersATimeoutThatMakesHangsLast() {
    Seen seen = liveness().answers(40_000, 20);
    seen.spec.timeout(Duration.ofSeconds(15));
    Proposal proposal = only(advise(seen));
    assertThat(proposal.rule()).isEqualTo("measured-timeout-too-long");
    assertThat(proposal.proposed()).isEqualTo("1s");
    assertThat(proposal.effect())
        .isEqualTo(
            "unknown, as no outcomes are stored; a hang is found after at most 31s instead of"
                + " 55s");
  }

  @Test
  void aGoodProbeStaysAsItIs() {
    Seen seen = liveness().answers(40_000, 20);
    seen.pod(seen.run(Result.SUCCESS, 40_000, false));
    WorkloadAdvice advice = advise(seen);
    assertThat(advice.proposals()).isEmpty();
    assertThat(advice.probes().getFirst().outcomes()).isEqualTo(40_000);
    assertThat(advice.probes().getFirst().enough()).isTrue();
  }

  @Test
  @DisplayName("AD-3 too little data gives no proposal, and says how much there is")
  void proposesNothingOnTooLittleData() {
    Seen few = liveness().answers(2_999, 990);
    assertThat(advise(few).proposals()).isEmpty();
    assertThat(advise(few).notes())
        .containsExactly(
            "livenessProbe: too little data, 2,999 outcomes in 72h0m0s; at least 3,000 in 6h0m0s"
                + " are needed");
    Seen quick = liveness().answers(40_000, 990);
    quick.span = Duration.ofHours(5);
    assertThat(advise(quick).proposals()).isEmpty();
    assertThat(advise(quick).probes().getFirst().enough()).isFalse();
    assertThat(advise(liveness()).proposals()).isEmpty();
  }

  // --- Threshold and period

  @Test
  @DisplayName("AD-6 failures that pass by themselves must not restart")
  void raisesAThresholdThatPassingFailuresNearlyReach() {
    Seen seen = liveness().answers(40_000, 20);
    seen.pod(
        seen.run(Result.SUCCESS, 100, false),
        seen.run(Result.FAILURE, 2, false),
        seen.run(Result.SUCCESS, 100, false),
        seen.run(Result.FAILURE, 3, false),
        seen.run(Result.SUCCESS, 100, true));
    Proposal proposal = only(advise(seen));
    assertThat(proposal.field()).isEqualTo("failureThreshold");
    assertThat(proposal.today()).isEqualTo("3");
    assertThat(proposal.proposed()).isEqualTo("5");
    assertThat(proposal.effect())
        .isEqualTo(
            "1 of 1 restarts would not have happened by then; a hang is found after at most 51s"
                + " instead of 31s");
  }

  @Test
  void aSingleFailureIsNoReasonToRestart() {
    Seen seen = liveness().answers(40_000, 20);
    seen.spec.failureThreshold(1);
    seen.pod(
        seen.run(Result.SUCCESS, 100, false),
        seen.run(Result.FAILURE, 1, false),
        seen.run(Result.SUCCESS, 100, true));
    Proposal proposal = only(advise(seen));
    assertThat(proposal.proposed()).isEqualTo("3");
    assertThat(proposal.reason()).contains("each failed probe restarts the container");
  }

  @Test
  @DisplayName("AD-7 the longest period that finds a hang in time")
  void shortensThePeriodOfAHangThatLasts() {
    Seen seen = liveness().answers(40_000, 20);
    seen.spec.period(Duration.ofSeconds(30)).failureThreshold(6);
    Proposal proposal = only(advise(seen));
    assertThat(proposal.field()).isEqualTo("periodSeconds");
    assertThat(proposal.value()).isEqualTo(9);
    assertThat(proposal.effect()).contains("at most 55s instead of 3m1s");
    assertThat(advise(new AdviceGoals(Duration.ofMinutes(5)), seen).proposals()).isEmpty();
    WorkloadAdvice impossible = advise(new AdviceGoals(Duration.ofSeconds(3)), seen);
    assertThat(impossible.proposals()).isEmpty();
    assertThat(impossible.notes()).anyMatch(note -> note.contains("no period makes that 3s"));
  }

  // --- Start

  private static Seen startup(int seconds, int starts) {
    Seen seen = new Seen(ProbeKind.STARTUP);
    seen.starts.addAll(Collections.nCopies(starts, Duration.ofSeconds(seconds)));
    return seen;
  }

  @Test
  @DisplayName("AD-8 twice the longest start")
  void widensAStartupWindowThatIsTooShort() {
    Proposal proposal = only(advise(startup(25, 5)));
    assertThat(proposal.rule()).isEqualTo("measured-startup-too-short");
    assertThat(proposal.today()).isEqualTo("3");
    assertThat(proposal.proposed()).isEqualTo("5");
    assertThat(advise(startup(25, 4)).proposals()).isEmpty();
    assertThat(advise(startup(25, 4)).notes()).anyMatch(note -> note.contains("4 starts"));
    assertThat(advise(startup(19, 5)).proposals()).isEmpty();
  }

  @Test
  void widensAStartupWindowThatGaveUp() {
    Seen seen = startup(25, 1);
    seen.pod(
        seen.run(Result.FAILURE, 3, false),
        seen.run(Result.FAILURE, 2, true),
        seen.run(Result.SUCCESS, 1, false));
    Proposal proposal = only(advise(seen));
    assertThat(proposal.proposed()).isEqualTo("6");
    assertThat(proposal.reason()).startsWith("the probe gave up 1 time after 30s");
    assertThat(proposal.effect()).startsWith("1 of 1 restarts would not have happened by then");
  }

  @Test
  void narrowsAStartupWindowOfManyMinutes() {
    Seen seen = startup(8, 20);
    seen.spec.failureThreshold(90);
    Proposal proposal = only(advise(seen));
    assertThat(proposal.rule()).isEqualTo("measured-startup-too-long");
    assertThat(proposal.proposed()).isEqualTo("4");
  }

  @Test
  void proposesAStartupProbeWhereLivenessMayBeTooEarly() {
    Seen liveness = liveness().answers(40_000, 20);
    Seen readiness = new Seen(ProbeKind.READINESS).answers(40_000, 20);
    readiness.does = "GET http://<pod>:8080/ready";
    readiness.starts.addAll(Collections.nCopies(6, Duration.ofSeconds(28)));
    Proposal proposal = only(advise(liveness, readiness));
    assertThat(proposal.probe()).isEqualTo("startupProbe");
    assertThat(proposal.rule()).isEqualTo("measured-startup-missing");
    assertThat(proposal.value()).isNull();
  }

  // --- Liveness and readiness

  @Test
  @DisplayName(
      "AD-9 liveness that fails on several pods at once checks something else than the pod")
  void removesLivenessThatSharesItsFailure() {
    Seen liveness = liveness().answers(40_000, 20);
    for (int pod = 0; pod < 3; pod++) {
      liveness.pod(
          liveness.run(Result.SUCCESS, 100, false),
          liveness.run(Result.FAILURE, 3, false),
          liveness.run(Result.SUCCESS, 10, true));
    }
    Seen readiness = new Seen(ProbeKind.READINESS).answers(40_000, 20);
    Proposal proposal = only(advise(liveness, readiness));
    assertThat(proposal.rule()).isEqualTo("measured-liveness-shares-failure");
    assertThat(proposal.field()).isEmpty();
    assertThat(proposal.effect()).startsWith("3 of 3 restarts would not have happened");

    readiness.does = "GET http://<pod>:8080/ready";
    assertThat(advise(liveness, readiness).proposals()).isEmpty();
  }

  @Test
  void livenessDecidesLaterThanReadiness() {
    Seen liveness = liveness().answers(40_000, 20);
    liveness.pod(
        liveness.run(Result.SUCCESS, 100, false),
        liveness.run(Result.FAILURE, 3, false),
        liveness.run(Result.SUCCESS, 10, true));
    Seen readiness = new Seen(ProbeKind.READINESS).answers(40_000, 20);
    Proposal proposal = advise(liveness, readiness).proposals().getFirst();
    assertThat(proposal.rule()).isEqualTo("measured-liveness-equals-readiness");
    assertThat(proposal.proposed()).isEqualTo("6");
  }
}
