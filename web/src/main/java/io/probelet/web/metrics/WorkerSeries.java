package io.probelet.web.metrics;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.Verdict;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

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

  /** When a certificate of the target expires, in seconds since 1970; 0 where it showed none. */
  private static final int EXPIRY = SUM_NANOS + 1;

  private static final Last SUCCESSFUL = new Last(1, "");
  private static final Map<Verdict.Cause, Last> FAILURES = new EnumMap<>(Verdict.Cause.class);
  private static final Map<Verdict.Reason, Last> UNKNOWN = new EnumMap<>(Verdict.Reason.class);

  static {
    for (Verdict.Cause cause : Verdict.Cause.values()) {
      FAILURES.put(cause, new Last(0, cause.label()));
    }
    for (Verdict.Reason reason : Verdict.Reason.values()) {
      UNKNOWN.put(reason, new Last(-1, reason.label()));
    }
  }

  private final AtomicLongArray numbers = new AtomicLongArray(EXPIRY + 1);
  private volatile @Nullable Last last;

  /**
   * How the last probe went.
   *
   * @param value 1 successful, 0 failed, -1 not known
   * @param reason why; empty for a success
   */
  record Last(int value, String reason) {}

  /** Counts a success and how long it took. */
  void succeeded(long nanos) {
    int bucket = 0;
    while (nanos > BOUND_NANOS[bucket]) {
      bucket++;
    }
    add(bucket, 1);
    add(SUM_NANOS, nanos);
    became(SUCCESSFUL);
  }

  /** Counts a failure, whose time the kubelet does not observe. */
  void failed(Verdict.Cause cause) {
    add(FAILED, 1);
    became(FAILURES.get(cause));
  }

  /** Records that a probe did not run, so the target's state is unknown. */
  void unknown(Verdict.Reason reason) {
    became(UNKNOWN.get(reason));
  }

  /** Written only if it is another: what was written, the garbage collector has to read. */
  private void became(@Nullable Last now) {
    if (!Objects.equals(last, now)) {
      last = now;
    }
  }

  /** Notes when a certificate expires that the target showed, if it showed one. */
  void presented(long expiry) {
    if (expiry != ProbeOutcome.NO_CERTIFICATE) {
      numbers.setRelease(EXPIRY, expiry);
    }
  }

  /** {@return how the last probe went; empty before the first} */
  Optional<Last> last() {
    return Optional.ofNullable(last);
  }

  /** {@return when a certificate of the target expires, in seconds since 1970} */
  OptionalLong expiry() {
    long expiry = numbers.getAcquire(EXPIRY);
    return expiry == 0 ? OptionalLong.empty() : OptionalLong.of(expiry);
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
