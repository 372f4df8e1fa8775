package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was already told, so that it is told once per change and not once per pass. Nothing else is
 * decided by it: losing it in a crash repeats an event at most.
 *
 * @param fleet what holds back all nodes; null if nothing does
 * @param nodes what holds back which node (RB-5)
 * @param unhealthy the nodes known to be unhealthy
 * @param mislabelled the nodes whose exclude label is empty
 */
public record PlannerMemory(
    @Nullable HoldReason fleet,
    Map<String, HoldReason> nodes,
    Set<String> unhealthy,
    Set<String> mislabelled) {
  /** Copies the collections. */
  public PlannerMemory {
    nodes = Map.copyOf(nodes);
    unhealthy = Set.copyOf(unhealthy);
    mislabelled = Set.copyOf(mislabelled);
  }

  /**
   * Begins after a start with what the status tells.
   *
   * @param status the last status
   * @return the memory
   */
  public static PlannerMemory restoredFrom(NodeHealthCheckStatus status) {
    return new PlannerMemory(
        null,
        Map.of(),
        status.unhealthyNodes().stream().map(UnhealthyNode::name).collect(Collectors.toSet()),
        Set.of());
  }
}
