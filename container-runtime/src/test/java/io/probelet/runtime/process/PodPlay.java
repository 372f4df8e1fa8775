package io.probelet.runtime.process;

import io.probelet.health.GoDuration;
import io.probelet.health.ManualClock;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.runtime.process.PodEffect.Launch;
import io.probelet.runtime.process.PodEffect.Report;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * Plays a pod's life in virtual time: launches succeed at once, processes end when the test says so
 * or, on KILL, at once. What happened reads "10s start web#1", "0s term web#0", "0s kill web#0".
 */
final class PodPlay {
  /** Where the monotonic clock happens to stand; what happened is told from there. */
  private static final Duration START = Duration.ofHours(1);

  private final ManualClock clock =
      new ManualClock(Instant.parse("2026-01-01T00:00:00Z").minus(START));
  private final PodLifecycle lifecycle;
  private final List<String> happened = new ArrayList<>();
  private final List<PodObservation> reports = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();
  private String refusal = "ContainerCannotRun";
  private PodLife life;
  private long wakeAt = Long.MAX_VALUE;

  PodPlay(LocalPod pod, BackOff backOff) {
    lifecycle = new PodLifecycle(backOff);
    life = PodLife.of(pod);
    clock.advance(START);
  }

  static PodPlay of(LocalPodBuilders.PodBuilder pod) {
    return new PodPlay(pod.build(), BackOff.KUBELET);
  }

  /** The next launches of this container fail. */
  PodPlay refusing(String container) {
    refused.add(container);
    return this;
  }

  /** For this reason. */
  PodPlay because(String reason) {
    refusal = reason;
    return this;
  }

  PodPlay add() {
    return on(new PodEvent.Added());
  }

  PodPlay exit(String id, int code) {
    return on(new PodEvent.Exited(id, code));
  }

  PodPlay startedUp(String id) {
    return on(new PodEvent.StartedUp(id));
  }

  PodPlay stop(String id, Duration grace) {
    return on(new PodEvent.StopAsked(id, grace));
  }

  PodPlay restartPod(String id, Duration grace) {
    return on(new PodEvent.StopAsked(id, grace, true));
  }

  PodPlay hookEnded(String id) {
    return on(new PodEvent.HookEnded(id));
  }

  Instant wall() {
    return clock.wallTime();
  }

  PodPlay remove() {
    return on(new PodEvent.Removed());
  }

  /** Lets time pass, waking the pod whenever it asked for it. */
  PodPlay pass(Duration step) {
    long end = clock.nanoTime() + step.toNanos();
    while (wakeAt <= end) {
      clock.advance(Duration.ofNanos(Math.max(0, wakeAt - clock.nanoTime())));
      wakeAt = Long.MAX_VALUE;
      on(new PodEvent.Tick());
    }
    clock.advance(Duration.ofNanos(end - clock.nanoTime()));
    return this;
  }

  PodPlay on(PodEvent first) {
    Queue<PodEvent> events = new ArrayDeque<>(List.of(first));
    for (PodEvent event = events.poll(); event != null; event = events.poll()) {
      PodLifecycle.Step step = lifecycle.step(life, event, EventTime.of(clock));
      life = step.life();
      step.effects().forEach(effect -> perform(effect, events));
    }
    return this;
  }

  private void perform(PodEffect effect, Queue<PodEvent> events) {
    switch (effect) {
      case Launch launch -> {
        String name = launch.container().name();
        String id = name + "#" + launch.attempt();
        note("start " + id);
        events.add(
            refused.contains(name)
                ? new PodEvent.Refused(name, id, 127, refusal, "command x does not exist")
                : new PodEvent.Launched(name, id));
      }
      case PodEffect.RunHook it ->
          note("hook " + it.id() + " within " + GoDuration.format(it.within()));
      case PodEffect.Terminate it -> note("term " + it.id());
      case PodEffect.Kill it -> {
        note("kill " + it.id());
        events.add(new PodEvent.Exited(it.id(), 137));
      }
      case PodEffect.RestartAll it -> note("restart all for " + it.container());
      case Report it -> reports.add(it.observation());
      case PodEffect.WakeAt it -> wakeAt = it.nanos();
      case PodEffect.Gone _ -> note("gone");
    }
  }

  private void note(String what) {
    happened.add(GoDuration.format(Duration.ofNanos(clock.nanoTime()).minus(START)) + " " + what);
  }

  /** What was done since the last call. */
  List<String> happened() {
    List<String> all = List.copyOf(happened);
    happened.clear();
    return all;
  }

  PodObservation seen() {
    return reports.getLast();
  }

  Phase phase() {
    return seen().phase();
  }

  ContainerObservation seen(String container) {
    return seen().containers().get(container);
  }

  /**
   * How a container looked from outside, one line per change: "RUNNING web#0 code=0 restarts=0".
   */
  List<String> looks(String container) {
    List<String> looks = new ArrayList<>();
    for (PodObservation report : reports) {
      ContainerObservation it = report.containers().get(container);
      String look =
          "%s %s code=%d restarts=%d %s"
              .formatted(it.state(), it.id(), it.exitCode(), it.restartCount(), it.reason())
              .replaceAll(" +", " ")
              .strip();
      if (looks.isEmpty() || !looks.getLast().equals(look)) {
        looks.add(look);
      }
    }
    return looks;
  }

  /** Whether it asked to be woken, and has not been since. */
  boolean waitsForTime() {
    return wakeAt != Long.MAX_VALUE;
  }

  int reportCount() {
    return reports.size();
  }
}
