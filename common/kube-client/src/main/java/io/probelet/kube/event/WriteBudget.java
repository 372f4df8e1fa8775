package io.probelet.kube.event;

import io.probelet.health.TokenBucket;
import java.time.Duration;

/** A budget of writes. A fifth of it is reserved for urgent writes. Not thread-safe. */
public final class WriteBudget {
  private static final int SHARE_KEPT_FOR_URGENT = 5;

  private final TokenBucket bucket;
  private final int keptForUrgent;

  /**
   * Creates a budget that is full.
   *
   * @param burst the burst of writes, at least 1
   * @param refill after which there is one more, longer than zero
   */
  public WriteBudget(int burst, Duration refill, long nanos) {
    bucket = new TokenBucket(burst, refill, nanos);
    keptForUrgent = burst / SHARE_KEPT_FOR_URGENT;
  }

  /**
   * Returns whether a write is available.
   *
   * @param urgent whether reserved writes may be used
   * @return true if there is one
   */
  public boolean allows(boolean urgent, long nanos) {
    return bucket.available(nanos) > (urgent ? 0 : keptForUrgent);
  }

  /** Takes one write. */
  public void spend() {
    bucket.take();
  }
}
