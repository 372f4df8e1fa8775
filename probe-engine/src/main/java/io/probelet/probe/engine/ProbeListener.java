package io.probelet.probe.engine;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Notified of what the engine observes and decides. Calls come on the loop of the pod, so they must
 * not block; calls about one pod come in order.
 */
public interface ProbeListener {
  /**
   * A probe ended, including its retries.
   *
   * @param probe the outcome and the state of the worker
   */
  default void probed(Probed probe) {}

  /**
   * A due probe is discarded, because its pod or the node is over its limit.
   *
   * @param discarded which, and why
   */
  default void discarded(Discarded discarded) {}

  /**
   * A result was published: for a new container its initial one, later each change.
   *
   * @param published the result
   */
  default void published(Published published) {}

  /**
   * A running container must be stopped (D-1).
   *
   * @param decision which and why
   */
  default void restartDecided(RestartDecision decision) {}

  /**
   * A container that must be stopped could not be; it is tried again.
   *
   * @param decision which and why
   * @param why what went wrong
   * @param retryAfter when the next attempt comes
   */
  default void stopFailed(RestartDecision decision, String why, Duration retryAfter) {}

  /**
   * A container's started, ready, id or state changed.
   *
   * @param before the previous status, null if there is none
   * @param now the new status
   */
  default void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {}

  /**
   * A worker ended; its series can be dropped (W-7).
   *
   * @param subject whose
   */
  default void workerEnded(ProbeSubject subject) {}

  /**
   * A pod is no longer probed; the last call about it.
   *
   * @param pod which one
   */
  default void podRemoved(PodRef pod) {}

  /**
   * One finished probe.
   *
   * @param subject whose
   * @param containerId the container that was probed
   * @param outcome the last attempt's outcome
   * @param consecutive how many equal outcomes in a row there have been, this one included; 0 for a
   *     prober error
   * @param threshold how many decide
   * @param duration from the first attempt's start to the last one's end
   * @param lag how much later than planned the probe began
   */
  record Probed(
      ProbeSubject subject,
      String containerId,
      ProbeOutcome outcome,
      int consecutive,
      int threshold,
      Duration duration,
      Duration lag) {}

  /**
   * A discarded probe.
   *
   * @param subject whose
   * @param reason {@link Verdict.Reason#POD_BUDGET} or {@link Verdict.Reason#NODE_BUDGET}
   * @param message names the limit, always in the same words
   * @param first whether it is the pod's first in ten minutes; the others are only counted
   */
  record Discarded(ProbeSubject subject, Verdict.Reason reason, String message, boolean first) {}

  /**
   * One published result.
   *
   * @param subject whose
   * @param containerId the container it is about
   * @param result what was decided
   * @param message text of the probe that decided, empty for an initial result
   * @param initial whether it is the result a new container begins with
   */
  record Published(
      ProbeSubject subject,
      String containerId,
      ProbeResult result,
      String message,
      boolean initial) {}
}
