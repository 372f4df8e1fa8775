package io.probelet.probe.engine;

import static io.probelet.probe.ProbeKind.LIVENESS;
import static io.probelet.probe.ProbeKind.READINESS;
import static io.probelet.probe.ProbeKind.STARTUP;
import static io.probelet.probe.ProbeResult.FAILURE;
import static io.probelet.probe.ProbeResult.SUCCESS;
import static io.probelet.probe.ProbeResult.UNKNOWN;
import static io.probelet.probe.engine.Fixtures.CONTAINER;
import static io.probelet.probe.engine.Fixtures.HANDLER;
import static io.probelet.probe.engine.Fixtures.POD;
import static io.probelet.probe.engine.Fixtures.deleting;
import static io.probelet.probe.engine.Fixtures.seen;
import static io.probelet.probe.engine.ProbeWorker.Effect.END;
import static io.probelet.probe.engine.ProbeWorker.Effect.PROBE;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerRules.ContainerState;
import io.probelet.probe.engine.ProbeSnapshot.Obstacle;
import io.probelet.probe.engine.ProbeWorker.Effect;
import io.probelet.probe.engine.ProbeWorker.Effect.Drop;
import io.probelet.probe.engine.ProbeWorker.Effect.Publish;
import io.probelet.probe.engine.ProbeWorker.Effect.Started;
import io.probelet.probe.engine.ProbeWorker.Outcome;
import io.probelet.probe.engine.ProbeWorker.Step;
import io.probelet.probe.engine.ProbeWorker.WorkerState;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules W-3 to W-6, one tick or one outcome at a time. */
class ProbeWorkerTest {
  private static final Instant STARTED_AT = Instant.parse("2026-11-21T12:00:00Z");
  private static final ContainerObservation RUNNING =
      ContainerObservation.running("id-1", STARTED_AT, 0);
  private static final WorkerState KNOWN = WorkerState.of("id-1");
  private static final Duration LONG = Duration.ofHours(1);

  @Test
  @DisplayName("W-3.1 nothing is known of the pod: keep going")
  void unknownPod() {
    assertThat(ticked(worker(LIVENESS), WorkerState.NEW, new Input(null, false, LONG, false)))
        .isEqualTo(new Step(WorkerState.NEW, List.of()));
  }

  @ParameterizedTest
  @EnumSource(
      value = Phase.class,
      names = {"FAILED", "SUCCEEDED"})
  @DisplayName("W-3.2 a pod that is over ends its workers")
  void podIsOver(Phase phase) {
    PodObservation pod =
        new PodObservation(POD, phase, false, false, List.of(), Map.of(CONTAINER, RUNNING));
    assertThat(tick(worker(READINESS), KNOWN, pod).effects()).containsExactly(END);
  }

  @Test
  @DisplayName("W-3.3 a container that is not there, or has no id yet: keep going")
  void noContainer() {
    PodObservation without =
        new PodObservation(POD, Phase.PENDING, false, false, List.of(), Map.of());
    assertThat(tick(worker(READINESS), WorkerState.NEW, without).effects()).isEmpty();
    assertThat(
            tick(
                    worker(READINESS),
                    WorkerState.NEW,
                    seen(ContainerObservation.waiting("", 0, "ContainerCreating")))
                .effects())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"LIVENESS, SUCCESS", "READINESS, FAILURE", "STARTUP, UNKNOWN"})
  @DisplayName("W-3.4 a new container begins with its kind's initial result")
  void initialResult(ProbeKind kind, ProbeResult initial) {
    Step step = tick(worker(kind), WorkerState.NEW, seen(RUNNING));
    assertThat(step.effects().getFirst()).isEqualTo(new Publish("id-1", initial, true));
    assertThat(step.state()).isEqualTo(KNOWN);
  }

  @Test
  @DisplayName("C-22 another container id drops the old result and starts over")
  void replacedContainer() {
    WorkerState before = KNOWN.counting(FAILURE).counting(FAILURE).held();
    ContainerObservation next = ContainerObservation.running("id-2", STARTED_AT, 1);
    Step step = tick(worker(LIVENESS), before, seen(next));
    assertThat(step.effects())
        .containsExactly(new Drop("id-1"), new Publish("id-2", SUCCESS, true), PROBE);
    assertThat(step.state()).isEqualTo(WorkerState.of("id-2"));
  }

  @Test
  @DisplayName("C-26 a container from before the agent's start gets no initial result")
  void adoptedContainer() {
    Step step =
        ticked(worker(READINESS), WorkerState.NEW, new Input(seen(RUNNING), true, LONG, true));
    assertThat(step.effects()).containsExactly(PROBE);
  }

  @Test
  @DisplayName("W-3.4 a started sidecar from before the agent's start has passed its startup probe")
  void adoptedSidecar() {
    ProbeWorker worker =
        new ProbeWorker(
            STARTUP, Fixtures.probe(), Fixtures.sidecar(Map.of()), RestartPolicy.ALWAYS);
    Step step = ticked(worker, WorkerState.NEW, new Input(seen(RUNNING), true, LONG, true));
    assertThat(step.effects()).containsExactly(new Publish("id-1", SUCCESS, true));
  }

  @Test
  @DisplayName("W-3.5, C-20 a worker on hold does not probe")
  void onHold() {
    assertThat(tick(worker(LIVENESS), KNOWN.held(), seen(RUNNING)).effects()).isEmpty();
  }

  @Test
  @DisplayName("W-3.6 a waiting container is published as failed and waited for")
  void waiting() {
    Step step =
        tick(
            worker(LIVENESS),
            KNOWN,
            seen(ContainerObservation.waiting("id-1", 1, "CrashLoopBackOff")));
    assertThat(step.effects()).containsExactly(new Publish("id-1", FAILURE, false));
  }

  static Stream<Arguments> terminated() {
    ContainerSpec regular = Fixtures.container(Map.of());
    ContainerSpec sidecar = Fixtures.sidecar(Map.of());
    ContainerSpec never = withPolicy(RestartPolicy.NEVER);
    ContainerSpec on42 = withPolicy(RestartPolicy.NEVER, new RestartRule(true, Set.of(42)));
    ContainerSpec notOn42 = withPolicy(RestartPolicy.NEVER, new RestartRule(false, Set.of(42)));
    return Stream.of(
        Arguments.of("Always, exit 0", regular, RestartPolicy.ALWAYS, 0, false),
        Arguments.of("OnFailure, exit 1", regular, RestartPolicy.ON_FAILURE, 1, false),
        Arguments.of("OnFailure, exit 0", regular, RestartPolicy.ON_FAILURE, 0, true),
        Arguments.of("C-23 Never, exit 1", regular, RestartPolicy.NEVER, 1, true),
        Arguments.of("C-24 sidecar, pod Never", sidecar, RestartPolicy.NEVER, 1, false),
        Arguments.of("container Never, pod Always", never, RestartPolicy.ALWAYS, 1, true),
        Arguments.of("rule In 42, exit 42", on42, RestartPolicy.NEVER, 42, false),
        Arguments.of("rule In 42, exit 1", on42, RestartPolicy.NEVER, 1, true),
        Arguments.of("rule NotIn 42, exit 1", notOn42, RestartPolicy.NEVER, 1, false));
  }

  @ParameterizedTest(name = "{0}: ends {4}")
  @MethodSource
  @DisplayName("W-3.6 a terminated container ends its worker unless it will be restarted")
  void terminated(
      String name, ContainerSpec container, RestartPolicy policy, int exitCode, boolean ends) {
    ProbeWorker worker = new ProbeWorker(READINESS, Fixtures.probe(), container, policy);
    Step step =
        tick(worker, KNOWN, seen(ContainerObservation.terminated("id-1", STARTED_AT, exitCode, 0)));
    Publish failed = new Publish("id-1", FAILURE, false);
    assertThat(step.effects()).isEqualTo(ends ? List.of(failed, END) : List.of(failed));
  }

  @ParameterizedTest
  @EnumSource(
      value = ProbeKind.class,
      names = {"LIVENESS", "STARTUP"})
  @DisplayName("C-25 a pod that is being deleted ends liveness and startup as successful")
  void deletingEnds(ProbeKind kind) {
    assertThat(tick(worker(kind), KNOWN, deleting(RUNNING)).effects())
        .containsExactly(new Publish("id-1", SUCCESS, false), END);
  }

  @Test
  @DisplayName("C-25 a pod that is being deleted is still probed for readiness")
  void deletingReadiness() {
    assertThat(tick(worker(READINESS), KNOWN, deleting(RUNNING)).effects()).containsExactly(PROBE);
  }

  @ParameterizedTest
  @CsvSource({"9900, false", "10000, true"})
  @DisplayName("C-16 the initial delay counts from the container's start")
  void initialDelay(long runForMillis, boolean probes) {
    ProbeSpec spec = ProbeSpec.of(HANDLER).initialDelay(Duration.ofSeconds(10)).build();
    ProbeWorker worker =
        new ProbeWorker(READINESS, spec, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
    Input input = new Input(seen(RUNNING), true, Duration.ofMillis(runForMillis), false);
    assertThat(ticked(worker, KNOWN, input).effects())
        .isEqualTo(probes ? List.of(PROBE) : List.of());
  }

  @ParameterizedTest
  @CsvSource({
    "STARTUP, false, true",
    "STARTUP, true, false",
    "LIVENESS, false, false",
    "LIVENESS, true, true",
    "READINESS, false, false",
    "READINESS, true, true"
  })
  @DisplayName("W-3.9 startup probes until the container has started, the others after")
  void startupGates(ProbeKind kind, boolean started, boolean probes) {
    Input input = new Input(seen(RUNNING), started, LONG, false);
    assertThat(ticked(worker(kind), KNOWN, input).effects())
        .isEqualTo(probes ? List.of(PROBE) : List.of());
  }

  @Test
  @DisplayName("W-4, C-28 a prober error leaves the count as it is")
  void proberError() {
    WorkerState twoFailures = KNOWN.counting(FAILURE).counting(FAILURE);
    Verdict error = new Verdict.ProberError(Verdict.Reason.RUNTIME, "no such container");
    assertThat(worker(LIVENESS).outcome(twoFailures, error, 0))
        .isEqualTo(new Outcome(new Step(twoFailures, List.of()), 0, 3));
  }

  @Test
  @DisplayName("C-17, W-5 with failureThreshold 3 the third failure in a row is published")
  void failureThreshold() {
    assertThat(published(READINESS, 1, 3, "SFF")).containsExactly(SUCCESS);
    assertThat(published(READINESS, 1, 3, "SFFF")).containsExactly(SUCCESS, FAILURE);
    assertThat(published(READINESS, 1, 3, "SFFSFF")).containsExactly(SUCCESS, SUCCESS);
  }

  @Test
  @DisplayName("C-18, W-5 with successThreshold 3 the third success in a row is published")
  void successThreshold() {
    assertThat(published(READINESS, 3, 1, "FSS")).containsExactly(FAILURE);
    assertThat(published(READINESS, 3, 1, "FSSS")).containsExactly(FAILURE, SUCCESS);
  }

  @Test
  @DisplayName("C-19 startup stays unknown until failures decide; a success before that decides")
  void startupThreshold() {
    assertThat(published(STARTUP, 1, 3, "FF")).isEmpty();
    assertThat(published(STARTUP, 1, 3, "FFS")).containsExactly(SUCCESS);
    assertThat(published(STARTUP, 1, 3, "FFF")).containsExactly(FAILURE);
    assertThat(STARTUP.initialResult()).isEqualTo(UNKNOWN);
  }

  @Test
  @DisplayName("W-4 a warning counts as success")
  void warning() {
    Step step = worker(READINESS).outcome(KNOWN, new Verdict.Warning("moved"), 0).step();
    assertThat(step.effects()).containsExactly(new Publish("id-1", SUCCESS, false));
  }

  @ParameterizedTest
  @CsvSource({
    "LIVENESS, false, true",
    "LIVENESS, true, false",
    "STARTUP, false, true",
    "STARTUP, true, true",
    "READINESS, false, false",
    "READINESS, true, false"
  })
  @DisplayName("W-6 a published liveness failure and any startup result hold the worker")
  void holds(ProbeKind kind, boolean healthy, boolean holds) {
    ProbeSpec spec = ProbeSpec.of(HANDLER).failureThreshold(1).build();
    ProbeWorker worker =
        new ProbeWorker(kind, spec, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
    Step step = worker.outcome(KNOWN, verdict(healthy), 0).step();
    assertThat(step.state().onHold()).isEqualTo(holds);
    assertThat(step.state().run()).isEqualTo(holds ? 0 : 1);
  }

  @Test
  @DisplayName("W-8 a startup success is remembered of its instance before it is published")
  void startupSuccess() {
    assertThat(worker(STARTUP).outcome(KNOWN, verdict(true), 0).step().effects())
        .containsExactly(new Started("id-1"), new Publish("id-1", SUCCESS, false));
    assertThat(worker(LIVENESS).outcome(KNOWN, verdict(true), 0).step().effects())
        .containsExactly(new Publish("id-1", SUCCESS, false));
  }

  @Test
  @DisplayName("W-5 each outcome says how many there were in a row, and how many decide")
  void counts() {
    ProbeSpec spec = ProbeSpec.of(HANDLER).successThreshold(2).failureThreshold(4).build();
    ProbeWorker worker =
        new ProbeWorker(READINESS, spec, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
    Outcome first = worker.outcome(KNOWN, verdict(false), 0);
    assertThat(first).isEqualTo(new Outcome(new Step(KNOWN.counting(FAILURE), List.of()), 1, 4));
    Outcome second = worker.outcome(first.step().state(), verdict(false), 0);
    assertThat(second.consecutive()).isEqualTo(2);
    assertThat(worker.outcome(second.step().state(), verdict(true), 0))
        .isEqualTo(new Outcome(new Step(KNOWN.counting(SUCCESS), List.of()), 1, 2));
  }

  @ParameterizedTest
  @EnumSource(names = {"LIVENESS", "STARTUP"})
  @DisplayName("D-2 a container that is kept stays failed, and its next failure decides again")
  void kept(ProbeKind kind) {
    Step kept = worker(kind).kept(KNOWN.counting(FAILURE).held());
    assertThat(kept.effects()).isEmpty();
    assertThat(kept.state().onHold()).isFalse();
    Outcome failed = worker(kind).outcome(kept.state(), verdict(false), 0);
    assertThat(failed.step().effects()).containsExactly(new Publish("id-1", FAILURE, false));
    assertThat(failed.consecutive()).isEqualTo(failed.threshold());
    Outcome recovered = worker(kind).outcome(kept.state(), verdict(true), 0);
    assertThat(recovered.step().effects()).contains(new Publish("id-1", SUCCESS, false));
  }

  @Test
  @DisplayName("what fails is probed with a period of its own, if it has one")
  void failingPeriod() {
    ProbeSpec spec = ProbeSpec.of(HANDLER).failingPeriod(Duration.ofSeconds(2)).build();
    ProbeWorker worker =
        new ProbeWorker(READINESS, spec, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
    assertThat(worker.interval(KNOWN)).isEqualTo(Duration.ofSeconds(10));
    assertThat(worker.interval(KNOWN.counting(SUCCESS))).isEqualTo(Duration.ofSeconds(10));
    assertThat(worker.interval(KNOWN.counting(FAILURE))).isEqualTo(Duration.ofSeconds(2));
    assertThat(worker(READINESS).interval(KNOWN.counting(FAILURE)))
        .isEqualTo(Duration.ofSeconds(10));
  }

  private static List<ProbeResult> published(
      ProbeKind kind, int successThreshold, int failureThreshold, String outcomes) {
    ProbeSpec spec =
        ProbeSpec.of(HANDLER)
            .successThreshold(successThreshold)
            .failureThreshold(failureThreshold)
            .build();
    ProbeWorker worker =
        new ProbeWorker(kind, spec, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
    WorkerState state = KNOWN;
    List<ProbeResult> published = new ArrayList<>();
    for (int i = 0; i < outcomes.length(); i++) {
      Step step = worker.outcome(state, verdict(outcomes.charAt(i) == 'S'), 0).step();
      state = step.state();
      step.effects().stream()
          .filter(Publish.class::isInstance)
          .forEach(effect -> published.add(((Publish) effect).result()));
    }
    return published;
  }

  @ParameterizedTest(name = "{0}: {3}")
  @CsvSource({
    // outcomes at 0 s, 10 s, 20 s …; what is published at which second
    "SFSS, 1, 1, 0=SUCCESS 10=FAILURE",
    "SFSSSS, 1, 1, 0=SUCCESS 10=FAILURE 50=SUCCESS",
    "SFSSSSS, 5, 1, 10=FAILURE 60=SUCCESS",
    "SSSSSFSSSSS, 5, 1, 40=SUCCESS 50=FAILURE 100=SUCCESS",
    "FSS, 1, 1, 0=FAILURE 10=SUCCESS 20=SUCCESS",
    "SFSSFSSSS, 1, 1, 0=SUCCESS 10=FAILURE 40=FAILURE 80=SUCCESS",
    "SFSSFSSSS, 1, 2, 0=SUCCESS 20=SUCCESS 30=SUCCESS 50=SUCCESS 60=SUCCESS 70=SUCCESS 80=SUCCESS",
    "SFFSSFSSSS, 1, 2, 0=SUCCESS 20=FAILURE 90=SUCCESS",
    "SFSESS, 1, 1, 0=SUCCESS 10=FAILURE 50=SUCCESS",
    "SFSSSSFSS, 1, 1, 0=SUCCESS 10=FAILURE 50=SUCCESS 60=FAILURE"
  })
  @DisplayName("W-23 a container that was ready and has failed succeeds for 30 s to be ready again")
  void recoveryTime(String outcomes, int successes, int failures, String expected) {
    ProbeWorker worker = recovering(successes, failures);
    WorkerState state = KNOWN;
    List<String> published = new ArrayList<>();
    for (int i = 0; i < outcomes.length(); i++) {
      Verdict verdict =
          outcomes.charAt(i) == 'E'
              ? new Verdict.ProberError(Verdict.Reason.RUNTIME, "gone")
              : verdict(outcomes.charAt(i) == 'S');
      Step step = worker.outcome(state, verdict, Duration.ofSeconds(10L * i).toNanos()).step();
      state = step.state();
      for (Effect effect : step.effects()) {
        published.add(10 * i + "=" + ((Publish) effect).result());
      }
    }
    assertThat(String.join(" ", published)).isEqualTo(expected);
  }

  @Test
  @DisplayName("W-23 an adopted container counts as ready before, a new instance does not")
  void recoveryOfInstances() {
    ProbeWorker worker = recovering(1, 1);
    Input adopted = new Input(seen(RUNNING), true, LONG, true);
    WorkerState state = ticked(worker, WorkerState.NEW, adopted).state();
    state = worker.outcome(state, verdict(false), 0).step().state();
    assertThat(worker.recovery(state, 0)).as("while it fails").isZero();
    state = worker.outcome(state, verdict(true), 1).step().state();
    assertThat(worker.recovery(state, 1)).isEqualTo(Duration.ofSeconds(30));
    assertThat(worker.recovery(state, Duration.ofSeconds(31).toNanos())).isZero();
    PodObservation next = seen(ContainerObservation.running("id-2", STARTED_AT, 1));
    state = tick(worker, state, next).state();
    assertThat(state).isEqualTo(WorkerState.of("id-2"));
    state = worker.outcome(state, verdict(false), 2).step().state();
    assertThat(worker.outcome(state, verdict(true), 3).step().effects())
        .containsExactly(new Publish("id-2", SUCCESS, false));
  }

  private static ProbeWorker recovering(int successes, int failures) {
    ProbeSpec spec =
        ProbeSpec.of(HANDLER)
            .successThreshold(successes)
            .failureThreshold(failures)
            .recoveryTime(Duration.ofSeconds(30))
            .build();
    return new ProbeWorker(READINESS, spec, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
  }

  private static Verdict verdict(boolean healthy) {
    return healthy ? new Verdict.Success("ok") : new Verdict.Failure("no");
  }

  static List<Arguments> obstacles() {
    PodObservation over =
        new PodObservation(
            POD, Phase.SUCCEEDED, false, false, List.of(), Map.of(CONTAINER, RUNNING));
    PodObservation without =
        new PodObservation(POD, Phase.RUNNING, false, false, List.of(), Map.of());
    PodObservation ended = seen(ContainerObservation.terminated("id-1", STARTED_AT, 1, 0));
    Duration early = Duration.ofSeconds(4);
    return List.of(
        Arguments.of(Obstacle.NO_INSTANCE, READINESS, null, true, LONG),
        Arguments.of(Obstacle.POD_ENDING, READINESS, over, true, LONG),
        Arguments.of(Obstacle.NO_INSTANCE, READINESS, without, true, LONG),
        Arguments.of(Obstacle.NOT_RUNNING, READINESS, ended, true, LONG),
        Arguments.of(Obstacle.POD_ENDING, LIVENESS, deleting(RUNNING), true, LONG),
        Arguments.of(Obstacle.NONE, READINESS, deleting(RUNNING), true, LONG),
        Arguments.of(Obstacle.INITIAL_DELAY, READINESS, seen(RUNNING), true, early),
        Arguments.of(Obstacle.NOT_STARTED, READINESS, seen(RUNNING), false, LONG),
        Arguments.of(Obstacle.STARTED, STARTUP, seen(RUNNING), true, LONG),
        Arguments.of(Obstacle.NONE, STARTUP, seen(RUNNING), false, LONG),
        Arguments.of(Obstacle.NONE, READINESS, seen(RUNNING), true, Duration.ofSeconds(5)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("obstacles")
  @DisplayName("W-3 what keeps a worker from probing is shown by its name, the first that holds")
  void obstacle(
      Obstacle obstacle, ProbeKind kind, PodObservation pod, boolean started, Duration runFor) {
    ProbeSpec delayed = ProbeSpec.of(HANDLER).initialDelay(Duration.ofSeconds(5)).build();
    ProbeWorker worker =
        new ProbeWorker(kind, delayed, Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
    assertThat(obstacle(worker, KNOWN, new Input(pod, started, runFor, false))).isEqualTo(obstacle);
    Obstacle held =
        obstacle == Obstacle.NO_INSTANCE || pod.phase().terminal() ? obstacle : Obstacle.DECIDED;
    assertThat(obstacle(worker, KNOWN.held(), new Input(pod, started, runFor, false)))
        .as("on hold (W-3.5)")
        .isEqualTo(held);
  }

  private static Step tick(ProbeWorker worker, WorkerState state, PodObservation pod) {
    return ticked(worker, state, new Input(pod, true, LONG, false));
  }

  private static ProbeWorker worker(ProbeKind kind) {
    return new ProbeWorker(
        kind, Fixtures.probe(), Fixtures.container(Map.of()), RestartPolicy.ALWAYS);
  }

  private static ContainerSpec withPolicy(RestartPolicy policy, RestartRule... rules) {
    return new ContainerSpec(
        CONTAINER, false, policy, List.of(rules), Map.of(), Map.of(), Map.of());
  }

  /** What a worker is told at a tick. */
  private record Input(
      @Nullable PodObservation pod, boolean started, Duration runFor, boolean adopted) {
    ContainerState seen() {
      return new ContainerState(pod, RUNNING, -runFor.toNanos(), adopted, "");
    }
  }

  private static Obstacle obstacle(ProbeWorker worker, WorkerState state, Input input) {
    return worker.obstacle(state, input.seen(), input.started(), 0);
  }

  /** Ticks, and holds what is shown as an obstacle against it. */
  private static Step ticked(ProbeWorker worker, WorkerState state, Input input) {
    Step step = worker.tick(state, input.seen(), input.started(), 0);
    assertThat(obstacle(worker, state, input) == Obstacle.NONE)
        .as("no obstacle where it probes, and only there: %s", obstacle(worker, state, input))
        .isEqualTo(step.effects().contains(PROBE));
    return step;
  }
}
