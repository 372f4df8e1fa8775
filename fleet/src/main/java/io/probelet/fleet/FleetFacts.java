package io.probelet.fleet;

import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediatorsView;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that was read of a cluster at one moment.
 *
 * @param remediations of all kinds that are watched
 * @param leaders who leads which part; those of which there is no lease are left out
 * @param events in any order
 * @param remediation what the leader answers about NodeHealthChecks; null if nobody could be asked
 * @param remediators what the leader answers about remediations; null likewise
 * @param unread kinds of remediations that exist but could not be read
 * @param absent kinds that are not installed, in the plural
 * @param gaps what could not be read
 */
record FleetFacts(
    String server,
    List<NodeReading> nodes,
    List<CheckReading> checks,
    List<RemediationReading> remediations,
    List<PolicyReading> policies,
    List<NodeLease> leases,
    List<FleetLeader> leaders,
    List<FleetCondition> clusterHealth,
    List<FleetEvent> events,
    @Nullable RemediationView remediation,
    @Nullable RemediatorsView remediators,
    Set<String> unread,
    List<String> absent,
    List<FleetGap> gaps) {
  /** The kind of NodeHealthChecks in the plural. */
  static final String CHECKS = "NodeHealthChecks";

  /** The kind of RemediationPolicies in the plural. */
  static final String POLICIES = "RemediationPolicies";

  /** {@return the nodes that have a remediation, be it one that was given up} */
  Set<String> remediated() {
    return remediations.stream()
        .map(each -> each.observed().nodeName())
        .collect(Collectors.toUnmodifiableSet());
  }

  /** {@return whether all objects of a kind were read; there may be none} */
  boolean isKnown(String plural) {
    return gaps.stream().noneMatch(gap -> gap.what().equals(plural));
  }
}
