package io.probelet.probe.engine;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Spreads the first ticks of workers after an agent's start, which all come at the same time then
 * (W-1). Lives on one loop.
 */
final class StartJitter {
  /**
   * So many moments of a long period are the same for all workers: those that meet share a wake-up
   * of the loop, which is most of what a quiet node costs ({@code benchmarks/run idle}).
   */
  static final int MOMENTS = 50;

  /** Where more than this would meet, the last of them would begin late: there are more moments. */
  static final int MEETING = 16;

  /** Workers with a shorter period meet often enough, and together they would come in bursts. */
  static final Duration LONG_PERIOD = Duration.ofSeconds(5);

  /** Closer together they would be one slot of timers. */
  private static final long SHORTEST_DISTANCE = Duration.ofMillis(4).toNanos();

  /** Workers with a period that no manifest of Kubernetes can have. */
  private static final Duration SHORT_PERIOD = Duration.ofSeconds(1);

  /**
   * How long after an agent's start those are spread: its first pods are there after more than such
   * a period, and would all be probed together for good.
   */
  private static final Duration SPREAD_FOR = Duration.ofSeconds(10);

  private final long agentStart;
  private final RandomGenerator random;
  private int spread;

  /**
   * Spreads those of one loop.
   *
   * @param agentStart by the monotonic clock in nanoseconds
   */
  StartJitter(long agentStart, RandomGenerator random) {
    this.agentStart = agentStart;
    this.random = random;
  }

  /**
   * {@return when the first tick of one more worker is due} At once, or at a random part of a
   * period while the agent is younger than one, or than 10 s if it is a short one (W-1).
   */
  long next(long now, Duration period) {
    long nanos = period.toNanos();
    Duration young = period.compareTo(SHORT_PERIOD) < 0 ? SPREAD_FOR : period;
    if (now - agentStart >= young.toNanos()) {
      return now;
    }
    if (period.compareTo(LONG_PERIOD) < 0) {
      return now + random.nextLong(nanos);
    }
    int workers = spread++;
    int moments = moments(nanos, workers);
    long distance = nanos / moments;
    boolean evenAreFull = moments > MOMENTS && workers < moments * MEETING;
    return evenAreFull
        ? next(now, distance, 2 * distance) + random.nextInt(moments / 2) * 2L * distance
        : next(now, 0, distance) + random.nextInt(moments) * distance;
  }

  /** {@return the first time at a time or after it that lies so far into a cycle} */
  private static long next(long now, long offset, long cycle) {
    return now + Math.floorMod(offset - now, cycle);
  }

  /** Twice as many each time, so that the old ones are among the new. */
  private static int moments(long period, int workers) {
    int moments = MOMENTS;
    while (workers >= moments * MEETING && period / (2L * moments) >= SHORTEST_DISTANCE) {
      moments *= 2;
    }
    return moments;
  }
}
