package io.probelet.agent.cluster.publish;

import io.probelet.health.TokenBucket;
import java.time.Duration;

/** Writes that are at hand. A fifth of them is kept for what is urgent. */
final class WriteBudget {
  private static final int SHARE_KEPT_FOR_URGENT = 5;

  private final TokenBucket bucket;
  private final int keptForUrgent;

  WriteBudget(int burst, Duration refill, long nanos) {
    bucket = new TokenBucket(burst, refill, nanos);
    keptForUrgent = burst / SHARE_KEPT_FOR_URGENT;
  }

  boolean allows(boolean urgent, long nanos) {
    return bucket.atHand(nanos) > (urgent ? 0 : keptForUrgent);
  }

  void spend() {
    bucket.take();
  }
}
