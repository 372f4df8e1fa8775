package io.probelet.probe.engine;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** An engine on virtual time, with a prober that answers as told and a listener that remembers. */
final class EngineHarness implements ProbeListener {
  final VirtualLoop loop = new VirtualLoop();
  final ProbeEngine engine;
  final List<Probed> probed = new ArrayList<>();
  final List<Published> published = new ArrayList<>();
  final List<RestartDecision> restarts = new ArrayList<>();
  final List<ContainerStatus> changes = new ArrayList<>();
  final List<ProbeSubject> ended = new ArrayList<>();
  final List<PodRef> removed = new ArrayList<>();
  final List<Instant> probesStarted = new ArrayList<>();
  final List<Duration> timeouts = new ArrayList<>();

  /** Has the last word on restarts. */
  RestartGate gate = RestartGate.OPEN;

  /** What an earlier life of the agent found. */
  StartupMemory startups = StartupMemory.NONE;

  /** What the next probes find; a null verdict means no answer until {@link #answer}. */
  Supplier<Verdict> target = () -> new Verdict.Success("ok");

  /** How long the target takes to answer. */
  Duration latency = Duration.ZERO;

  private final List<Consumer<ProbeOutcome>> pending = new ArrayList<>();

  EngineHarness() {
    engine =
        new ProbeEngine(
            List.of(new ProbeEngine.LoopProber(loop, this::probe)),
            new Random(7),
            new RestartGate() {
              @Override
              public boolean allows(RestartDecision decision) {
                return gate.allows(decision);
              }

              @Override
              public CompletableFuture<Boolean> ask(RestartDecision decision) {
                return gate.ask(decision);
              }
            },
            ProbeLimits.DEFAULT,
            (pod, container, id) -> startups.started(pod, container, id));
    engine.addListener(this);
  }

  private void probe(
      io.probelet.probe.ProbeHandler handler,
      ProbeTarget to,
      Duration timeout,
      Consumer<ProbeOutcome> done) {
    probesStarted.add(loop.time().wallTime());
    timeouts.add(timeout);
    Verdict verdict = target.get();
    if (verdict == null) {
      pending.add(done);
    } else if (latency.isZero()) {
      done.accept(new ProbeOutcome(verdict, ProbeTimings.of(0)));
    } else {
      loop.schedule(
          latency.toNanos(),
          () -> done.accept(new ProbeOutcome(verdict, ProbeTimings.of(latency.toNanos()))));
    }
  }

  /** Answers the oldest probe that waits. */
  void answer(Verdict verdict) {
    pending.removeFirst().accept(new ProbeOutcome(verdict, ProbeTimings.of(0)));
  }

  int waiting() {
    return pending.size();
  }

  /** Lets the agent get old enough that W-1's random wait is over for new pods. */
  EngineHarness settled() {
    loop.advance(Duration.ofMinutes(10));
    return this;
  }

  /** Adds a pod with one container that has just started. */
  EngineHarness running(Map<ProbeKind, ProbeSpec> probes) {
    engine.add(Fixtures.pod(Fixtures.container(probes)));
    started("id-1", 0);
    return this;
  }

  void started(String id, int restartCount) {
    engine.observed(
        Fixtures.seen(ContainerObservation.running(id, loop.time().wallTime(), restartCount)));
    loop.run();
  }

  void advanceSeconds(long seconds) {
    loop.advance(Duration.ofSeconds(seconds));
  }

  ContainerStatus status() {
    return snapshot().status();
  }

  ContainerSnapshot snapshot() {
    var snapshot = engine.snapshot();
    loop.run();
    return snapshot.join().getFirst();
  }

  @Override
  public void probed(Probed probe) {
    probed.add(probe);
  }

  @Override
  public void published(Published result) {
    published.add(result);
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    restarts.add(decision);
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    changes.add(now);
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    ended.add(subject);
  }

  @Override
  public void podRemoved(PodRef pod) {
    removed.add(pod);
  }
}
