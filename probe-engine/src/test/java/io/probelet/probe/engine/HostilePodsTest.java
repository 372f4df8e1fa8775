package io.probelet.probe.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Reason;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A3 and A4: what the probes of one pod can do to the engine and to the probes of others. */
class HostilePodsTest implements ProbeListener {
  private static final TcpSocket HANDLER = new TcpSocket(new Port.Numeric(80), null);
  private static final PodRef HOSTILE = new PodRef("tenant", "hostile", "uid-h");
  private static final PodRef HONEST = new PodRef("default", "honest", "uid-g");

  private final VirtualLoop loop = new VirtualLoop();
  private final Map<PodRef, List<Probed>> probed = new HashMap<>();
  private final Map<PodRef, List<Discarded>> discarded = new HashMap<>();
  private final List<RestartDecision> restarts = new ArrayList<>();
  private final List<ProbeTarget> begun = new ArrayList<>();
  private Consumer<Consumer<ProbeOutcome>> hostile = HostilePodsTest::succeed;
  private int underWay;
  private int mostUnderWay;

  private final ProbeEngine engine =
      new ProbeEngine(
          List.of(new ProbeEngine.LoopProber(loop, this::probe)),
          new Random(7),
          RestartGate.OPEN,
          new ProbeLimits(4, 10, 16, 100),
          StartupMemory.NONE);

  private void probe(
      ProbeHandler handler, ProbeTarget to, Duration timeout, Consumer<ProbeOutcome> done) {
    begun.add(to);
    if (to.pod().equals(HOSTILE)) {
      underWay++;
      mostUnderWay = Math.max(mostUnderWay, underWay);
      hostile.accept(outcome -> {
        underWay--;
        done.accept(outcome);
      });
    } else {
      succeed(done);
    }
  }

  private static void succeed(Consumer<ProbeOutcome> done) {
    done.accept(new ProbeOutcome(new Success(""), ProbeTimings.of(1)));
  }

  @BeforeEach
  void listen() {
    engine.addListener(this);
    loop.advance(Duration.ofMinutes(10));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        StackOverflowError.class,
        NoClassDefFoundError.class,
        AssertionError.class,
        IllegalStateException.class
      })
  @DisplayName("W-11 whatever a prober throws is that probe's outcome, and no other's")
  void thrown(Class<? extends Throwable> type) throws Exception {
    Throwable bug = type.getDeclaredConstructor().newInstance();
    hostile = _ -> HostilePodsTest.<RuntimeException>sneak(bug);
    add(HOSTILE, 1, spec(HANDLER, 1_000));
    add(HONEST, 1, spec(HANDLER, 1_000));
    loop.advance(Duration.ofSeconds(10));
    assertThat(probed.get(HONEST)).hasSizeBetween(10, 11);
    assertThat(probed.get(HOSTILE))
        .hasSizeBetween(10, 11)
        .allSatisfy(probe ->
            assertThat(probe.outcome().verdict())
                .isEqualTo(new Verdict.ProberError(Reason.INTERNAL, "prober failed: " + bug)));
  }

  @Test
  @DisplayName("W-11 a listener that throws an Error keeps nothing from the others")
  void listener() {
    ProbeEngine other =
        new ProbeEngine(
            List.of(new ProbeEngine.LoopProber(loop, this::probe)),
            new Random(7),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    other.addListener(
        new ProbeListener() {
          @Override
          public void probed(Probed probe) {
            throw new StackOverflowError();
          }
        });
    other.addListener(this);
    loop.advance(Duration.ofMinutes(10));
    add(other, HONEST, 1, spec(HANDLER, 1_000));
    loop.advance(Duration.ofSeconds(10));
    assertThat(probed.get(HONEST)).hasSizeBetween(10, 11);
  }

  @Test
  @DisplayName("W-11 a prober that loses a probe does not end its worker")
  void lost() {
    hostile = _ -> {};
    add(HOSTILE, 1, spec(HANDLER, 1_000));
    loop.advance(Duration.ofMinutes(1));
    assertThat(probed.get(HOSTILE)).hasSizeBetween(2, 5);
    assertThat(progress().problem()).isEmpty();
    hostile = HostilePodsTest::succeed;
    loop.advance(Duration.ofMinutes(1));
    assertThat(probed.get(HOSTILE).getLast().outcome().verdict().healthy()).isTrue();
  }

  @Test
  @DisplayName("probing makes progress while workers tick")
  void progresses() {
    add(HONEST, 3, spec(HANDLER, 1_000));
    loop.advance(Duration.ofMinutes(1));
    LoopProgress progress = progress();
    assertThat(progress.workers()).isEqualTo(3);
    assertThat(progress.problem()).isEmpty();
    loop.stall(Duration.ofMinutes(2)); // as if its timers were lost
    assertThat(progressNow().problem())
        .hasValueSatisfying(what ->
            assertThat(what)
                .startsWith("probing is not making progress: 3 workers, one overdue for "));
  }

  @Test
  @DisplayName(
      "W-13 a pod whose probes all hang has so many under way, and each of them has its turn")
  void hanging() {
    hostile =
        done ->
            loop.schedule(
                Duration.ofSeconds(1).toNanos(),
                () ->
                    done.accept(
                        new ProbeOutcome(new Verdict.Failure("timeout"), ProbeTimings.of(1))));
    add(HOSTILE, 12, spec(HANDLER, 1_000));
    add(HONEST, 1, spec(HANDLER, 100));
    loop.advance(Duration.ofSeconds(60));
    assertThat(mostUnderWay).isEqualTo(4);
    assertThat(
            begun.stream()
                .filter(to -> to.pod().equals(HOSTILE))
                .map(to -> to.container().name())
                .distinct())
        .as("none is left out for good")
        .hasSize(12);
    assertThat(restarts).as("a probe that ran still decides").hasSize(12);
    assertThat(probed.get(HONEST)).as("every tick of the neighbour").hasSizeBetween(600, 601);
    assertThat(discarded.get(HONEST)).isNull();
  }

  @Test
  @DisplayName(
      "W-13 probes per second of a pod are limited; the rest is discarded and reported once")
  void flood() {
    add(HOSTILE, 10, spec(HANDLER, 100));
    add(HONEST, 2, spec(HANDLER, 200));
    loop.advance(Duration.ofSeconds(60));
    assertThat(probed.get(HOSTILE).size()).isBetween(590, 640);
    assertThat(discarded.get(HOSTILE)).hasSizeGreaterThan(4_000);
    assertThat(discarded.get(HOSTILE).stream().filter(Discarded::first)).hasSize(1);
    assertThat(discarded.get(HOSTILE).getFirst().reason()).isEqualTo(Reason.POD_BUDGET);
    assertThat(discarded.get(HOSTILE).getFirst().message())
        .isEqualTo(
            "the pod asks for more than 4 probes at a time or 10 a second; probes beyond that are"
                + " discarded");
    assertThat(restarts).isEmpty();
    assertThat(probed.get(HONEST)).hasSizeBetween(600, 602);
    assertThat(discarded.get(HONEST)).isNull();
    assertThat(engine.waiting()).isBetween(5, 10);
    engine.removeAll();
    loop.advance(Duration.ofSeconds(1));
    assertThat(engine.waiting()).isZero();
  }

  @Test
  @DisplayName("W-13 redirects that are followed use up what a pod may begin, and fail nothing")
  void redirects() {
    int[] requests = {0};
    hostile =
        done -> {
          ProbeTarget to = begun.getLast();
          for (requests[0]++; requests[0] > 0; requests[0]++) {
            Optional<ProberError> refused = to.further().charge();
            if (refused.isPresent()) {
              done.accept(new ProbeOutcome(refused.get(), ProbeTimings.of(1)));
              return;
            }
          }
        };
    add(HOSTILE, 2, spec(HANDLER, 100));
    add(HONEST, 1, spec(HANDLER, 100));
    loop.advance(Duration.ofSeconds(60));
    assertThat(requests[0]).isBetween(590, 640);
    assertThat(discarded.get(HOSTILE)).isNotEmpty();
    assertThat(discarded.get(HOSTILE).getFirst().reason()).isEqualTo(Reason.POD_BUDGET);
    assertThat(restarts).isEmpty();
    assertThat(probed.get(HONEST)).hasSizeBetween(600, 602);
  }

  @Test
  @DisplayName("16 x 16 x 16 handlers by aliases are never begun, and decide nothing")
  void aliases() {
    ProbeHandler sixteen = new AllOf(Collections.nCopies(16, HANDLER));
    ProbeHandler many =
        new AllOf(Collections.nCopies(16, new AllOf(Collections.nCopies(16, sixteen))));
    ProbeHandler endless = many;
    for (int i = 0; i < 10; i++) {
      endless = new AllOf(Collections.nCopies(16, endless));
    }
    assertThat(many.parts(10_000)).isEqualTo(4_096);
    assertThat(endless.parts(10_000)).isGreaterThan(10_000);
    add(HOSTILE, 1, spec(endless, 100));
    add(HONEST, 1, spec(HANDLER, 1_000));
    loop.advance(Duration.ofSeconds(10));
    assertThat(begun).noneMatch(to -> to.pod().equals(HOSTILE));
    assertThat(discarded.get(HOSTILE)).hasSizeBetween(100, 101);
    assertThat(restarts).isEmpty();
    assertThat(probed.get(HONEST)).hasSizeBetween(10, 11);
  }

  @Test
  @DisplayName(
      "W-3.6 a container that ends while its probe waits for its turn is not ready from then on")
  void endsWhileWaiting() {
    hostile = _ -> {};
    List<Published> published = new ArrayList<>();
    engine.addListener(
        new ProbeListener() {
          @Override
          public void published(Published result) {
            published.add(result);
          }
        });
    add(HOSTILE, 12, spec(HANDLER, 100));
    loop.advance(Duration.ofSeconds(2));
    published.clear();
    Map<String, ContainerObservation> seen = new HashMap<>();
    for (int i = 0; i < 12; i++) {
      seen.put("c" + i, ContainerObservation.terminated(HOSTILE.uid() + "c" + i, null, 1, 0));
    }
    engine.observed(
        new PodObservation(HOSTILE, Phase.RUNNING, false, false, List.of("10.0.0.1"), seen));
    loop.advance(Duration.ofMillis(200));
    assertThat(published.stream().filter(result -> result.result() == ProbeResult.FAILURE))
        .as("all but those whose probe is under way")
        .hasSize(8);
  }

  @Test
  @DisplayName("a pod that is removed while its probes wait and run leaves nothing behind")
  void removed() {
    List<Consumer<ProbeOutcome>> pending = new ArrayList<>();
    hostile = pending::add;
    for (int round = 0; round < 20; round++) {
      add(HOSTILE, 12, spec(HANDLER, 100));
      loop.advance(Duration.ofSeconds(2));
      engine.remove(HOSTILE);
      loop.run();
      List.copyOf(pending)
          .forEach(done -> done.accept(new ProbeOutcome(new Success(""), ProbeTimings.of(1))));
      pending.clear();
    }
    hostile = HostilePodsTest::succeed;
    probed.clear();
    loop.advance(Duration.ofMinutes(1));
    add(HOSTILE, 1, spec(HANDLER, 1_000));
    loop.advance(Duration.ofSeconds(10));
    assertThat(probed.get(HOSTILE)).hasSizeBetween(10, 11);
  }

  private LoopProgress progress() {
    var progress = engine.progress().getFirst();
    loop.run();
    return progress.join();
  }

  /** Asked before any timer runs. */
  private LoopProgress progressNow() {
    return progress();
  }

  private static ProbeSpec spec(ProbeHandler handler, int periodMillis) {
    return ProbeSpec.of(handler).period(Duration.ofMillis(periodMillis)).build();
  }

  private void add(PodRef pod, int containers, ProbeSpec spec) {
    add(engine, pod, containers, spec);
  }

  private void add(ProbeEngine to, PodRef pod, int containers, ProbeSpec spec) {
    List<ContainerSpec> specs = new ArrayList<>();
    Map<String, ContainerObservation> seen = new HashMap<>();
    for (int i = 0; i < containers; i++) {
      String name = "c" + i;
      specs.add(
          new ContainerSpec(
              name, false, null, List.of(), Map.of(), Map.of(), Map.of(ProbeKind.LIVENESS, spec)));
      seen.put(name, ContainerObservation.running(pod.uid() + name, loop.time().wallTime(), 0));
    }
    to.add(new ProbedPod(pod, RestartPolicy.ALWAYS, Duration.ofSeconds(30), specs));
    to.observed(new PodObservation(pod, Phase.RUNNING, false, false, List.of("10.0.0.1"), seen));
    loop.run();
  }

  @SuppressWarnings("unchecked")
  private static <T extends Throwable> void sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }

  @Override
  public void probed(Probed probe) {
    probed.computeIfAbsent(probe.subject().pod(), _ -> new ArrayList<>()).add(probe);
  }

  @Override
  public void discarded(Discarded probe) {
    discarded.computeIfAbsent(probe.subject().pod(), _ -> new ArrayList<>()).add(probe);
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    restarts.add(decision);
  }
}
