package io.probelet.nodehealth.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A remediation that asks to start.
 *
 * @param kind the remediation's kind, such as {@code RebootRemediation}
 * @param counted as of which moment it is in the policies' histories, as its annotation {@link
 *     RemediationPolicy#COUNTED} says; null if it has not been asked for before
 */
public record PolicyRequest(PolicyNode node, String kind, @Nullable Instant counted) {
  /** Whether a history has it: then its hour, its backstop and its approval have been asked for. */
  boolean isCountedIn(PolicyFacts.State state) {
    return counted != null
        && state.history().contains(new PastRemediation(node.name(), kind, counted));
  }
}
