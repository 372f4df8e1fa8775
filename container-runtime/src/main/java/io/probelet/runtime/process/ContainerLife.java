package io.probelet.runtime.process;

import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.Termination;
import io.probelet.runtime.process.PodEvent.Exited;
import io.probelet.runtime.process.PodEvent.Refused;
import io.probelet.runtime.process.Stage.Again;
import io.probelet.runtime.process.Stage.BackingOff;
import io.probelet.runtime.process.Stage.Ended;
import io.probelet.runtime.process.Stage.Launching;
import io.probelet.runtime.process.Stage.Running;
import io.probelet.runtime.process.Stage.StopStep;
import io.probelet.runtime.process.Stage.Stopping;
import io.probelet.runtime.process.Stage.Waiting;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The state of one container over all its instances: how events change it, and how it is reported.
 * Immutable.
 *
 * @param init whether it is an init container; sidecars are
 * @param restartCount instances before the newest
 * @param restartDelay delay of the next restart, unless the instance runs long enough
 * @param last how the newest ended instance ended, null if none has
 */
record ContainerLife(
    LocalContainer container,
    RestartPolicy podPolicy,
    boolean init,
    Stage stage,
    int restartCount,
    Duration restartDelay,
    @Nullable Termination last) {

  static ContainerLife of(LocalContainer container, RestartPolicy podPolicy, boolean init) {
    return new ContainerLife(container, podPolicy, init, new Waiting(), 0, Duration.ZERO, null);
  }

  boolean sidecar() {
    return container.spec().sidecar();
  }

  /** Whether a process runs or is being launched. */
  boolean live() {
    return stage instanceof Launching || stage instanceof Running;
  }

  /** Whether it ended and will not be restarted. */
  boolean over() {
    return stage instanceof Ended ended && !ended.restarts();
  }

  /** Whether it succeeded and will not be restarted. */
  boolean succeeded() {
    return stage instanceof Ended ended && !ended.restarts() && !ended.failed();
  }

  /** Whether no instance has run yet. */
  boolean never() {
    return stage instanceof Waiting || stage instanceof Launching(Waiting _);
  }

  /** Whether it starts as soon as its turn comes. */
  boolean awaitsItsTurn() {
    return stage instanceof Waiting || stage instanceof Again;
  }

  /** D-5: whether the init container after this one may start. */
  boolean letsNextStart() {
    return sidecar() ? stage instanceof Running running && running.started() : succeeded();
  }

  /** The time of its next timer, if any. */
  OptionalLong due() {
    return switch (stage) {
      case BackingOff waiting -> OptionalLong.of(waiting.untilNanos());
      case Running(_, _, _, _, Stopping(long killNanos, StopStep step))
          when step == StopStep.HOOK || step == StopStep.TERM ->
          OptionalLong.of(killNanos);
      default -> OptionalLong.empty();
    };
  }

  /** It is being launched. */
  ContainerLife launching() {
    return at(new Launching(stage));
  }

  /** The number of the instance that is being launched, starting at 0. */
  int attempt() {
    return never() ? 0 : restartCount + 1;
  }

  /** A process runs. */
  ContainerLife launched(String id, EventTime now) {
    Running running = new Running(id, now.wall(), now.nanos(), !container.hasStartupProbe(), null);
    return new ContainerLife(container, podPolicy, init, running, attempt(), restartDelay, last);
  }

  /** No process could be started. */
  ContainerLife refused(Refused refusal, EventTime now) {
    Ended ended =
        new Ended(
            refusal.id(),
            null,
            now.nanos(),
            refusal.exitCode(),
            refusal.reason(),
            container.spec().restartsAfter(refusal.exitCode(), podPolicy));
    Termination how =
        new Termination(refusal.exitCode(), 0, refusal.reason(), refusal.message(), now.wall());
    return new ContainerLife(container, podPolicy, init, ended, attempt(), restartDelay, how);
  }

  /**
   * The process ended; this decides whether another follows (D-2, W-3.6). An instance that a probe
   * stopped has failed, even with exit code 0.
   */
  ContainerLife exited(
      Running running, Exited exit, boolean podEnds, EventTime now, BackOff backOff) {
    int exitCode = exit.exitCode();
    boolean restarts;
    if (init && !sidecar() && exitCode == 0) {
      restarts = false;
    } else if (running.stopping() != null && comesBackAfterStop()) { // a probe stopped it
      restarts = true;
    } else {
      restarts = container.spec().restartsAfter(exitCode, podPolicy);
    }
    boolean ranLong = now.since(running.startedNanos()).compareTo(backOff.resetAfter()) >= 0;
    String reason = reason(running, exit, podEnds);
    Ended ended =
        new Ended(running.id(), running.startedAt(), now.nanos(), exitCode, reason, restarts);
    return new ContainerLife(
        container,
        podPolicy,
        init,
        ended,
        restartCount,
        ranLong ? Duration.ZERO : restartDelay,
        new Termination(exitCode, 0, reason, "", now.wall()));
  }

  /** Whether another instance follows one that a probe stopped, and that so has failed (D-2). */
  boolean comesBackAfterStop() {
    return container.spec().restartPolicy(podPolicy) != RestartPolicy.NEVER;
  }

  /** In the kubelet's words. */
  private static String reason(Running running, Exited exit, boolean podEnds) {
    if (exit.exitCode() == 0) {
      return podEnds || running.stopping() == null ? "Completed" : Ended.ERROR;
    }
    return exit.outOfMemory() ? Ended.OUT_OF_MEMORY : Ended.ERROR;
  }

  /** D-3: it waits for its next instance; the first restart is immediate. */
  ContainerLife restarting(Ended ended, EventTime now, BackOff backOff) {
    long until = ended.endedNanos() + restartDelay.toNanos();
    Stage next =
        now.reached(until)
            ? new Launching(ended)
            : new BackingOff(ended, until, now.wall().plusNanos(until - now.nanos()));
    return new ContainerLife(
        container, podPolicy, init, next, restartCount, backOff.after(restartDelay), last);
  }

  /** Its startup probe succeeded. */
  ContainerLife startedUp(Running running) {
    return at(
        new Running(
            running.id(), running.startedAt(), running.startedNanos(), true, running.stopping()));
  }

  /** Brings the end of a running stop forward, if the given time is earlier. */
  ContainerLife hurried(Running running, Stopping before, long killNanos) {
    return killNanos - before.killNanos() < 0 ? at(running, before.by(killNanos)) : this;
  }

  /** Starts a step of its stop, which ends at the given time. */
  ContainerLife stopping(Running running, StopStep step, long killNanos) {
    return at(running, new Stopping(killNanos, step));
  }

  /** All containers of the pod restart (D-23): another instance follows, and not before them. */
  ContainerLife comingBack() {
    return switch (stage) {
      case BackingOff waiting -> at(new Again(waiting.previous()));
      case Ended ended -> at(ended.comingBack());
      default -> this;
    };
  }

  /** All containers of the pod have ended, and start again in their order (D-23). */
  ContainerLife startingAgain() {
    return switch (stage) {
      case Ended ended -> at(new Again(ended));
      case BackingOff waiting -> at(new Again(waiting.previous()));
      case Launching(Ended ended) -> at(new Again(ended)); // its back-off is over
      default -> this;
    };
  }

  /** The pod is ending: no further instance. */
  ContainerLife abandoned() {
    return switch (stage) {
      case BackingOff waiting -> at(waiting.previous().forGood());
      case Again waiting -> at(waiting.previous().forGood());
      case Ended ended -> at(ended.forGood());
      default -> this;
    };
  }

  /** The container as reported. */
  ContainerObservation observation(String whyNotStarted) {
    ContainerDetails details = ContainerDetails.ended(last);
    String refusal = last == null || stage instanceof Running ? "" : last.message();
    return observation(stage, whyNotStarted).with(details.saying(refusal));
  }

  private ContainerObservation observation(Stage shown, String whyNotStarted) {
    return switch (shown) {
      case Waiting _ -> ContainerObservation.waiting("", 0, whyNotStarted);
      case Launching next -> observation(next.before(), whyNotStarted);
      case Again again ->
          ContainerObservation.waiting(again.previous().id(), restartCount, whyNotStarted);
      case Running running ->
          ContainerObservation.running(running.id(), running.startedAt(), restartCount);
      case Ended ended -> ended(ended);
      case BackingOff waiting ->
          ContainerObservation.waiting(
                  waiting.previous().id(),
                  restartCount,
                  waiting.previous().misconfigured()
                      ? waiting.previous().reason()
                      : "CrashLoopBackOff")
              .startingAgain(waiting.until());
    };
  }

  private ContainerObservation ended(Ended ended) {
    // By the policy alone a worker would assume that this one stays down (W-3.6), but a probe
    // stopped it, so it restarts (D-2).
    boolean comesBackUnexpectedly =
        ended.restarts() && !container.spec().restartsAfter(ended.exitCode(), podPolicy);
    if (ended.misconfigured() && ended.restarts()) { // no instance ran
      return ContainerObservation.waiting(ended.id(), restartCount, ended.reason());
    }
    return new ContainerObservation(
        ended.id(),
        comesBackUnexpectedly ? State.WAITING : State.TERMINATED,
        ended.startedAt(),
        comesBackUnexpectedly ? 0 : ended.exitCode(),
        restartCount,
        ended.reason(),
        false,
        false);
  }

  private ContainerLife at(Stage next) {
    return new ContainerLife(container, podPolicy, init, next, restartCount, restartDelay, last);
  }

  private ContainerLife at(Running running, Stopping stopping) {
    return at(
        new Running(
            running.id(),
            running.startedAt(),
            running.startedNanos(),
            running.started(),
            stopping));
  }
}
