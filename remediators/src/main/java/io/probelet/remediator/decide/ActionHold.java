package io.probelet.remediator.decide;

import io.probelet.health.OneLine;
import io.probelet.remediator.resource.RemediationProgress;

/**
 * Why a remediation is held back.
 *
 * @param reason one word in UpperCamelCase, of a fixed set, for metrics
 */
public record ActionHold(String reason, String message) {
  /** ACT-44: the message names policies and what others wrote into them. */
  public ActionHold {
    message = OneLine.of(message, RemediationProgress.MAX_MESSAGE);
  }
}
