package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;
import java.time.Duration;

/**
 * What the newest evidence says while it has not lasted long enough to be believed (B-2).
 *
 * @param status True while there is a problem
 * @param message what was seen; may be empty
 * @param since when it began to say so
 * @param standing whether it stays true by itself until something contradicts it, as a line of a
 *     log does; the report of a check is about its own moment only, and has to be repeated
 */
record PendingStatus(ConditionStatus status, String message, ClockReading since, boolean standing) {
  PendingStatus saying(String other, boolean nowStanding) {
    return new PendingStatus(status, other, since, nowStanding);
  }

  /** When it is believed, if it has not been contradicted by then. */
  ClockReading due(Duration debounce) {
    return since.plus(debounce);
  }

  RuleStatus believedAt(ClockReading moment) {
    return new RuleStatus(status, message, moment);
  }
}
