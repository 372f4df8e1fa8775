package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;

import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The remediations of each node: those of the last status, corrected by the existing resources
 * . The resources win, so a status that was never written does no harm.
 */
final class StatusEntries {
  private static final Comparator<TrackedRemediation> FIRST_STARTED =
      Comparator.comparing(TrackedRemediation::started)
          .thenComparing(entry -> entry.resource().kind())
          .thenComparing(entry -> entry.resource().name());

  private final NodeHealthCheckSpec spec;
  private final Map<String, UnhealthyNode> before = new HashMap<>();

  StatusEntries(NodeHealthCheckSpec spec, NodeHealthCheckStatus status) {
    this.spec = spec;
    status.unhealthyNodes().forEach(node -> before.put(node.name(), node));
  }

  @Nullable UnhealthyNode before(String node) {
    return before.get(node);
  }

  /**
   * Lists the remediations of a node.
   *
   * @param ours its remediations of ours, oldest first
   */
  List<TrackedRemediation> of(String node, List<ObservedRemediation> ours) {
    UnhealthyNode old = before.get(node);
    List<TrackedRemediation> remembered = old == null ? List.of() : old.remediations();
    List<TrackedRemediation> entries = new ArrayList<>();
    for (ObservedRemediation remediation : ours) {
      TrackedRemediation entry = entry(remediation, remembered);
      if (entries.stream()
          .noneMatch(other -> isSame(other, entry))) { // one entry for each template
        entries.add(entry);
      }
    }
    for (TrackedRemediation entry : remembered) {
      if (isWorthRemembering(entry) && entries.stream().noneMatch(other -> isSame(other, entry))) {
        entries.add(entry);
      }
    }
    entries.sort(FIRST_STARTED);
    return entries;
  }

  private static TrackedRemediation entry(
      ObservedRemediation remediation, List<TrackedRemediation> remembered) {
    Instant timedOut =
        remediation
            .moment(WireNames.TIMED_OUT) // written first, so it wins
            .orElseGet(() ->
                remembered.stream()
                    .filter(old -> old.uid().equals(remediation.uid()))
                    .flatMap(old -> Stream.ofNullable(old.timedOut()))
                    .findFirst()
                    .orElse(null));
    return new TrackedRemediation(
        remediation.ref(),
        remediation.uid(),
        remediation.created(), // the API server has the creation time
        timedOut,
        remediation.annotations().get(WireNames.TEMPLATE_NAME));
  }

  /** A step that was given up stays so after its deletion; otherwise it would start again. */
  private boolean isWorthRemembering(TrackedRemediation entry) {
    return entry.timedOut() != null
        && spec.steps().stream().anyMatch(step -> step.timeout() != null && entry.isFor(step));
  }

  private static boolean isSame(TrackedRemediation one, TrackedRemediation other) {
    return one.resource().kind().equals(other.resource().kind())
        && one.resource().apiVersion().equals(other.resource().apiVersion())
        && Objects.equals(one.templateName(), other.templateName());
  }

  /** Completes a status with its phase, reason and time. */
  static final class StatusPhases {
    private StatusPhases() {}

    /** Completes a status. */
    static NodeHealthCheckStatus complete(
        NodeHealthCheckStatus last,
        NodeHealthCheckStatus conditions,
        int observed,
        int healthy,
        List<UnhealthyNode> unhealthy,
        List<String> pauseRequests,
        Instant stamp) {
      StatusCondition disabled =
          conditions.condition(DISABLED).filter(StatusCondition::active).orElse(null);
      Phase phase = Phase.ENABLED;
      String reason = "NHC is enabled, no ongoing remediation";
      if (disabled != null) {
        phase = Phase.DISABLED;
        reason = "NHC is disabled: " + disabled.reason() + ": " + disabled.message();
      } else if (!pauseRequests.isEmpty()) {
        phase = Phase.PAUSED;
        reason = "NHC is paused: " + String.join(",", pauseRequests);
      } else if (unhealthy.stream().anyMatch(node -> !node.remediations().isEmpty())) {
        phase = Phase.REMEDIATING;
        reason = "NHC is remediating " + unhealthy.size() + " nodes";
      }
      NodeHealthCheckStatus status =
          new NodeHealthCheckStatus(
              observed,
              healthy,
              unhealthy,
              conditions.conditions(),
              phase,
              reason,
              last.lastUpdateTime());
      return status.equals(last) ? last : at(status, stamp);
    }

    private static NodeHealthCheckStatus at(NodeHealthCheckStatus status, Instant stamp) {
      return new NodeHealthCheckStatus(
          status.observedNodes(),
          status.healthyNodes(),
          status.unhealthyNodes(),
          status.conditions(),
          status.phase(),
          status.reason(),
          stamp);
    }
  }
}
