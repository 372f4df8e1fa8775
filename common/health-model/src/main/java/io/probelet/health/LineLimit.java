package io.probelet.health;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Limits the log lines of one cause: a burst, then one per interval. Omitted lines are counted, so
 * that the next line can report them. Not thread-safe.
 */
public final class LineLimit {
  private final TokenBucket lines;
  private long leftOut;

  /**
   * Creates an unused limit.
   *
   * @param burst lines at once, at least 1
   * @param refill after which there is one more, longer than zero
   * @param nanos the monotonic clock
   */
  public LineLimit(int burst, Duration refill, long nanos) {
    lines = new TokenBucket(burst, refill, nanos);
  }

  /**
   * Returns whether a line may be logged; the caller must then log it.
   *
   * @param nanos the monotonic clock, not before that of an earlier call
   * @return the number of lines omitted since the last one; empty if this line must be omitted
   */
  public OptionalLong allow(long nanos) {
    if (lines.available(nanos) == 0) {
      leftOut++;
      return OptionalLong.empty();
    }
    lines.take();
    long before = leftOut;
    leftOut = 0;
    return OptionalLong.of(before);
  }
}
