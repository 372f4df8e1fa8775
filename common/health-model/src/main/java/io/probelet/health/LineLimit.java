package io.probelet.health;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Bounds how many log lines one cause has: some at once, then one more each so often. What is left
 * out is counted, for the next line to say. Not safe for use by several threads.
 */
public final class LineLimit {
  private final TokenBucket lines;
  private long leftOut;

  /**
   * Creates a limit of which nothing is used up.
   *
   * @param burst lines at once, at least 1
   * @param refill after which there is one more, longer than zero
   * @param nanos the monotonic clock
   */
  public LineLimit(int burst, Duration refill, long nanos) {
    lines = new TokenBucket(burst, refill, nanos);
  }

  /**
   * Asks whether a line may be logged, which is to be done then.
   *
   * @param nanos the monotonic clock, not before that of an earlier call
   * @return how many lines were left out since the last one; empty if this one is
   */
  public OptionalLong allow(long nanos) {
    if (lines.atHand(nanos) == 0) {
      leftOut++;
      return OptionalLong.empty();
    }
    lines.take();
    long before = leftOut;
    leftOut = 0;
    return OptionalLong.of(before);
  }
}
