package io.probelet.web.metrics;

import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long probes were in each phase, over all probes of the node: by pod it would be fifty series
 * for each probe. Counting takes no memory; loops may count at once.
 */
final class PhaseCollector implements Collector {
  private static final MetricMetadata PHASES =
      new MetricMetadata(
          "probelet_probe_phase_duration_seconds",
          "Duration of each phase that probes completed, over all probes of the node.");

  /** Within a node connections take some 100 µs. */
  private static final double[] BOUNDS = {
    0.0001,
    0.00025,
    0.0005,
    0.001,
    0.0025,
    0.005,
    0.01,
    0.025,
    0.05,
    0.1,
    0.25,
    0.5,
    1,
    2.5,
    5,
    10,
    Double.POSITIVE_INFINITY
  };

  private static final long[] BOUND_NANOS =
      Arrays.stream(BOUNDS)
          .mapToLong(seconds -> Math.round(seconds * TimeUnit.SECONDS.toNanos(1)))
          .toArray();

  private static final int SUM_NANOS = BOUNDS.length;

  private final Labels common;
  private final Map<Phase, AtomicLongArray> numbers = new EnumMap<>(Phase.class);

  /** In the order in which they come. */
  private enum Phase {
    RESOLVE,
    CONNECT,
    TLS,
    FIRST_BYTE
  }

  /** Creates a collector of series that all have these labels. */
  PhaseCollector(Labels common) {
    this.common = common;
    for (Phase phase : Phase.values()) {
      numbers.put(phase, new AtomicLongArray(SUM_NANOS + 1));
    }
  }

  /** Counts the phases that an attempt came through. */
  void observe(ProbeTimings timings) {
    long from = timings.begun();
    from = observe(Phase.RESOLVE, from, timings.resolved());
    from = observe(Phase.CONNECT, from, timings.connected());
    from = observe(Phase.TLS, from, timings.secured());
    observe(Phase.FIRST_BYTE, from, timings.firstByte());
  }

  /** Returns when the next phase began. */
  private long observe(Phase phase, long from, long until) {
    if (until == ProbeTimings.NOT_REACHED) {
      return from;
    }
    long nanos = Math.max(0, until - from);
    int bucket = 0;
    while (nanos > BOUND_NANOS[bucket]) {
      bucket++;
    }
    AtomicLongArray own = of(phase);
    own.incrementAndGet(bucket);
    own.addAndGet(SUM_NANOS, nanos);
    return until;
  }

  @Override
  public HistogramSnapshot collect() {
    return new HistogramSnapshot(
        PHASES, Arrays.stream(Phase.values()).map(this::dataPoint).toList());
  }

  private AtomicLongArray of(Phase phase) {
    return Objects.requireNonNull(numbers.get(phase));
  }

  private HistogramDataPointSnapshot dataPoint(Phase phase) {
    AtomicLongArray own = of(phase);
    long[] counts = new long[BOUNDS.length];
    Arrays.setAll(counts, own::get);
    return new HistogramDataPointSnapshot(
        ClassicHistogramBuckets.of(BOUNDS, counts),
        own.get(SUM_NANOS) / (double) TimeUnit.SECONDS.toNanos(1),
        common.merge(Labels.of("phase", phase.name().toLowerCase(Locale.ROOT))),
        Exemplars.EMPTY,
        0);
  }
}
