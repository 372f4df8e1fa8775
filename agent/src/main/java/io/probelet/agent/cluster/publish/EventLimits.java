package io.probelet.agent.cluster.publish;

import java.time.Duration;

/**
 * How much may be told of one object.
 *
 * @param burst writes at hand, at least 1
 * @param refill after which there is one more, longer than zero
 * @param causes that are remembered at once, at least 1
 */
record EventLimits(int burst, Duration refill, int causes) {
  /** A pod's author decides how often its probes fail, so that it gets a share of its own. */
  static final EventLimits POD = new EventLimits(15, Duration.ofMinutes(1), 50);

  /** The node's own logs and checks, which the administrator set up. */
  static final EventLimits NODE = new EventLimits(50, Duration.ofSeconds(10), 500);

  static EventLimits of(EventSubject object) {
    return object.kind().equals(EventSubject.NODE) ? NODE : POD;
  }
}
