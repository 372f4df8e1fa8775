package io.probelet.agent.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The numbers of one worker. Only the worker's loop adds to them, so that adding needs no atomic
 * update; a scrape reads them on another thread, each number whole and the set nearly of one
 * moment.
 */
final class WorkerSeries {
  /** The kubelet's buckets, in seconds. */
  private static final double[] BOUNDS = {
    0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, Double.POSITIVE_INFINITY
  };

  private static final long[] BOUND_NANOS = nanos(BOUNDS);
  private static final int FAILED = BOUNDS.length;
  private static final int SUM_NANOS = FAILED + 1;

  private final AtomicLongArray numbers = new AtomicLongArray(SUM_NANOS + 1);

  /** Counts a success and how long it took. */
  void succeeded(long nanos) {
    int bucket = 0;
    while (nanos > BOUND_NANOS[bucket]) {
      bucket++;
    }
    add(bucket, 1);
    add(SUM_NANOS, nanos);
  }

  /** Counts a failure, whose time the kubelet does not observe. */
  void failed() {
    add(FAILED, 1);
  }

  private void add(int index, long more) {
    numbers.setRelease(index, numbers.getPlain(index) + more);
  }

  long failures() {
    return numbers.getAcquire(FAILED);
  }

  /** Adds what this worker observed to a histogram that several may share. */
  void addTo(Durations durations) {
    for (int bucket = 0; bucket < BOUNDS.length; bucket++) {
      durations.counts[bucket] += numbers.getAcquire(bucket);
    }
    durations.sumNanos += numbers.getAcquire(SUM_NANOS);
  }

  /** Durations of successes, added up at a scrape. */
  static final class Durations {
    private final long[] counts = new long[BOUNDS.length];
    private long sumNanos;

    long count() {
      long count = 0;
      for (long each : counts) {
        count += each;
      }
      return count;
    }

    ClassicHistogramBuckets buckets() {
      return ClassicHistogramBuckets.of(BOUNDS, counts);
    }

    double sumSeconds() {
      return sumNanos / (double) TimeUnit.SECONDS.toNanos(1);
    }
  }

  private static long[] nanos(double[] seconds) {
    long[] nanos = new long[seconds.length];
    for (int i = 0; i < seconds.length; i++) {
      nanos[i] = Math.round(seconds[i] * TimeUnit.SECONDS.toNanos(1)); // infinity: the largest long
    }
    return nanos;
  }
}
