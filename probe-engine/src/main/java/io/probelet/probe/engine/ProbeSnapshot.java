package io.probelet.probe.engine;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where one worker stands.
 *
 * @param kind what it decides
 * @param handler the handler's field name, such as httpGet
 * @param result what is published
 * @param lastOutcome how the last counted probe ended, null before the first
 * @param consecutive how many times in a row that outcome came; 0 after a decision that holds
 * @param lastProbe wall time of the last probe's end, null before the first
 * @param lastLatency how long the last probe took, zero before the first
 * @param message what the last probe said, possibly empty
 * @param history the last outcomes, oldest first, at most 60 and as many as were asked for
 */
public record ProbeSnapshot(
    ProbeKind kind,
    String handler,
    ProbeResult result,
    @Nullable ProbeResult lastOutcome,
    int consecutive,
    @Nullable Instant lastProbe,
    Duration lastLatency,
    String message,
    List<Entry> history) {
  /** Keeps an unmodifiable copy of the history. */
  public ProbeSnapshot {
    history = List.copyOf(history);
  }

  /**
   * One outcome of the past.
   *
   * @param at wall time of its end
   * @param outcome how it ended
   * @param latency time the probe took, retries included
   * @param message what the target said or what went wrong, cut to 256 characters
   */
  public record Entry(Instant at, Outcome outcome, Duration latency, String message) {}

  /** How a probe ended, thresholds apart. */
  public enum Outcome {
    /** The target was found healthy. */
    SUCCESSFUL,
    /** Healthy, with something a user should check. */
    WARNING,
    /** The target was found unhealthy. */
    FAILED,
    /** The probe could not be carried out and was thrown away. */
    ERROR;

    static Outcome of(Verdict verdict) {
      return switch (verdict) {
        case Verdict.Success _ -> SUCCESSFUL;
        case Verdict.Warning _ -> WARNING;
        case Verdict.Failure _ -> FAILED;
        case Verdict.ProberError _ -> ERROR;
      };
    }
  }
}
