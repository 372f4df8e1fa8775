package io.probelet.probe.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the {@link StatisticsRecorder} of all probes of one loop may take. A probe that
 * gets none is counted; it asks again with each outcome. Taken on one loop, read on any thread.
 */
final class StatisticsBudget {
  /**
   * What all probes of a node may take together, in bytes: 1,200 probes with both sketches, or
   * 2,000 that never fail. 250 pods with three probes each take 1.1 MiB while none fails.
   */
  static final long NODE_BYTES = 3L << 20;

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final AtomicInteger without = new AtomicInteger();

  StatisticsBudget(long limit) {
    this.limit = limit;
  }

  /** {@return whether so many bytes were left; they are taken then} */
  boolean take(int bytes) {
    if (used.get() + bytes > limit) {
      return false;
    }
    used.addAndGet(bytes);
    return true;
  }

  void give(int bytes) {
    used.addAndGet(-bytes);
  }

  /** Counts one probe more, or one less, that has no statistics because of the limit. */
  void without(int more) {
    without.addAndGet(more);
  }

  /** {@return bytes that are taken} */
  long used() {
    return used.get();
  }

  /** {@return probes without statistics because of the limit} */
  int without() {
    return without.get();
  }
}
