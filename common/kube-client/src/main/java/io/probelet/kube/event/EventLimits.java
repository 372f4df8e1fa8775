package io.probelet.kube.event;

import java.time.Duration;

/**
 * The write limits of one object.
 *
 * @param burst the burst of writes, at least 1
 * @param refill after which there is one more, longer than zero
 * @param causes the most causes remembered, at least 1
 */
record EventLimits(int burst, Duration refill, int causes) {
  /** The limits of a pod: its author determines how often its probes fail. */
  static final EventLimits POD = new EventLimits(15, Duration.ofMinutes(1), 50);

  /** The limits of objects of administrators: nodes and cluster-wide objects. */
  static final EventLimits ADMINISTRATOR = new EventLimits(50, Duration.ofSeconds(10), 500);

  static EventLimits of(InvolvedObject object) {
    return object.isPod() ? POD : ADMINISTRATOR;
  }
}
