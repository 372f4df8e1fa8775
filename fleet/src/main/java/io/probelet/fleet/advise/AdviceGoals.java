package io.probelet.fleet.advise;

import java.time.Duration;

/**
 * What settings should achieve.
 *
 * @param maxHang how long a container may hang until its probes have decided so
 */
public record AdviceGoals(Duration maxHang) {
  /** A minute: twice what Kubernetes' defaults come to. */
  public static final AdviceGoals DEFAULT = new AdviceGoals(Duration.ofMinutes(1));
}
