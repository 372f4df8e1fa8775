package io.probelet.monitor.track;

import io.probelet.health.ConditionStatus;

/**
 * What a rule says, and since when.
 *
 * @param status True while there is a problem
 * @param message what was seen; may be empty
 * @param since when it began to say so
 */
record Claim(ConditionStatus status, String message, Moment since) {
  Claim saying(String other) {
    return new Claim(status, other, since);
  }
}
