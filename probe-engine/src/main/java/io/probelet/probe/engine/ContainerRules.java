package io.probelet.probe.engine;

import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.PodObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The rules for started, ready, workers and stops of a container. They are pure functions: time,
 * memory and outcomes are arguments, and nothing is run here.
 */
final class ContainerRules {
  /** A container older than this when the agent started was probed by an earlier life (W-3.4). */
  private static final Duration ADOPTION_AGE = Duration.ofSeconds(10);

  /** A container that starts this far in the future started before the clock was set back. */
  private static final Duration CLOCK_SET_BACK = Duration.ofSeconds(1);

  /**
   * An init container that a runtime has removed after its pod was initialized. As the kubelet
   * does, its end counts as a success: otherwise no regular container would have been started.
   */
  private static final ContainerObservation REMOVED =
      new ContainerObservation("", State.TERMINATED, null, 0, 0, "Completed", false, false);

  private final ProbedPod pod;
  private final ContainerSpec spec;
  private final long agentStart;

  /**
   * Rules for one container.
   *
   * @param agentStart when the agent started, by the monotonic clock in nanoseconds
   */
  ContainerRules(ProbedPod pod, ContainerSpec spec, long agentStart) {
    this.pod = pod;
    this.spec = spec;
    this.agentStart = agentStart;
  }

  /** {@return this container in an observation of the pod} */
  ContainerObservation observationIn(@Nullable PodObservation seen) {
    if (seen == null) {
      return ContainerState.UNSEEN;
    }
    ContainerObservation own = seen.containers().get(spec.name());
    if (own != null) {
      return own;
    }
    return spec.role() == ContainerRole.INIT && isInitialised(seen)
        ? REMOVED
        : ContainerState.UNSEEN;
  }

  /** Whether a regular container has been started, which none is before all init containers. */
  private boolean isInitialised(PodObservation seen) {
    return pod.containers().stream()
        .filter(each -> each.role() == ContainerRole.REGULAR)
        .map(each -> seen.containers().get(each.name()))
        .anyMatch(each -> each != null && !(each.state() == State.WAITING && each.id().isEmpty()));
  }

  /** {@return whether an instance is observed running for the first time, or again} */
  static boolean startsAnew(ContainerState before, ContainerObservation now) {
    return now.running()
        && !(before.observation().running() && before.observation().id().equals(now.id()));
  }

  /**
   * Takes the runtime's observation of the pod.
   *
   * @param seen null if the runtime no longer reports the pod
   * @param now by the monotonic clock, in nanoseconds
   * @param wallTime now, by the clock that containers' start times are of
   * @param remembered whether an earlier life of the agent saw the startup probe of this instance
   *     succeed; asked for only where {@link #startsAnew}
   */
  ContainerState observed(
      ContainerState before,
      @Nullable PodObservation seen,
      long now,
      Instant wallTime,
      boolean remembered) {
    ContainerObservation observation = observationIn(seen);
    Instant startedAt = observation.startedAt();
    if (startedAt == null || !startsAnew(before, observation)) {
      return new ContainerState(
          seen, observation, before.runningSince(), before.adopted(), before.startedId());
    }
    Duration age = Duration.between(startedAt, wallTime);
    long runningSince = now - (age.isNegative() ? 0 : age.toNanos());
    String idBefore = before.observation().id();
    boolean successor = !idBefore.isEmpty() && !idBefore.equals(observation.id());
    return new ContainerState(
        seen,
        observation,
        runningSince,
        remembered || (!successor && startedBeforeAgent(age, runningSince, now)),
        remembered ? observation.id() : before.startedId());
  }

  /** Ages are compared, not wall times: the clock may have been set back meanwhile (W-3.4). */
  private boolean startedBeforeAgent(Duration age, long runningSince, long now) {
    if (age.compareTo(CLOCK_SET_BACK.negated()) < 0) {
      return now - agentStart < ADOPTION_AGE.toNanos();
    }
    return agentStart - runningSince > ADOPTION_AGE.toNanos();
  }

  /**
   * {@return whether ended workers must start again} They may have ended because the pod was
   * reported finished by mistake (W-3.2).
   */
  static boolean wantsWorkers(ContainerState state) {
    PodObservation seen = state.pod();
    return seen != null
        && state.observation().running()
        && !seen.deleting()
        && !seen.phase().terminal();
  }

  /** {@return how the container is} */
  ContainerStatus status(ContainerState state, ProbeStatus probes) {
    return new ContainerStatus(
        pod.ref(),
        spec.name(),
        spec.role(),
        state.observation(),
        started(state, probes),
        ready(state, probes));
  }

  /** Started is what runs and whose startup probe has succeeded, if there is one (W-8). */
  static boolean started(ContainerState state, ProbeStatus probes) {
    if (!state.observation().running()) {
      return false;
    }
    if (probes.startup() != null) {
      return probes.startup() == ProbeResult.SUCCESS;
    }
    return !probes.startupWorker() || hasStarted(state);
  }

  /** Whether a startup probe succeeded: Probelet's, now or earlier, or the kubelet's. */
  private static boolean hasStarted(ContainerState state) {
    return state.startedId().equals(state.observation().id())
        || (state.adopted() && state.observation().startedBefore());
  }

  /** A worker that ended, with its pod or for another reason, makes nothing ready (W-9). */
  private boolean ready(ContainerState state, ProbeStatus probes) {
    if (spec.role() == ContainerRole.INIT) { // as the API has it
      ContainerObservation seen = state.observation();
      return seen.state() == State.TERMINATED && seen.exitCode() == 0;
    }
    boolean notStarted = probes.startup() != null && probes.startup() != ProbeResult.SUCCESS;
    if (!state.observation().running() || notStarted) {
      return false;
    }
    if (!spec.probes().containsKey(ProbeKind.READINESS)) {
      return !spec.probes().containsKey(ProbeKind.STARTUP)
          || hasStarted(state)
          || readyBefore(state);
    }
    if (probes.readiness() != null) {
      return probes.readiness() == ProbeResult.SUCCESS;
    }
    return probes.readinessWorker() && readyBefore(state);
  }

  /** Ready in an earlier life of the agent, and nothing has been decided in this one. */
  private static boolean readyBefore(ContainerState state) {
    return state.adopted()
        && state.observation().readyBefore()
        && state.pod() != null
        && state.pod().ready();
  }

  /**
   * {@return whether a change of the container triggers a readiness probe} The kubelet probes a
   * container that has just started; an adopted container is spread over the period with the others
   * (W-1).
   *
   * @param before how it was said to be last, null when nothing was said yet
   */
  static boolean probesStartedAtOnce(
      ContainerState state, @Nullable ContainerStatus before, ContainerStatus now) {
    boolean startedAlready =
        before != null
            && before.started()
            && before.observation().id().equals(now.observation().id());
    return now.started() && !startedAlready && !now.ready() && !state.adopted();
  }

  /**
   * {@return whether a change of the pod triggers a readiness probe} A container that is not ready
   * may have become ready; a container that was never probed keeps its schedule (W-9, W-1).
   *
   * @param now how it was said to be last, null when nothing was said yet
   * @param probedBefore whether its readiness worker has ticked
   */
  static boolean probesChangedAtOnce(@Nullable ContainerStatus now, boolean probedBefore) {
    return now != null && now.started() && !now.ready() && probedBefore;
  }

  /** {@return whether another instance follows one that a probe has stopped (D-2)} */
  boolean restarts() {
    return spec.sidecar() || mayRestart();
  }

  private boolean mayRestart() {
    return spec.restartPolicy(pod.restartPolicy()) != RestartPolicy.NEVER;
  }

  /**
   * Decides the effect of a published failure: a failed startup or liveness probe stops a running
   * container; readiness stops nothing (D-1, D-4).
   *
   * @param subject the probe that failed
   * @param target the current instance
   * @param failedId the instance that failed, which may have ended since the probe started
   * @param message the probe's output
   * @return the container to stop and its grace period; empty for none
   */
  Optional<RestartDecision> failed(
      ContainerState state,
      ProbeSubject subject,
      ProbeSpec probe,
      ProbeTarget target,
      String failedId,
      String message) {
    boolean runs = state.observation().running() && state.observation().id().equals(failedId);
    if (!runs || !subject.kind().restartsContainer()) {
      return Optional.empty();
    }
    Duration own = probe.terminationGracePeriod();
    boolean willRestart = !spec.sidecar() && mayRestart();
    return Optional.of(
        new RestartDecision(
            subject,
            target,
            own != null ? own : pod.terminationGracePeriod(),
            ProbeEvent.killing(subject.kind(), spec, willRestart),
            message,
            probe.throttleHold()));
  }

  /**
   * What is remembered of a container between two observations.
   *
   * @param pod what was last seen of its pod, null while nothing is
   * @param observation what was last seen of the container itself
   * @param runningSince when the instance began to run, by the monotonic clock in nanoseconds
   * @param adopted whether an earlier life of the agent has probed the instance
   * @param startedId the instance whose startup probe has succeeded, in this life of the agent or
   *     before; empty for none
   */
  record ContainerState(
      @Nullable PodObservation pod,
      ContainerObservation observation,
      long runningSince,
      boolean adopted,
      String startedId) {
    /** The state of a container that has not been observed yet. */
    static final ContainerObservation UNSEEN = ContainerObservation.waiting("", 0, "");

    static final ContainerState NEW = new ContainerState(null, UNSEEN, 0, false, "");

    /**
     * {@return how long the instance has been running, by the monotonic clock; zero if it does not}
     */
    Duration runFor(long now) {
      return observation.running() ? Duration.ofNanos(now - runningSince) : Duration.ZERO;
    }

    /** {@return the same, its startup probe having succeeded on an instance} */
    ContainerState startupSucceeded(String containerId) {
      return new ContainerState(pod, observation, runningSince, adopted, containerId);
    }
  }

  /**
   * What a container's probes say of its instance.
   *
   * @param startupWorker whether its startup is being probed; a worker that has ended does not
   *     count
   * @param startup the published result of the startup probe, null while there is none
   * @param readinessWorker whether its readiness is being probed
   * @param readiness the published result of the readiness probe, null while there is none
   */
  record ProbeStatus(
      boolean startupWorker,
      @Nullable ProbeResult startup,
      boolean readinessWorker,
      @Nullable ProbeResult readiness) {}
}
