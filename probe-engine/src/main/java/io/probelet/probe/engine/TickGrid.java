package io.probelet.probe.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** When a worker ticks: pure functions over the monotonic clock, in nanoseconds. */
final class TickGrid {
  /**
   * After agent start, first ticks are spread over this many moments of a period, the same for all
   * workers: those that meet share a wake-up of the loop, which is most of what a quiet node costs
   * ({@code benchmarks/run idle}).
   */
  static final int MOMENTS = 50;

  /** Workers with a shorter period meet often enough, and together they would come in bursts. */
  static final Duration LONG_PERIOD = Duration.ofSeconds(5);

  /** Workers with a period that no manifest of Kubernetes can have. */
  private static final Duration SHORT_PERIOD = Duration.ofSeconds(1);

  /**
   * How long after an agent's start those are spread: its first pods are there after more than such
   * a period, and would all be probed together for good.
   */
  private static final Duration SPREAD_FOR = Duration.ofSeconds(10);

  private TickGrid() {}

  /**
   * {@return when the first tick is due} At once, or at a random part of a period while the agent
   * is younger than one, or than 10 s if it is a short one: all its pods come at the same time then
   * (W-1).
   */
  static long first(long now, long agentStart, Duration period, RandomGenerator random) {
    long nanos = period.toNanos();
    Duration young = period.compareTo(SHORT_PERIOD) < 0 ? SPREAD_FOR : period;
    if (now - agentStart >= young.toNanos()) {
      return now;
    }
    if (period.compareTo(LONG_PERIOD) < 0) {
      return now + random.nextLong(nanos);
    }
    long distance = nanos / MOMENTS;
    long nextMoment = now + Math.floorMod(-now, distance);
    return nextMoment + random.nextInt(MOMENTS) * distance;
  }

  /**
   * {@return which tick is the first at a time or after it}
   *
   * @param tick when the next one is due
   * @param earliest the time
   */
  static long from(long tick, Duration interval, long earliest) {
    long behind = earliest - tick;
    long nanos = interval.toNanos();
    return behind <= 0 ? tick : tick + (behind + nanos - 1) / nanos * nanos;
  }

  /**
   * {@return when the tick after another is due} Ticks come every interval, whatever the probe
   * takes; those that are past already are dropped (W-2).
   *
   * @param last when the one before was due
   */
  static long next(long last, Duration interval, long now) {
    long nanos = interval.toNanos();
    long next = last + nanos;
    long behind = now - next;
    return behind < 0 ? next : next + (behind / nanos + 1) * nanos;
  }
}
