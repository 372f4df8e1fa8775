package io.probelet.probe.engine;

import io.probelet.probe.engine.MinuteBuckets.Sum;
import io.probelet.probe.engine.ProbePast.Interval;
import io.probelet.probe.engine.ProbePast.Uptime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last 24 hours of one worker in buckets of a minute, or of a few where a node has many
 * workers. An outcome costs the update of two counters; memory is allocated only when a bucket
 * ends, within the {@link HistoryBudget}. Minutes are those of the monotonic clock, so a step of
 * the wall clock moves nothing. Lives on one loop.
 */
final class MinuteHistory {
  static final int MINUTES = 24 * 60;
  private static final int HOUR = 60;

  /** This object and its ring, the latencies of the open bucket, and the headers of arrays. */
  private static final int FIXED_BYTES = 256;

  private static final int FULL_COUNT = 255;
  private static final byte[] NOTHING = new byte[0];

  private final HistoryBudget budget;
  private final BucketRing ring;

  /** How often each latency came in the open bucket, as unsigned bytes; empty before the first. */
  private byte[] latencies = NOTHING;

  private long open;
  private int up;
  private int failed;

  /** When the first outcome came, by the monotonic clock. */
  private long begun;

  private boolean refused;
  private boolean closed;

  MinuteHistory(HistoryBudget budget) {
    this.budget = budget;
    this.ring = new BucketRing(budget);
  }

  /**
   * {@return the bytes of a history}
   *
   * @param buckets of its buckets
   */
  static int bytes(int buckets) {
    return FIXED_BYTES + MinuteBuckets.BYTES * buckets;
  }

  /**
   * Counts an outcome that decides.
   *
   * @param now its end, by the monotonic clock
   * @param success whether it counts as a success
   * @param latencyNanos how long it took
   */
  void add(long now, boolean success, long latencyNanos) {
    boolean ready =
        latencies.length > 0 && budget.minute(now) / ring.width() == open; // nearly always
    if (closed || (!ready && !begin(now))) {
      return;
    }
    if (success) {
      up++;
    } else {
      failed++;
    }
    int code = MinuteBuckets.latencyCode(latencyNanos);
    if ((latencies[code] & FULL_COUNT) == FULL_COUNT) {
      halve();
    }
    latencies[code]++;
  }

  /** Percentiles need shares only. */
  private void halve() {
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = (byte) ((latencies[i] & FULL_COUNT) / 2);
    }
  }

  /** Forgets all and gives the memory back. */
  void close() {
    if (!closed && latencies.length > 0) {
      budget.close(ring.bytes());
    }
    closed = true;
    latencies = NOTHING;
    ring.clear();
    up = 0;
    failed = 0;
  }

  /** {@return whether there is memory to count in} */
  private boolean begin(long now) {
    if (latencies.length > 0) {
      ring.store(open, openBucket());
      Arrays.fill(latencies, (byte) 0);
      up = 0;
      failed = 0;
    } else if (budget.open()) {
      latencies = new byte[MinuteBuckets.LATENCIES];
      begun = now;
      refused = false;
    } else {
      refused = true; // asks again with the next outcome
      return false;
    }
    if (ring.width() < budget.width()) {
      ring.widen(budget.width());
    }
    open = budget.minute(now) / ring.width();
    return true;
  }

  private Sum openBucket() {
    Sum sum = new Sum();
    sum.add(
        MinuteBuckets.countCode(up),
        MinuteBuckets.countCode(failed),
        MinuteBuckets.percentile(latencies, 50),
        MinuteBuckets.percentile(latencies, 99));
    return sum;
  }

  /**
   * Reads the last 24 hours.
   *
   * @param now by the monotonic clock
   * @param wall the same by the wall clock
   * @param intervals how many are wanted at most, at least two; 0 for none
   */
  ProbePast past(long now, Instant wall, int intervals) {
    return new Reader(now, wall).read(intervals);
  }

  /** Reads once. The open bucket is the last. */
  private final class Reader {
    private final long now;
    private final Instant wall;
    private final int width = ring.width();

    Reader(long now, Instant wall) {
      this.now = now;
      this.wall = wall;
    }

    ProbePast read(int intervals) {
      Duration resolution = Duration.ofMinutes(width);
      int first = 0;
      while (first <= ring.size() && !within(first, MINUTES)) {
        first++;
      }
      if (latencies.length == 0 || first > ring.size()) {
        return new ProbePast(null, resolution, refused, null, null, List.of(), resolution);
      }
      long oldest = number(first) * width;
      long parts = Math.max(1, intervals - 1); // they begin at multiples of the step
      long step = width * Math.max(1, Math.ceilDiv(budget.minute(now) - oldest + 1, width * parts));
      return new ProbePast(
          wall.minusNanos(Math.min(now - budget.nanos(oldest), now - begun)),
          resolution,
          isShortened(oldest),
          uptime(HOUR),
          uptime(MINUTES),
          intervals == 0 ? List.of() : intervals(first, step),
          intervals == 0 ? resolution : Duration.ofMinutes(step));
    }

    /** Buckets that were dropped for want of memory matter for a day only. */
    private boolean isShortened(long oldest) {
      long wanted = Math.max(budget.minute(begun), budget.minute(now) - MINUTES);
      return ring.shortened() && oldest - width > wanted;
    }

    private long number(int place) {
      return place < ring.size() ? ring.number(place) : open;
    }

    private boolean within(int place, int lately) {
      return number(place) * width > budget.minute(now) - lately;
    }

    private Sum bucket(int place) {
      if (place == ring.size()) {
        return openBucket();
      }
      Sum sum = new Sum();
      ring.addTo(sum, place);
      return sum;
    }

    private List<Interval> intervals(int first, long step) {
      List<Interval> parts = new ArrayList<>();
      for (int place = first; place <= ring.size(); ) {
        long part = number(place) * width / step;
        Sum sum = bucket(place++);
        for (; place <= ring.size() && number(place) * width / step == part; place++) {
          sum.add(bucket(place));
        }
        if (sum.all() > 0) {
          parts.add(
              new Interval(
                  wall.minusNanos(now - budget.nanos(part * step)),
                  sum.up,
                  sum.failed,
                  Duration.ofNanos(MinuteBuckets.latencyNanos(sum.p50())),
                  Duration.ofNanos(MinuteBuckets.latencyNanos(sum.p99()))));
        }
      }
      return parts;
    }

    private @Nullable Uptime uptime(int lately) {
      Sum all = new Sum();
      int counted = 0;
      double shares = 0;
      for (int place = ring.size(); place >= 0 && within(place, lately); place--) {
        Sum sum = bucket(place);
        if (sum.all() > 0) {
          all.add(sum);
          counted++;
          shares += (double) sum.up / sum.all();
        }
      }
      return counted == 0 ? null : new Uptime(100 * shares / counted, all.up, all.failed);
    }
  }
}
