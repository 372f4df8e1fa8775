package io.probelet.probe.latency;

import java.time.Instant;

/**
 * Equal outcomes in a row. A probe's newest runs are its stored outcomes, on which other settings
 * are tried.
 *
 * @param result how all of them ended
 * @param newInstance whether another instance of the container was probed than before
 * @param first when the first of them ended
 * @param last when the last of them ended
 * @param count how many there are, at least 1
 */
public record OutcomeRun(
    Result result, boolean newInstance, Instant first, Instant last, int count) {
  /** Rejects a run that cannot be. */
  public OutcomeRun {
    if (count < 1) {
      throw new IllegalArgumentException("count must be at least 1, found " + count);
    }
    if (last.isBefore(first)) {
      throw new IllegalArgumentException("last must not be before first: " + last);
    }
  }

  /** How a probe that decides ended. */
  public enum Result {
    /** The target was found healthy. */
    SUCCESS,
    /** It did not answer in time. */
    TIMEOUT,
    /** It answered that it is unhealthy, refused the connection, or failed otherwise. */
    FAILURE;

    /** {@return the word used in JSON: success, timeout or failure} */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }
}
