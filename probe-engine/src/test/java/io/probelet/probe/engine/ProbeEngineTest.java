package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static io.probelet.probe.ProbeKind.STARTUP;
import static io.probelet.probe.ProbeResult.FAILURE;
import static io.probelet.probe.ProbeResult.SUCCESS;
import static io.probelet.probe.engine.Fixtures.HANDLER;
import static io.probelet.probe.engine.Fixtures.POD;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.probe.engine.ProbeListener.Published;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Workers over time: ticks, gating, readiness, decisions, the end. */
class ProbeEngineTest {
  private static final Verdict REFUSED = new Verdict.Failure("connection refused");

  private final EngineHarness harness = new EngineHarness();

  @Test
  @DisplayName("C-32 after agent start 1,000 workers spread their first probes over the period")
  void startSpread() {
    for (int i = 0; i < 1000; i++) {
      PodRef ref = new PodRef("default", "pod-" + i, "uid-" + i);
      harness.engine.add(
          Fixtures.pod(
              ref, RestartPolicy.ALWAYS, Fixtures.container(Map.of(LIVENESS, Fixtures.probe()))));
      harness.engine.observed(
          Fixtures.seen(
              ref, ContainerObservation.running("id-" + i, VirtualLoop.START.minusSeconds(60), 0)));
    }
    harness.loop.advance(Duration.ofSeconds(10).minusNanos(1));

    Map<Long, Integer> perSecond = new TreeMap<>();
    for (Instant start : harness.probesStarted) {
      perSecond.merge(Duration.between(VirtualLoop.START, start).toSeconds(), 1, Integer::sum);
    }
    assertThat(harness.probesStarted).hasSize(1000);
    assertThat(perSecond).hasSize(10);
    assertThat(perSecond.values()).allSatisfy(count -> assertThat(count).isLessThan(200));
    assertThat(Set.copyOf(harness.probesStarted))
        .as("moments that workers share, so that a quiet node wakes up less often")
        .hasSizeLessThanOrEqualTo(100);
  }

  @Test
  @DisplayName("W-1 once the agent is older than a period, the first tick is at once")
  void firstTickAtOnce() {
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe()));
    assertThat(harness.probed).hasSize(1);
  }

  @Test
  @DisplayName("W-2 ticks come every period, however long a probe takes")
  void ticksAreNotDelayed() {
    harness.latency = Duration.ofMillis(900);
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe()));
    Instant first = harness.probesStarted.getFirst();
    harness.advanceSeconds(30);
    assertThat(harness.probesStarted)
        .containsExactly(
            first, first.plusSeconds(10), first.plusSeconds(20), first.plusSeconds(30));
  }

  @Test
  @DisplayName("W-2 ticks missed while a probe runs become one")
  void ticksCoalesce() {
    harness.target = () -> null;
    ProbeSpec spec =
        ProbeSpec.of(HANDLER).period(Duration.ofSeconds(1)).timeout(Duration.ofSeconds(9)).build();
    harness.settled().running(Map.of(LIVENESS, spec));
    harness.loop.advance(Duration.ofMillis(4500));
    assertThat(harness.probesStarted).hasSize(1);

    harness.answer(new Verdict.Success("ok"));
    assertThat(harness.probesStarted).hasSize(2);
    harness.answer(new Verdict.Success("ok"));
    assertThat(harness.probesStarted).hasSize(2);
    harness.loop.advance(Duration.ofMillis(500));
    assertThat(harness.probesStarted).hasSize(3);
    assertThat(harness.probed.getLast().lag()).isEqualTo(Duration.ofMillis(500));
  }

  @Test
  @DisplayName("W-3.10 jitter delays each tick by a random part and does not add up")
  void jitter() {
    ProbeSpec spec = ProbeSpec.of(HANDLER).jitter(Duration.ofSeconds(2)).build();
    harness.settled().running(Map.of(LIVENESS, spec));
    Instant added = harness.loop.time().wallTime();
    harness.advanceSeconds(1005);
    assertThat(harness.probesStarted).hasSizeGreaterThanOrEqualTo(100);
    for (int tick = 0; tick < 100; tick++) {
      assertThat(Duration.between(added.plusSeconds(10L * tick), harness.probesStarted.get(tick)))
          .isBetween(Duration.ZERO, Duration.ofSeconds(2));
    }
    assertThat(harness.probed).allSatisfy(probe -> assertThat(probe.lag()).isZero());
  }

  @Test
  @DisplayName("a failing period quickens the ticks while the probe fails")
  void failingPeriod() {
    ProbeSpec spec =
        ProbeSpec.of(HANDLER).failingPeriod(Duration.ofSeconds(1)).failureThreshold(100).build();
    harness.settled().running(Map.of(READINESS, spec));
    harness.target = () -> REFUSED;
    harness.advanceSeconds(10);
    int before = harness.probesStarted.size();
    harness.advanceSeconds(10);
    assertThat(harness.probesStarted).hasSize(before + 10);

    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(1);
    before = harness.probesStarted.size();
    harness.advanceSeconds(10);
    assertThat(harness.probesStarted).hasSize(before + 1);
  }

  @Test
  @DisplayName("C-31 a pod added twice has one worker per kind")
  void addedTwice() {
    Map<ProbeKind, ProbeSpec> probes = Map.of(LIVENESS, Fixtures.probe());
    harness.settled().running(probes);
    harness.engine.add(Fixtures.pod(Fixtures.container(probes)));
    harness.advanceSeconds(10);
    assertThat(harness.probed).hasSize(2);
    assertThat(harness.snapshot().probes()).hasSize(1);
  }

  @Test
  @DisplayName("C-20 after a liveness failure is published nothing is probed until a new container")
  void holdUntilNewContainer() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(100);
    assertThat(harness.probed).hasSize(3);
    assertThat(results()).containsExactly(SUCCESS, FAILURE);

    harness.target = () -> new Verdict.Success("ok");
    harness.started("id-2", 1);
    harness.advanceSeconds(10);
    assertThat(harness.probed).hasSize(4);
    assertThat(harness.engine.results(POD).get("id-1", LIVENESS)).isNull();
    assertThat(harness.engine.results(POD).get("id-2", LIVENESS)).isEqualTo(SUCCESS);
  }

  @Test
  @DisplayName("a container that the gate keeps is probed on, asked for again, and may recover")
  void keptByTheGate() {
    harness.settled();
    List<RestartDecision> kept = new ArrayList<>();
    harness.gate =
        decision -> {
          kept.add(decision);
          return false;
        };
    harness.target = () -> REFUSED;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(60);
    assertThat(kept).as("the third failure and each after it").hasSize(5);
    assertThat(results()).containsExactly(SUCCESS, FAILURE);
    assertThat(harness.restarts).isEmpty();

    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(20);
    harness.target = () -> REFUSED;
    harness.gate = RestartGate.OPEN;
    harness.advanceSeconds(30);
    assertThat(kept).hasSize(5);
    assertThat(harness.restarts).hasSize(1);
  }

  /** A gate that answers when the test says so. */
  private static final class SlowGate implements RestartGate {
    private final List<CompletableFuture<Boolean>> asked = new ArrayList<>();

    @Override
    public boolean allows(RestartDecision decision) {
      throw new AssertionError("it is asked");
    }

    @Override
    public CompletableFuture<Boolean> ask(RestartDecision decision) {
      asked.add(new CompletableFuture<>());
      return asked.getLast();
    }
  }

  private SlowGate asked() {
    harness.settled();
    SlowGate gate = new SlowGate();
    harness.gate = gate;
    harness.target = () -> REFUSED;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(20);
    assertThat(gate.asked).hasSize(1);
    harness.advanceSeconds(60);
    assertThat(gate.asked).as("not probed until there is an answer").hasSize(1);
    assertThat(harness.restarts).isEmpty();
    return gate;
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName(
      "D-9 a gate that takes a while: the container is stopped, or probed on, at its answer")
  void slowGate(boolean lets) {
    SlowGate gate = asked();
    gate.asked.getFirst().complete(lets);
    harness.advanceSeconds(0);
    assertThat(harness.restarts).hasSize(lets ? 1 : 0);
    harness.advanceSeconds(30);
    assertThat(gate.asked).hasSize(lets ? 1 : 2);
  }

  @Test
  @DisplayName("D-10 a gate that fails holds nothing")
  void brokenGate() {
    asked().asked.getFirst().completeExceptionally(new IllegalStateException("broken"));
    harness.advanceSeconds(0);
    assertThat(harness.restarts).hasSize(1);
  }

  @Test
  @DisplayName("D-9 an answer about an instance that is gone stops nothing")
  void lateAnswer() {
    SlowGate gate = asked();
    harness.target = () -> new Verdict.Success("ok");
    harness.started("id-2", 1);
    gate.asked.getFirst().complete(true);
    harness.advanceSeconds(60);
    assertThat(harness.restarts).isEmpty();
    assertThat(gate.asked).hasSize(1);
  }

  @Test
  @DisplayName("D-9 an answer about a removed pod stops nothing")
  void answerAfterTheEnd() {
    SlowGate gate = asked();
    harness.engine.remove(POD);
    harness.advanceSeconds(0);
    gate.asked.getFirst().complete(true);
    harness.advanceSeconds(60);
    assertThat(harness.restarts).isEmpty();
  }

  @Test
  @DisplayName("D-9 of two gates the second is asked about what the first lets pass")
  void gatesInARow() {
    SlowGate slow = new SlowGate();
    RestartGate both = RestartGate.OPEN.and(slow);
    RestartGate none = ((RestartGate) _ -> false).and(slow);
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.target = () -> REFUSED;
    harness.settled();
    RestartDecision decision = harness.restarts.getFirst();
    assertThat(none.ask(decision).join()).isFalse();
    assertThat(slow.asked).isEmpty();
    CompletableFuture<Boolean> answer = both.ask(decision);
    assertThat(answer).isNotDone();
    slow.asked.getFirst().complete(true);
    assertThat(answer.join()).isTrue();
  }

  @Test
  @DisplayName("D-1 a liveness failure stops the container with the pod's grace, and says why")
  void livenessRestarts() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(20);
    RestartDecision decision = harness.restarts.getFirst();
    assertThat(harness.restarts).hasSize(1);
    assertThat(decision.containerId()).isEqualTo("id-1");
    assertThat(decision.grace()).isEqualTo(Duration.ofSeconds(30));
    assertThat(decision.message()).isEqualTo("connection refused");
    assertThat(decision.event())
        .isEqualTo(
            new ProbeEvent(
                "Normal", "Killing", "Container nginx failed liveness probe, will be restarted"));
  }

  @Test
  @DisplayName("D-1 a listener that fails keeps no container from being stopped")
  void listenerFails() {
    harness.engine.addListener(
        new ProbeListener() {
          @Override
          public void published(Published published) {
            throw new IllegalStateException("expected by the test");
          }
        });
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(20);
    assertThat(harness.restarts).hasSize(1);
  }

  @Test
  @DisplayName("D-1 the probe's own grace period goes before the pod's")
  void probeGrace() {
    harness.settled();
    harness.target = () -> REFUSED;
    ProbeSpec spec =
        ProbeSpec.of(HANDLER)
            .failureThreshold(1)
            .terminationGracePeriod(Duration.ofSeconds(5))
            .build();
    harness.running(Map.of(STARTUP, spec));
    assertThat(harness.restarts)
        .extracting(RestartDecision::grace)
        .containsExactly(Duration.ofSeconds(5));
  }

  @Test
  @DisplayName("D-4 readiness never restarts")
  void readinessNeverRestarts() {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(READINESS, Fixtures.probe()));
    harness.advanceSeconds(100);
    assertThat(harness.restarts).isEmpty();
    assertThat(harness.status().ready()).isFalse();
  }

  @Test
  @DisplayName("D-1 a container that is down anyway is not stopped")
  void downAnyway() {
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe()));
    harness.engine.observed(
        Fixtures.seen(ContainerObservation.terminated("id-1", VirtualLoop.START, 1, 0)));
    harness.advanceSeconds(10);
    assertThat(results()).containsExactly(SUCCESS, FAILURE);
    assertThat(harness.restarts).isEmpty();
  }

  @Test
  @DisplayName("D-1 a container is not stopped for what a probe found of the one before it")
  void predecessorFailed() {
    harness.settled();
    harness.target = () -> null;
    ProbeSpec spec = ProbeSpec.of(HANDLER).failureThreshold(1).build();
    harness.running(Map.of(LIVENESS, spec));
    harness.started("id-2", 1);

    harness.answer(REFUSED);
    assertThat(harness.restarts).isEmpty();

    harness.target = () -> REFUSED;
    harness.advanceSeconds(10);
    assertThat(harness.restarts).extracting(RestartDecision::containerId).containsExactly("id-2");
  }

  @ParameterizedTest
  @EnumSource(
      value = ProbeKind.class,
      names = {"LIVENESS", "STARTUP"})
  @DisplayName("D-1 a container that was seen before it ran is stopped once its probe fails")
  void seenBeforeItRan(ProbeKind kind) {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.engine.add(Fixtures.pod(Fixtures.container(Map.of(kind, Fixtures.probe()))));
    harness.engine.observed(
        Fixtures.seen(ContainerObservation.waiting("id-1", 0, "ContainerCreating")));
    harness.advanceSeconds(10);
    assertThat(harness.engine.results(POD).get("id-1", kind)).as("W-3.6").isEqualTo(FAILURE);

    harness.started("id-1", 0);
    harness.advanceSeconds(100);
    assertThat(harness.probed).hasSize(3);
    assertThat(harness.restarts).hasSize(1);
  }

  @Test
  @DisplayName("C-21 startup success lets liveness begin on its own next tick; startup idles")
  void startupGates() {
    harness.settled();
    harness.target = () -> REFUSED;
    ProbeSpec startup = ProbeSpec.of(HANDLER).failureThreshold(30).build();
    harness.running(Map.of(STARTUP, startup, LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(25);
    assertThat(harness.probed).extracting(this::kind).containsOnly(STARTUP);
    assertThat(harness.status().started()).isFalse();

    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(5);
    assertThat(harness.status().started()).isTrue();
    harness.advanceSeconds(20);
    assertThat(harness.probed.stream().map(this::kind).skip(3))
        .startsWith(STARTUP)
        .filteredOn(STARTUP::equals)
        .hasSize(1);
    assertThat(harness.probed.getLast()).extracting(this::kind).isEqualTo(LIVENESS);
  }

  @Test
  @DisplayName("W-9 readiness is probed as soon as the container has started")
  void readinessNudged() {
    harness.settled();
    harness.target = () -> REFUSED;
    ProbeSpec startup =
        ProbeSpec.of(HANDLER).period(Duration.ofSeconds(3)).failureThreshold(30).build();
    ProbeSpec readiness = ProbeSpec.of(HANDLER).period(Duration.ofSeconds(60)).build();
    harness.running(Map.of(STARTUP, startup, READINESS, readiness));
    harness.advanceSeconds(4);
    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(2);
    assertThat(harness.status().ready()).isTrue();

    int probes = harness.probed.size();
    harness.advanceSeconds(59);
    assertThat(harness.probed).hasSize(probes);
    harness.advanceSeconds(1);
    assertThat(harness.probed).hasSize(probes + 1);
  }

  @Test
  @DisplayName("W-9 a new container is probed once the probe of the one before it has ended")
  void readinessNudgedWhileProbing() {
    harness.settled();
    ProbeSpec readiness = ProbeSpec.of(HANDLER).period(Duration.ofSeconds(60)).build();
    harness.target = () -> null;
    harness.running(Map.of(READINESS, readiness));
    harness.advanceSeconds(1);
    harness.started("id-2", 1);

    harness.target = () -> new Verdict.Success("ok");
    harness.answer(REFUSED);
    assertThat(harness.status().ready()).isTrue();

    int probes = harness.probed.size();
    harness.advanceSeconds(58);
    assertThat(harness.probed).hasSize(probes);
  }

  @Test
  @DisplayName("W-23 a container that recovers is ready after its recovery time, as foretold")
  void recovery() {
    ProbeSpec spec =
        ProbeSpec.of(HANDLER)
            .period(Duration.ofSeconds(1))
            .failureThreshold(1)
            .recoveryTime(Duration.ofSeconds(30))
            .build();
    harness.settled().running(Map.of(READINESS, spec));
    assertThat(harness.status().ready()).isTrue();
    assertThat(harness.snapshot().probes().getFirst().recoversAt()).isNull();
    harness.target = () -> new Verdict.Failure("busy");
    harness.advanceSeconds(1);
    assertThat(harness.status().ready()).isFalse();
    assertThat(harness.snapshot().probes().getFirst().recoversAt()).isNull();
    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(1);
    Instant expected = harness.loop.time().wallTime().plusSeconds(30);
    assertThat(harness.snapshot().probes().getFirst().recoversAt()).isEqualTo(expected);
    harness.advanceSeconds(29);
    assertThat(harness.status().ready()).isFalse();
    assertThat(harness.snapshot().probes().getFirst().recoversAt()).isEqualTo(expected);
    harness.advanceSeconds(1);
    assertThat(harness.status().ready()).isTrue();
    assertThat(harness.snapshot().probes().getFirst().recoversAt()).isNull();
  }

  @Test
  @DisplayName("W-9 readiness follows what is published")
  void readiness() {
    harness.settled();
    ProbeSpec spec = ProbeSpec.of(HANDLER).successThreshold(2).build();
    harness.running(Map.of(READINESS, spec));
    assertThat(harness.status().ready()).isFalse();
    harness.advanceSeconds(10);
    assertThat(harness.status().ready()).isTrue();
    harness.target = () -> REFUSED;
    harness.advanceSeconds(20);
    assertThat(harness.status().ready()).isTrue();
    harness.advanceSeconds(10);
    assertThat(harness.status().ready()).isFalse();
  }

  @Test
  @DisplayName("W-8, W-9 a running container without probes is started and ready")
  void noProbes() {
    harness.running(Map.of());
    assertThat(harness.status().started()).isTrue();
    assertThat(harness.status().ready()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"11, false, true", "9, true, false"})
  @DisplayName("C-26 a container the agent's last life knew ready stays ready until decided")
  void agentRestart(long ranSeconds, boolean initialFailure, boolean ready) {
    harness.target = () -> REFUSED;
    ContainerObservation before =
        new ContainerObservation(
            "id-1",
            ContainerObservation.State.RUNNING,
            VirtualLoop.START.minusSeconds(ranSeconds),
            0,
            0,
            "",
            true,
            true);
    harness.engine.add(Fixtures.pod(Fixtures.container(Map.of(READINESS, Fixtures.probe()))));
    harness.engine.observed(
        new PodObservation(
            POD, Phase.RUNNING, false, true, List.of("10.0.0.1"), Map.of("nginx", before)));
    harness.advanceSeconds(10);
    assertThat(harness.status().ready()).isEqualTo(ready);
    assertThat(harness.published.stream().anyMatch(Published::initial)).isEqualTo(initialFailure);

    harness.advanceSeconds(20);
    assertThat(harness.status().ready()).isFalse();
  }

  @Test
  @DisplayName("C-28, W-4 a prober error is tried three times within the tick and not counted")
  void proberErrors() {
    harness.settled();
    harness.target = () -> new Verdict.ProberError(Verdict.Reason.RUNTIME, "gone");
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    harness.advanceSeconds(50);
    assertThat(harness.probesStarted).hasSize(18);
    assertThat(harness.probed)
        .hasSize(6)
        .allSatisfy(probe -> assertThat(probe.consecutive()).isZero());
    assertThat(results()).containsExactly(SUCCESS);
  }

  @Test
  @DisplayName("C-28 an error that goes away within the tick is not seen")
  void proberErrorThenSuccess() {
    harness.settled();
    int[] calls = new int[1];
    harness.target =
        () ->
            ++calls[0] < 3
                ? new Verdict.ProberError(Verdict.Reason.RUNTIME, "gone")
                : new Verdict.Success("ok");
    harness.running(Map.of(READINESS, Fixtures.probe()));
    assertThat(harness.probed)
        .singleElement()
        .satisfies(probe -> assertThat(probe.consecutive()).isOne());
    assertThat(harness.status().ready()).isTrue();
  }

  @Test
  @DisplayName("C-30, W-11 a prober that throws counts as an error, and the next tick probes")
  void proberThrows() {
    harness.settled();
    harness.target =
        () -> {
          throw new IllegalStateException("bug");
        };
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    assertThat(harness.probed.getFirst().outcome().verdict())
        .isEqualTo(
            new Verdict.ProberError(
                Verdict.Reason.INTERNAL, "prober failed: java.lang.IllegalStateException: bug"));
    harness.target = () -> new Verdict.Success("ok");
    harness.advanceSeconds(10);
    assertThat(harness.probed.getLast().outcome().verdict().healthy()).isTrue();
  }

  static Stream<Verdict> withoutAnswer() {
    return Stream.of(
        Verdict.Failure.indefinite("context deadline exceeded"),
        new Verdict.ProberError(Verdict.Reason.INCOMPLETE_ANSWER, "context deadline exceeded"));
  }

  @ParameterizedTest
  @MethodSource("withoutAnswer")
  @DisplayName("C-33, W-12 a failure during our own stall is discarded and counted as stalled")
  void stall(Verdict late) {
    harness.settled();
    harness.target = () -> null;
    harness.running(Map.of(LIVENESS, ProbeSpec.of(HANDLER).failureThreshold(1).build()));
    harness.loop.stall(Duration.ofSeconds(30));
    harness.answer(late);
    assertThat(harness.probed.getFirst().outcome().verdict())
        .isInstanceOfSatisfying(
            Verdict.ProberError.class,
            error -> assertThat(error.reason()).isEqualTo(Verdict.Reason.STALLED));
    assertThat(harness.waiting()).isZero();
    assertThat(harness.restarts).isEmpty();
    assertThat(results()).containsExactly(SUCCESS);
  }

  @Test
  @DisplayName("W-12 a definite answer counts even if a stall overlapped")
  void definiteFailureDuringStall() {
    harness.settled();
    harness.target = () -> null;
    harness.running(Map.of(LIVENESS, ProbeSpec.of(HANDLER).failureThreshold(1).build()));
    harness.loop.stall(Duration.ofMillis(500));
    harness.answer(new Verdict.Failure("HTTP probe failed with statuscode: 500"));
    assertThat(harness.restarts).hasSize(1);
  }

  @Test
  @DisplayName("W-12 a success during our own stall counts")
  void stallSuccess() {
    harness.settled();
    harness.target = () -> null;
    harness.running(Map.of(READINESS, Fixtures.probe()));
    harness.loop.stall(Duration.ofSeconds(30));
    harness.answer(new Verdict.Success("ok"));
    assertThat(harness.status().ready()).isTrue();
  }

  @Test
  @DisplayName("W-12 a failure after the stall counts")
  void failureAfterStall() {
    harness.settled().running(Map.of(READINESS, ProbeSpec.of(HANDLER).failureThreshold(1).build()));
    harness.loop.stall(Duration.ofSeconds(5));
    harness.loop.run();
    harness.target = () -> REFUSED;
    harness.advanceSeconds(10);
    assertThat(harness.status().ready()).isFalse();
  }

  @Test
  @DisplayName("W-7 when a worker ends its result is gone")
  void endRemovesResult() {
    harness.settled().running(Map.of(READINESS, Fixtures.probe()));
    assertThat(harness.engine.results(POD).get("id-1", READINESS)).isEqualTo(SUCCESS);
    int changes = harness.changes.size();
    harness.engine.remove(POD);
    harness.loop.run();
    assertThat(harness.engine.results(POD).get("id-1", READINESS)).isNull();
    assertThat(harness.ended).containsExactly(new ProbeSubject(POD, "nginx", READINESS));
    assertThat(harness.changes).as("a removed pod is not told as ready").hasSize(changes);
    harness.advanceSeconds(60);
    assertThat(harness.probed).hasSize(1);
  }

  @Test
  @DisplayName("W-10 a pod being stopped is probed for readiness only")
  void stopping() {
    harness.settled().running(Map.of(LIVENESS, Fixtures.probe(), READINESS, Fixtures.probe()));
    harness.engine.stopLivenessAndStartup(POD);
    harness.loop.run();
    harness.probed.clear();
    harness.advanceSeconds(20);
    assertThat(harness.probed).hasSize(2).extracting(this::kind).containsOnly(READINESS);
  }

  @Test
  @DisplayName("a worker that ends while its probe runs takes no outcome")
  void endedWhileProbing() {
    harness.settled();
    harness.target = () -> null;
    harness.running(Map.of(READINESS, Fixtures.probe()));
    harness.engine.remove(POD);
    harness.loop.run();
    harness.answer(new Verdict.Success("ok"));
    assertThat(harness.probed).isEmpty();
    assertThat(harness.engine.results(POD).get("id-1", READINESS)).isNull();
  }

  @Test
  @DisplayName("a pod may be observed before it is added")
  void observedFirst() {
    harness.settled();
    harness.started("id-1", 0);
    harness.engine.add(Fixtures.pod(Fixtures.container(Map.of(READINESS, Fixtures.probe()))));
    harness.loop.run();
    assertThat(harness.status().ready()).isTrue();
  }

  @Test
  @DisplayName("W-3.1 a pod that the runtime no longer reports is not probed and not ready")
  void gone() {
    harness.settled().running(Map.of(READINESS, Fixtures.probe()));
    harness.engine.gone(POD);
    harness.advanceSeconds(60);
    assertThat(harness.probed).hasSize(1);
    assertThat(harness.status().ready()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(ProbeKind.class)
  @DisplayName("a snapshot tells what was published, how often in a row, and the last 60 outcomes")
  void snapshot(ProbeKind kind) {
    harness.settled();
    harness.target = () -> REFUSED;
    harness.running(Map.of(kind, ProbeSpec.of(HANDLER).failureThreshold(1000).build()));
    harness.advanceSeconds(690);
    ProbeSnapshot probe = harness.snapshot().probes().getFirst();
    assertThat(probe.consecutive()).isEqualTo(70);
    assertThat(probe.message()).isEqualTo("connection refused");
    assertThat(probe.history()).hasSize(60);
    assertThat(probe.history().getLast().at()).isEqualTo(probe.lastProbe());
    assertThat(Optional.of(probe.result())).contains(kind.initialResult());

    var shorter = harness.engine.snapshot(HistoryQuery.outcomes(2));
    harness.loop.run();
    assertThat(shorter.join().getFirst().probes().getFirst().history())
        .isEqualTo(probe.history().subList(58, 60));

    var others =
        harness.engine.snapshot(
            HistoryQuery.outcomes(60), (pod, name) -> !pod.equals(POD) || name.isEmpty());
    harness.loop.run();
    assertThat(others.join()).isEmpty();
  }

  @Test
  @DisplayName(
      "the past counts successes, warnings and failures, but no probe that decided nothing")
  void past() {
    harness.settled();
    harness.running(Map.of(READINESS, ProbeSpec.of(HANDLER).failureThreshold(1000).build()));
    harness.advanceSeconds(590);
    harness.target = () -> new Verdict.Warning("slow");
    harness.advanceSeconds(100);
    harness.target = () -> new Verdict.ProberError(Verdict.Reason.INTERNAL, "bug");
    harness.advanceSeconds(600);
    harness.target = () -> REFUSED;
    harness.advanceSeconds(300);

    ProbePast past = Objects.requireNonNull(probe(READINESS).past());
    ProbePast.Uptime hour = Objects.requireNonNull(past.hour());
    assertThat(hour.up()).isEqualTo(70);
    assertThat(hour.failed()).isEqualTo(30);
    assertThat(hour.percent()).isBetween(65.0, 75.0);

    var without = harness.engine.snapshot(HistoryQuery.NONE);
    harness.loop.run();
    assertThat(without.join().getFirst().probes().getFirst().past()).isNull();
  }

  @Test
  @DisplayName("a snapshot says when the next probe comes, or what it waits for")
  void nextProbe() {
    harness.settled();
    harness.running(
        Map.of(
            LIVENESS,
            ProbeSpec.of(HANDLER).initialDelay(Duration.ofSeconds(25)).build(),
            READINESS,
            ProbeSpec.of(HANDLER).build()));
    harness.advanceSeconds(3);
    Instant began = harness.loop.time().wallTime().minusSeconds(3);
    assertThat(probe(READINESS).nextProbe()).isEqualTo(began.plusSeconds(10));
    assertThat(probe(READINESS).obstacle()).isEqualTo(ProbeSnapshot.Obstacle.NONE);
    assertThat(probe(LIVENESS).nextProbe()).isEqualTo(began.plusSeconds(30));
    assertThat(probe(LIVENESS).obstacle()).isEqualTo(ProbeSnapshot.Obstacle.INITIAL_DELAY);

    harness.target = () -> REFUSED;
    harness.advanceSeconds(38);
    assertThat(probe(LIVENESS).consecutive()).isEqualTo(2);
    assertThat(probe(LIVENESS).threshold()).isEqualTo(3);
    harness.advanceSeconds(10);
    assertThat(probe(LIVENESS).nextProbe()).isNull();
    assertThat(probe(LIVENESS).obstacle()).isEqualTo(ProbeSnapshot.Obstacle.DECIDED);
  }

  private ProbeSnapshot probe(ProbeKind kind) {
    return harness.snapshot().probes().stream()
        .filter(each -> each.kind() == kind)
        .findFirst()
        .orElseThrow();
  }

  @Test
  @DisplayName("W-7 the removal of a pod is reported once, after its workers ended")
  void reportsRemoval() {
    harness.settled().running(Map.of(READINESS, Fixtures.probe()));
    harness.engine.remove(POD);
    harness.engine.remove(POD);
    harness.loop.run();
    assertThat(harness.ended).hasSize(1);
    assertThat(harness.removed).containsExactly(POD);
  }

  @Test
  @DisplayName("W-10 once all pods are removed no probe under way counts")
  void removeAll() {
    harness.settled();
    harness.target = () -> null;
    harness.running(Map.of(LIVENESS, Fixtures.probe()));
    CompletableFuture<Void> removed = harness.engine.removeAll();
    harness.loop.run();
    assertThat(removed).isCompleted();
    harness.answer(REFUSED);
    assertThat(harness.probed).isEmpty();
    assertThat(harness.removed).containsExactly(POD);
  }

  private List<ProbeResult> results() {
    return harness.published.stream().map(Published::result).toList();
  }

  private ProbeKind kind(Probed probe) {
    return probe.subject().kind();
  }
}
