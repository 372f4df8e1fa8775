package io.probelet.kube.event;

import java.time.Duration;

/**
 * How much may be written about one object.
 *
 * @param burst writes at hand, at least 1
 * @param refill after which there is one more, longer than zero
 * @param causes that are remembered at once, at least 1
 */
record EventLimits(int burst, Duration refill, int causes) {
  /** A pod's author decides how often its probes fail, so that it gets a share of its own. */
  static final EventLimits POD = new EventLimits(15, Duration.ofMinutes(1), 50);

  /** What the administrator set up: nodes, and what is said for the whole cluster. */
  static final EventLimits ADMINISTRATOR = new EventLimits(50, Duration.ofSeconds(10), 500);

  static EventLimits of(InvolvedObject object) {
    return object.isPod() ? POD : ADMINISTRATOR;
  }
}
