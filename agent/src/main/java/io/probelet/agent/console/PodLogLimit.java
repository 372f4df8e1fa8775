package io.probelet.agent.console;

import io.probelet.health.RecentMap;
import io.probelet.health.TokenBucket;
import java.time.Duration;

/**
 * Bounds how many lines are logged about one pod, because its author decides how often something
 * happens to it: 100 at once, then one in 10 s. What is held back is counted and logged with the
 * next line. Safe for use by several threads.
 */
final class PodLogLimit {
  static final int BURST = 100;

  /** The pods that are remembered; of more the one is forgotten that was logged longest ago. */
  static final int MAX_PODS = 2000;

  private static final Duration REFILL = Duration.ofSeconds(10);

  private final RecentMap<String, Pod> pods = new RecentMap<>(MAX_PODS);

  private static final class Pod {
    private final TokenBucket lines;
    private long heldBack;

    Pod(long nanos) {
      lines = new TokenBucket(BURST, REFILL, nanos);
    }
  }

  /**
   * Asks whether a line may be logged.
   *
   * @param pod its namespace and name
   * @param nanos the monotonic clock
   * @return how many lines were held back since the last one; less than zero if this one is
   */
  synchronized long allow(String pod, long nanos) {
    Pod known = pods.get(pod);
    if (known == null) {
      known = new Pod(nanos);
    }
    pods.put(pod, known);
    if (known.lines.atHand(nanos) == 0) {
      known.heldBack++;
      return -1;
    }
    known.lines.take();
    long heldBack = known.heldBack;
    known.heldBack = 0;
    return heldBack;
  }
}
