package io.probelet.fleet;

import io.probelet.nodehealth.policy.DurationText;
import io.probelet.nodehealth.policy.PolicyLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Says what a RemediationPolicy limits, in the words of its spec. */
final class PolicyLimitTexts {
  private PolicyLimitTexts() {}

  static FleetPolicy policy(PolicyReading reading, int nodes, int remediating, int lastHour) {
    return switch (reading.policy().limits()) {
      case PolicyLimits.Unreadable(String problem) ->
          new FleetPolicy(
              reading.policy().name(),
              problem,
              List.of(),
              false,
              false,
              nodes,
              remediating,
              reading.held(),
              lastHour);
      case PolicyLimits.Spec spec ->
          new FleetPolicy(
              reading.policy().name(),
              "",
              limits(spec),
              spec.paused(),
              spec.dryRun(),
              nodes,
              remediating,
              reading.held(),
              lastHour);
    };
  }

  private static List<String> limits(PolicyLimits.Spec spec) {
    List<String> limits = new ArrayList<>();
    if (spec.maxNodes() != null) {
      limits.add("maxNodes " + spec.maxNodes());
    }
    if (spec.maxNodesPerZone() != null) {
      limits.add("maxNodesPerZone " + spec.maxNodesPerZone());
    }
    if (spec.maxPerHour() != null) {
      limits.add("maxPerHour " + spec.maxPerHour());
    }
    if (!spec.windows().isEmpty()) {
      limits.add("windows " + spec.windows().size());
    }
    if (!spec.blackouts().isEmpty()) {
      limits.add("blackouts " + spec.blackouts().size());
    }
    PolicyLimits.Backstop backstop = spec.backstop();
    if (backstop != null) {
      limits.add(
          "backstop %d within %s".formatted(backstop.times(), DurationText.of(backstop.within())));
    }
    if (!spec.approval().isEmpty()) {
      limits.add("approval " + String.join(",", new TreeSet<>(spec.approval())));
    }
    if (spec.holdWhen() != null) {
      limits.add("holdWhen");
    }
    return limits;
  }
}
