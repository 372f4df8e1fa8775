package io.probelet.nodehealth.policy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request to start a remediation.
 *
 * @param kind the remediation's kind, such as {@code RebootRemediation}
 * @param counted its time in the policies' histories, from its annotation {@link
 *     RemediationPolicy#COUNTED}; null for a first request
 */
public record PolicyRequest(PolicyNode node, String kind, @Nullable Instant counted) {
  /**
   * Whether a history contains it: then its hourly limit, backstop and approval were checked
   * before.
   */
  boolean isCountedIn(PolicyFacts.State state) {
    return counted != null
        && state.history().contains(new PastRemediation(node.name(), kind, counted));
  }
}
