package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;

/**
 * What a rule says, and since when.
 *
 * @param status True while there is a problem
 * @param message what was seen; may be empty
 * @param since when it began to say so
 */
record RuleStatus(ConditionStatus status, String message, ClockReading since) {
  RuleStatus saying(String other) {
    return new RuleStatus(status, other, since);
  }
}
