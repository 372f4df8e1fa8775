package io.probelet.manifest.probe;

import java.time.Duration;

/** Whole seconds of a manifest as durations. */
public final class Seconds {
  /** The longest duration whose nanoseconds fit a long, some 292 years. */
  private static final long MAX_SECONDS = Duration.ofNanos(Long.MAX_VALUE).toSeconds();

  private Seconds() {}

  /**
   * {@return the duration, cut to what can be counted in nanoseconds; the API server sets no limit}
   *
   * @param seconds zero or more
   */
  public static Duration of(long seconds) {
    return Duration.ofSeconds(Math.min(seconds, MAX_SECONDS));
  }
}
