package io.probelet.runtime.process;

import io.probelet.probe.PreStopHook;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.runtime.process.PodEffect.Gone;
import io.probelet.runtime.process.PodEffect.Kill;
import io.probelet.runtime.process.PodEffect.Launch;
import io.probelet.runtime.process.PodEffect.Report;
import io.probelet.runtime.process.PodEffect.RestartAll;
import io.probelet.runtime.process.PodEffect.RunHook;
import io.probelet.runtime.process.PodEffect.Terminate;
import io.probelet.runtime.process.PodEffect.WakeAt;
import io.probelet.runtime.process.PodEvent.Added;
import io.probelet.runtime.process.PodEvent.Exited;
import io.probelet.runtime.process.PodEvent.HookEnded;
import io.probelet.runtime.process.PodEvent.Launched;
import io.probelet.runtime.process.PodEvent.Refused;
import io.probelet.runtime.process.PodEvent.Removed;
import io.probelet.runtime.process.PodEvent.StartedUp;
import io.probelet.runtime.process.PodEvent.StopAsked;
import io.probelet.runtime.process.PodEvent.Tick;
import io.probelet.runtime.process.PodLife.Ending;
import io.probelet.runtime.process.Stage.BackingOff;
import io.probelet.runtime.process.Stage.Ended;
import io.probelet.runtime.process.Stage.Running;
import io.probelet.runtime.process.Stage.StopStep;
import io.probelet.runtime.process.Stage.Stopping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/**
 * The rules by which a pod's containers are started, restarted and stopped: a pure function from
 * (life, event, now) to (life, effects).
 */
final class PodLifecycle {
  /** Minimum time between TERM and KILL if hooks or other containers used up the grace period. */
  static final Duration LAST_GRACE = Duration.ofSeconds(2);

  private final BackOff backOff;

  PodLifecycle(BackOff backOff) {
    this.backOff = backOff;
  }

  /** The result of an event: the new state of the pod and the effects, in order. */
  record Step(PodLife life, List<PodEffect> effects) {}

  /** Applies one event; a pod that is gone ignores it. */
  Step step(PodLife life, PodEvent event, EventTime now) {
    if (life.gone()) {
      return new Step(life, List.of());
    }
    Turn turn = new Turn(life, now);
    turn.take(event);
    turn.report();
    turn.follow();
    turn.report();
    turn.close();
    return new Step(turn.life, turn.effects);
  }

  /** The evaluation of one event. */
  private final class Turn {
    private final EventTime now;
    private final List<PodEffect> effects = new ArrayList<>();
    private PodLife life;
    private PodObservation reported;

    Turn(PodLife life, EventTime now) {
      this.life = life;
      this.now = now;
      this.reported = life.observation();
    }

    /** The direct changes of the event. */
    void take(PodEvent event) {
      switch (event) {
        case Added _ -> effects.add(new Report(reported));
        case Tick _ -> {}
        case Launched it -> named(it.container(), each -> each.launched(it.id(), now));
        case Refused it -> {
          named(it.container(), each -> keepDown(each.refused(it, now)));
          restartAllAfter(it.container(), it.exitCode());
        }
        case Exited it -> exited(it);
        case StartedUp it -> running(it.id(), ContainerLife::startedUp);
        case StopAsked it -> stopAsked(it);
        case HookEnded it -> running(it.id(), this::afterHook);
        case Removed _ -> end(true);
      }
    }

    private void exited(Exited exit) {
      Optional<ContainerLife> before = instance(exit.id());
      running(
          exit.id(), (each, was) -> keepDown(each.exited(was, exit, endsPod(each), now, backOff)));
      before.ifPresent(each -> restartAllAfter(each.container().name(), exit.exitCode()));
    }

    private void stopAsked(StopAsked asked) {
      long deadline = now.plus(asked.grace());
      Optional<ContainerLife> cause = asked.pod() ? instance(asked.id()) : Optional.empty();
      if (life.ending() == null && cause.filter(ContainerLife::comesBackAfterStop).isPresent()) {
        restartAll(cause.get().container().name(), deadline);
      } else {
        running(asked.id(), (each, was) -> stop(each, was, deadline));
      }
    }

    /** D-23: a rule of a container restarts the whole pod, the others without hooks. */
    private void restartAllAfter(String name, int exitCode) {
      if (life.ending() == null && container(name).container().spec().restartsPodAfter(exitCode)) {
        long deadline = now.plus(LAST_GRACE);
        restartAll(name, deadline);
        everyone(each ->
            each.stage() instanceof Running running && running.stopping() == null
                ? terminate(each, running, deadline)
                : each);
      }
    }

    /** D-23: all containers end until then, and start again in their order. */
    private void restartAll(String name, long deadline) {
      effects.add(new RestartAll(name));
      everyone(ContainerLife::comingBack);
      life = life.with(new Ending(false, deadline, name));
    }

    /** All have ended. They start again once the back-off of who caused it is over (D-3). */
    private void startAgain(String name) {
      ContainerLife cause = container(name);
      if (cause.stage() instanceof Ended ended) {
        cause = cause.restarting(ended, now, backOff);
        ContainerLife changed = cause;
        named(name, _ -> changed);
      }
      boolean waits =
          cause.stage() instanceof BackingOff waiting && !now.reached(waiting.untilNanos());
      if (!waits) {
        life = life.startingAgain();
      }
    }

    /** What follows from how the pod stands now. */
    void follow() {
      if (life.ending() == null && life.done()) {
        end(false);
      }
      Ending over = life.ending();
      if (over != null && over.restartedBy() != null && life.allDown()) {
        startAgain(over.restartedBy());
      }
      Ending ending = life.ending();
      if (ending != null) {
        windDown(ending);
      } else {
        everyone(this::restart);
        startNext();
      }
      everyone(this::killOverdue);
    }

    void report() {
      PodObservation seen = life.observation();
      if (!seen.equals(reported)) {
        effects.add(new Report(seen));
        reported = seen;
      }
    }

    /** Ends the pod, or requests a tick for the next timer. */
    void close() {
      Ending ending = life.ending();
      if (ending != null && ending.deleted() && life.allDown()) {
        effects.add(new Gone());
        life = life.departed();
        return;
      }
      LongStream dues = life.containers().stream().flatMapToLong(each -> each.due().stream());
      if (ending != null && !life.allDown() && !now.reached(ending.deadlineNanos())) {
        dues = LongStream.concat(dues, LongStream.of(ending.deadlineNanos()));
      }
      dues.reduce((a, b) -> a - b < 0 ? a : b).ifPresent(due -> effects.add(new WakeAt(due)));
    }

    /** No further container starts; the grace period begins with the first reason to end. */
    private void end(boolean deleted) {
      Ending before = life.ending();
      long deadline =
          before == null ? now.plus(life.pod().terminationGracePeriod()) : before.deadlineNanos();
      everyone(ContainerLife::abandoned);
      life = life.with(new Ending(deleted, deadline));
    }

    /**
     * Stops regular containers first, then sidecars in reverse order, within one grace period. All
     * hooks run at once, as with the kubelet (D-7).
     */
    private void windDown(Ending ending) {
      long deadline = ending.deadlineNanos();
      boolean late = now.reached(deadline);
      everyone(each -> each.sidecar() ? beginHook(each, deadline) : stopIfRunning(each, deadline));
      if (!late && life.containers().stream().anyMatch(each -> each.live() && !each.sidecar())) {
        return;
      }
      Duration grace = life.pod().terminationGracePeriod();
      long lastCall = now.plus(grace.compareTo(LAST_GRACE) < 0 ? grace : LAST_GRACE);
      for (int i = life.pod().initContainers().size() - 1; i >= 0; i--) {
        ContainerLife each = life.containers().get(i);
        if (each.sidecar() && each.live()) {
          set(i, itsTurn(each, later(lastCall, deadline), late));
          if (!late) {
            return;
          }
        }
      }
    }

    /** D-5: init containers one by one, then the others together. */
    private void startNext() {
      while (!life.initialisedAll()) {
        ContainerLife next = life.containers().get(life.initialised());
        if (next.awaitsItsTurn()) {
          set(life.initialised(), launch(next.launching()));
          return;
        }
        if (!next.letsNextStart()) {
          return;
        }
        life = life.nextInitialised();
      }
      everyone(each -> each.awaitsItsTurn() ? launch(each.launching()) : each);
    }

    /** Restarts an ended container by its policy (D-2), after its back-off (D-3). */
    private ContainerLife restart(ContainerLife each) {
      return switch (each.stage()) {
        case Ended ended when ended.restarts() -> {
          ContainerLife next = each.restarting(ended, now, backOff);
          yield next.live() ? launch(next) : next;
        }
        case BackingOff waiting when now.reached(waiting.untilNanos()) -> launch(each.launching());
        default -> each;
      };
    }

    private ContainerLife launch(ContainerLife next) {
      effects.add(new Launch(next.container(), next.attempt()));
      return next;
    }

    private ContainerLife stopIfRunning(ContainerLife each, long deadline) {
      return each.stage() instanceof Running running ? stop(each, running, deadline) : each;
    }

    /** Begins the stop of a container, with its hook if it has one and there is time for it. */
    private ContainerLife stop(ContainerLife each, Running running, long deadline) {
      Stopping before = running.stopping();
      PreStopHook hook = each.container().spec().preStop();
      if (before != null) {
        boolean afterHook = hook != null && before.step() == StopStep.TERM;
        long earliest = afterHook ? later(deadline, now.plus(LAST_GRACE)) : deadline;
        return each.hurried(running, before, earliest);
      }
      if (hook == null || now.reached(deadline)) {
        return terminate(each, running, deadline);
      }
      Duration within = Duration.ofNanos(deadline - now.nanos());
      effects.add(new RunHook(running.id(), each.container().spec(), hook, within));
      return each.stopping(running, StopStep.HOOK, deadline);
    }

    private ContainerLife terminate(ContainerLife each, Running running, long killNanos) {
      effects.add(new Terminate(running.id()));
      return each.stopping(running, StopStep.TERM, killNanos);
    }

    /** A sidecar whose turn has not come runs its hook meanwhile. */
    private ContainerLife beginHook(ContainerLife each, long deadline) {
      boolean begins =
          each.stage() instanceof Running running
              && running.stopping() == null
              && each.container().spec().preStop() != null
              && !now.reached(deadline);
      return begins ? stopIfRunning(each, deadline) : each;
    }

    /**
     * The hook has ended: the container gets the rest of the grace period, but at least the
     * minimum.
     */
    private ContainerLife afterHook(ContainerLife each, Running running) {
      Stopping stopping = running.stopping();
      if (stopping == null || stopping.step() != StopStep.HOOK) {
        return each; // its deadline has passed
      }
      return life.ending() != null && each.sidecar()
          ? each.stopping(running, StopStep.HOOKED, stopping.killNanos())
          : terminate(each, running, later(stopping.killNanos(), now.plus(LAST_GRACE)));
    }

    /** All containers that a sidecar waits for have ended, or the wait has timed out. */
    private ContainerLife itsTurn(ContainerLife each, long killNanos, boolean late) {
      if (!(each.stage() instanceof Running running)) {
        return each;
      }
      Stopping stopping = running.stopping();
      if (stopping == null) {
        return terminate(each, running, killNanos);
      }
      return switch (stopping.step()) {
        case HOOK -> late ? terminate(each, running, killNanos) : each;
        case HOOKED -> terminate(each, running, killNanos);
        case TERM, KILL -> each.hurried(running, stopping, killNanos);
      };
    }

    private static long later(long one, long other) {
      return one - other > 0 ? one : other;
    }

    private ContainerLife killOverdue(ContainerLife each) {
      if (!(each.stage() instanceof Running running)) {
        return each;
      }
      Stopping stopping = running.stopping();
      if (stopping == null || !now.reached(stopping.killNanos())) {
        return each;
      }
      return switch (stopping.step()) {
        case HOOK -> terminate(each, running, now.plus(LAST_GRACE));
        case TERM -> {
          effects.add(new Kill(running.id()));
          yield each.stopping(running, StopStep.KILL, stopping.killNanos());
        }
        case HOOKED, KILL -> each;
      };
    }

    private ContainerLife keepDown(ContainerLife each) {
      Ending ending = life.ending();
      if (ending == null) {
        return each;
      }
      return ending.restartedBy() == null ? each.abandoned() : each.comingBack();
    }

    /** Whether a container ends because its pod does, and not for its own sake. */
    private boolean endsPod(ContainerLife each) {
      Ending ending = life.ending();
      return ending != null && !each.container().name().equals(ending.restartedBy());
    }

    private ContainerLife container(String name) {
      return life.containers().stream()
          .filter(each -> each.container().name().equals(name))
          .findFirst()
          .orElseThrow();
    }

    /** {@return the container of an instance that runs} */
    private Optional<ContainerLife> instance(String id) {
      return life.containers().stream()
          .filter(each -> each.stage() instanceof Running running && running.id().equals(id))
          .findFirst();
    }

    private void named(String container, UnaryOperator<ContainerLife> change) {
      everyone(each -> each.container().name().equals(container) ? change.apply(each) : each);
    }

    private void running(String id, BiFunction<ContainerLife, Running, ContainerLife> change) {
      everyone(each ->
          each.stage() instanceof Running running && running.id().equals(id)
              ? change.apply(each, running)
              : each);
    }

    private void everyone(UnaryOperator<ContainerLife> change) {
      List<ContainerLife> all = new ArrayList<>(life.containers());
      all.replaceAll(change);
      life = life.with(all);
    }

    private void set(int index, ContainerLife changed) {
      List<ContainerLife> all = new ArrayList<>(life.containers());
      all.set(index, changed);
      life = life.with(all);
    }
  }
}
