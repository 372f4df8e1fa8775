package io.probelet.runtime.cri;

import java.time.Duration;

/**
 * How a runtime is used.
 *
 * @param nodeIp what pods in the host network have as their IP
 * @param relistPeriod between two looks at everything, greater than zero
 * @param callTimeout after which a runtime that should answer at once counts as away
 * @param execLeeway how much later than its timeout, which the runtime itself counts, the end of a
 *     command is waited for
 * @param maxExecs commands that run in containers at the same time, at least 1
 */
public record CriOptions(
    String nodeIp, Duration relistPeriod, Duration callTimeout, Duration execLeeway, int maxExecs) {
  /** Rejects values that would hold everything up. */
  public CriOptions {
    if (!relistPeriod.isPositive() || !callTimeout.isPositive() || !execLeeway.isPositive()) {
      throw new IllegalArgumentException(
          "relist period %s, call timeout %s and exec leeway %s must be greater than zero"
              .formatted(relistPeriod, callTimeout, execLeeway));
    }
    if (maxExecs < 1) {
      throw new IllegalArgumentException(
          maxExecs + " commands at once would be none at all; allow at least 1");
    }
  }

  /**
   * The kubelet's relist period, five seconds for a call, ten for an exec that is late, 16 execs.
   *
   * @param nodeIp what pods in the host network have as their IP; 127.0.0.1 when all runs locally
   */
  public CriOptions(String nodeIp) {
    this(nodeIp, Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(10), 16);
  }

  /**
   * {@return the same with another bound on commands}
   *
   * @param count commands that run in containers at the same time, at least 1
   */
  public CriOptions withMaxExecs(int count) {
    return new CriOptions(nodeIp, relistPeriod, callTimeout, execLeeway, count);
  }
}
