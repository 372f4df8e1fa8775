package io.probelet.health;

import java.time.Duration;

/**
 * A token bucket: a burst, and one more token per interval.
 *
 * <pre>
 *   burst ─┐ take take take                ┌── burst
 *          └──┐           ┌──┐   ┌─────────┘
 *             └───────────┘  └───┘   one more each refill
 * </pre>
 *
 * Times are nanoseconds of the monotonic clock. Not thread-safe.
 */
public final class TokenBucket {
  private final int burst;
  private final long refillNanos;
  private long available;
  private long refilledAt;

  /**
   * Creates a full bucket.
   *
   * @param burst the most tokens, at least 1
   * @param refill after which there is one more, longer than zero
   * @param nanos the present time
   */
  public TokenBucket(int burst, Duration refill, long nanos) {
    if (burst < 1 || !refill.isPositive()) {
      throw new IllegalArgumentException(
          "a bucket holds at least 1 token and gains one more in a time above 0, not "
              + burst
              + " and "
              + refill);
    }
    this.burst = burst;
    this.refillNanos = refill.toNanos();
    this.available = burst;
    this.refilledAt = nanos;
  }

  /*** Counts the tokens.
   *
   * @param nanos the present time, not before that of an earlier call
   * @return the number of tokens, 0 to the burst
   */
  public long available(long nanos) {
    long more = (nanos - refilledAt) / refillNanos;
    available = Math.min(burst, available + more);
    refilledAt += more * refillNanos;
    return available;
  }

  /** Takes a token, if there is one. */
  public void take() {
    available = Math.max(0, available - 1);
  }
}
