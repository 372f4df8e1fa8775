package io.probelet.probe.engine;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.latency.ProbeStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one worker.
 *
 * @param kind what it decides
 * @param spec the effective spec
 * @param result what is published
 * @param lastOutcome how the last counted probe ended, null before the first
 * @param consecutive consecutive equal outcomes; 0 after a decision
 * @param lastProbe wall time of the last probe's end, null before the first
 * @param lastLatency how long the last probe took, zero before the first
 * @param message what the last probe said, possibly empty
 * @param obstacle what keeps it from probing as things are now
 * @param nextProbe wall time of the next probe, null while something that may last for any time
 *     keeps it from probing
 * @param history the last outcomes, oldest first, at most 60 and as many as were asked for
 * @param past the last 24 hours; null if that was not asked for
 * @param recoversAt wall time when it is ready at the earliest, if no probe fails until then; null
 *     unless it waits for its {@code recoveryTime}
 * @param statistics what it has seen for days; null if that was not asked for, or there is nothing
 */
public record ProbeSnapshot(
    ProbeKind kind,
    ProbeSpec spec,
    ProbeResult result,
    @Nullable ProbeResult lastOutcome,
    int consecutive,
    @Nullable Instant lastProbe,
    Duration lastLatency,
    String message,
    Obstacle obstacle,
    @Nullable Instant nextProbe,
    List<Entry> history,
    @Nullable ProbePast past,
    @Nullable Instant recoversAt,
    @Nullable ProbeStatistics statistics) {
  /** Past outcomes of a probe that are kept. */
  public static final int MAX_HISTORY = ProbeHistory.CAPACITY;

  /** Keeps an unmodifiable copy of the history. */
  public ProbeSnapshot {
    history = List.copyOf(history);
  }

  /**
   * A past outcome.
   *
   * @param at wall time of its end
   * @param outcome how it ended
   * @param latency time the probe took, retries included
   * @param message the target's output or the problem, truncated to 256 characters
   * @param phases phases of the last attempt; null if unknown, as for commands
   */
  public record Entry(
      Instant at,
      Outcome outcome,
      Duration latency,
      String message,
      @Nullable ProbePhases phases) {}

  /** {@return the handler's field name, such as httpGet} */
  public String handler() {
    return spec.handler().fieldName();
  }

  /** {@return how many outcomes like the last one decide; before the first, how many failures} */
  public int threshold() {
    return spec.threshold(lastOutcome);
  }

  /** {@return the time between two probes as it is now: one that fails may be probed more often} */
  public Duration period() {
    return spec.period(lastOutcome);
  }

  /** What keeps a worker from probing. */
  public enum Obstacle {
    /** Nothing does. */
    NONE,
    /** The pod has not been seen, or no instance of the container has been created. */
    NO_INSTANCE,
    /** It has decided of this instance; it probes the next one. */
    DECIDED,
    /** The container does not run. */
    NOT_RUNNING,
    /** The pod is being deleted or is over. */
    POD_ENDING,
    /** The container has not run for as long as {@code initialDelay} asks for. */
    INITIAL_DELAY,
    /** The startup probe has not succeeded yet. */
    NOT_STARTED,
    /** The container has started, so that there is nothing left for a startup probe. */
    STARTED;

    /** {@return the word used in JSON: none, no-instance, decided, …} */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
  }

  /** How a probe ended, thresholds apart. */
  public enum Outcome {
    /** The target was found healthy. */
    SUCCESSFUL,
    /** Healthy, with something a user should check. */
    WARNING,
    /** The target was found unhealthy. */
    FAILED,
    /** The probe could not run and was discarded. */
    ERROR;

    static Outcome of(Verdict verdict) {
      return switch (verdict) {
        case Verdict.Success ignored -> SUCCESSFUL;
        case Verdict.Warning ignored -> WARNING;
        case Verdict.Failure ignored -> FAILED;
        case Verdict.ProberError ignored -> ERROR;
      };
    }
  }
}
