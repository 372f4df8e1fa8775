package io.probelet.probe.latency;

import com.datadoghq.sketch.ddsketch.mapping.CubicallyInterpolatedMapping;
import com.datadoghq.sketch.ddsketch.mapping.IndexMapping;
import com.datadoghq.sketch.ddsketch.store.Bin;
import com.datadoghq.sketch.ddsketch.store.CollapsingLowestDenseStore;
import com.datadoghq.sketch.ddsketch.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The distribution of a probe's latencies in at most 1 KiB: a DDSketch whose values are exact to 5
 * percent from 1 ms to 65 s. Shorter latencies count as 1 ms, longer ones as the longest. Sketches
 * of several pods merge without a further error. Not thread-safe.
 */
public final class LatencySketch {
  /** By how much of its size a latency may differ from the real one. */
  public static final double RELATIVE_ERROR = 0.05;

  /** Most bins of a sketch. */
  public static final int MAX_BINS = 112;

  /** What a full sketch takes, in bytes: eight for each bin, and the headers of its objects. */
  public static final int MAX_BYTES = 1024;

  /** More than any agent counts; keeps sums exact. */
  private static final double MAX_COUNT = 1e12;

  /** What is left of an outcome after seven times is nothing. */
  private static final double LEAST_COUNT = 0.01;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final IndexMapping MAPPING = new CubicallyInterpolatedMapping(RELATIVE_ERROR);
  private static final int LOWEST = MAPPING.index(1);
  private static final int HIGHEST = LOWEST + MAX_BINS - 1;

  private Store store = newStore();

  /** Creates an empty sketch. */
  public LatencySketch() {}

  /**
   * Latencies that count as equal.
   *
   * @param latencyMs their middle, in milliseconds
   * @param count how many there are; a fraction after {@link #halve}
   */
  public record Latencies(double latencyMs, double count) {}

  /**
   * Makes a sketch again of its bins.
   *
   * @param bins what {@link #bins} returned, in any order
   * @return the sketch
   * @throws IllegalArgumentException if there are too many, or a number is out of range
   */
  public static LatencySketch of(List<Latencies> bins) {
    if (bins.size() > MAX_BINS) {
      throw new IllegalArgumentException(
          "a sketch has at most " + MAX_BINS + " bins, found " + bins.size());
    }
    LatencySketch sketch = new LatencySketch();
    for (Latencies each : bins) {
      if (!(each.latencyMs() >= 0 && each.latencyMs() <= Integer.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "latencyMs must be from 0 to " + Integer.MAX_VALUE + ", found " + each.latencyMs());
      }
      if (!(each.count() >= 0 && each.count() <= MAX_COUNT)) {
        throw new IllegalArgumentException(
            "count must be from 0 to " + MAX_COUNT + ", found " + each.count());
      }
      if (each.count() > 0) {
        sketch.store.add(index(each.latencyMs()), each.count());
      }
    }
    return sketch;
  }

  /**
   * Counts a latency.
   *
   * @param nanos its length in nanoseconds
   */
  public void add(long nanos) {
    store.add(index(nanos / NANOS_PER_MILLI));
  }

  /**
   * Adds what another sketch has counted.
   *
   * @param other stays as it is
   */
  public void merge(LatencySketch other) {
    store.mergeWith(other.store);
  }

  /** Lets each latency count half, so that new ones count more than old ones. */
  public void halve() {
    Store halves = newStore();
    for (Iterator<Bin> bins = store.getAscendingIterator(); bins.hasNext(); ) {
      Bin bin = bins.next();
      if (bin.getCount() / 2 >= LEAST_COUNT) {
        halves.add(bin.getIndex(), bin.getCount() / 2);
      }
    }
    store = halves;
  }

  /** {@return a sketch of its own that has counted the same} */
  public LatencySketch copy() {
    LatencySketch copy = new LatencySketch();
    copy.merge(this);
    return copy;
  }

  /** {@return how many latencies there are; old ones count less} */
  public double count() {
    return store.getTotalCount();
  }

  /**
   * {@return how many latencies may be longer, which includes those that the error makes uncertain}
   *
   * @param limit to compare with
   */
  public double countAbove(Duration limit) {
    double above = 0;
    for (Iterator<Bin> bins = store.getDescendingIterator(); bins.hasNext(); ) {
      Bin bin = bins.next();
      if (MAPPING.upperBound(bin.getIndex()) <= millis(limit)) {
        break;
      }
      above += bin.getCount();
    }
    return above;
  }

  /**
   * {@return a latency that at most so many are longer than; zero for an empty sketch}
   *
   * @param exceptions how many may be longer, zero or more
   */
  public Duration upperBound(double exceptions) {
    double above = 0;
    for (Iterator<Bin> bins = store.getDescendingIterator(); bins.hasNext(); ) {
      Bin bin = bins.next();
      above += bin.getCount();
      if (above > exceptions) {
        return Duration.ofNanos(Math.round(MAPPING.upperBound(bin.getIndex()) * NANOS_PER_MILLI));
      }
    }
    return Duration.ZERO;
  }

  /**
   * {@return the latency that this share of latencies does not exceed; zero for an empty sketch}
   *
   * @param share from 0 to 1, such as 0.5 for the median
   */
  public Duration quantile(double share) {
    return upperBound(Math.max(0, count() * (1 - share)));
  }

  /** {@return the bins that are not empty, shortest latencies first} */
  public List<Latencies> bins() {
    List<Latencies> all = new ArrayList<>();
    store.forEach((index, count) -> {
      if (count > 0) {
        all.add(new Latencies(MAPPING.value(index), count));
      }
    });
    return all;
  }

  private static int index(double millis) {
    return millis <= 1 ? LOWEST : Math.min(HIGHEST, MAPPING.index(millis));
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / NANOS_PER_MILLI;
  }

  private static Store newStore() {
    return new CollapsingLowestDenseStore(MAX_BINS);
  }

  @Override
  public String toString() {
    return "%.0f latencies, the longest %d ms"
        .formatted(count(), TimeUnit.NANOSECONDS.toMillis(upperBound(0).toNanos()));
  }
}
