package io.probelet.probe.engine;

import java.util.concurrent.TimeUnit;

/**
 * Lets so many things happen in a second, and as many at once as it has saved up. Unlike the bucket
 * in health-model it fills at another rate each time it is read, in parts of one: a pod's share is
 * smaller the more pods ask.
 */
final class ShareBucket {
  private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

  private final double capacity;
  private double tokens;
  private long filledAt;

  /** Creates a full bucket. */
  ShareBucket(double capacity, long now) {
    this.capacity = capacity;
    tokens = capacity;
    filledAt = now;
  }

  /** {@return what is in it now, having been filled at a rate since it was read last} */
  double fill(double perSecond, long now) {
    long passed = Math.max(0, now - filledAt);
    filledAt = now;
    tokens = Math.min(capacity, tokens + passed / NANOS * perSecond);
    return tokens;
  }

  /** Takes out as much as is there, at most what is wanted. */
  void take(double wanted) {
    tokens = Math.max(0, tokens - wanted);
  }
}
