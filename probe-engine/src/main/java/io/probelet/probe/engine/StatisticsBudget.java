package io.probelet.probe.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that the {@link StatisticsRecorder} of all probes of one loop may take. A probe that
 * gets none is counted; it asks again with each outcome. A pod's author chooses how many probes the
 * pod has, so a pod gets much only while there is plenty. Taken on one loop, read on any thread.
 */
final class StatisticsBudget {
  /**
   * What all probes of a node may take together, in bytes: 1,200 probes with both sketches, or
   * 2,000 that never fail. 250 pods with three probes each take 1.1 MiB while none fails.
   */
  static final long NODE_BYTES = 3L << 20;

  /** What a pod gets as long as anything is left: eight probes that never fail. */
  static final int POD_BYTES = 12 << 10;

  /** What a pod gets at most, and only while half of the memory is free: 42 such probes. */
  static final int MAX_POD_BYTES = 64 << 10;

  private final long limit;
  private final AtomicLong used = new AtomicLong();
  private final AtomicInteger without = new AtomicInteger();

  StatisticsBudget(long limit) {
    this.limit = limit;
  }

  /** The share of one pod. Lives on the pod's loop. */
  final class PodShare {
    private int taken;

    /** {@return whether the pod may have so many bytes more; they are taken then} */
    boolean take(int bytes) {
      boolean small = taken + bytes <= POD_BYTES && used.get() + bytes <= limit;
      boolean large = taken + bytes <= MAX_POD_BYTES && used.get() + bytes <= limit / 2;
      if (!small && !large) {
        return false;
      }
      taken += bytes;
      used.addAndGet(bytes);
      return true;
    }

    void give(int bytes) {
      taken -= bytes;
      used.addAndGet(-bytes);
    }

    /** Counts one probe more, or one less, that has no statistics because of the limit. */
    void without(int more) {
      without.addAndGet(more);
    }
  }

  /** {@return the share of a pod that has taken nothing yet} */
  PodShare ofPod() {
    return new PodShare();
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
