package io.probelet.kube.event;

import io.probelet.health.TokenBucket;
import java.time.Duration;

/** Writes that are at hand. A fifth of them is kept for what is urgent. For one thread. */
public final class WriteBudget {
  private static final int SHARE_KEPT_FOR_URGENT = 5;

  private final TokenBucket bucket;
  private final int keptForUrgent;

  /**
   * Creates a budget that is full.
   *
   * @param burst writes at hand, at least 1
   * @param refill after which there is one more, longer than zero
   */
  public WriteBudget(int burst, Duration refill, long nanos) {
    bucket = new TokenBucket(burst, refill, nanos);
    keptForUrgent = burst / SHARE_KEPT_FOR_URGENT;
  }

  /**
   * Returns whether there is a write at hand.
   *
   * @param urgent whether it may be one of those that are kept
   * @return true if there is one
   */
  public boolean allows(boolean urgent, long nanos) {
    return bucket.atHand(nanos) > (urgent ? 0 : keptForUrgent);
  }

  /** Takes one write. */
  public void spend() {
    bucket.take();
  }
}
