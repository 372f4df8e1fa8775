package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.HoldReason.NoTemplateLeft;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What to do now.
 *
 * @param actions in this order
 * @param status what to answer; equal to the last one if there is nothing to write
 * @param wakeUp when to plan again even if nothing is observed; null for never
 * @param memory to be handed to the next pass; names what holds back which node
 */
public record Plan(
    List<RemediationAction> actions,
    NodeHealthCheckStatus status,
    @Nullable Instant wakeUp,
    PlannerMemory memory) {
  /** Keeps an unmodifiable copy of the actions. */
  public Plan {
    actions = List.copyOf(actions);
  }

  /**
   * Returns why a node is not remediated, or not further.
   *
   * @param node its name
   * @return the reason; empty if the node is not held back
   */
  public Optional<HoldReason> holdOf(String node) {
    return Optional.ofNullable(memory.nodes().get(node));
  }

  /**
   * What was already announced, so that it is announced once per change, not once per pass. Nothing
   * else is decided by it: losing it in a crash repeats an event at most.
   *
   * @param fleet what holds back all nodes; null if nothing does
   * @param nodes what holds back which node (RB-5)
   * @param announced which reason was announced last of a node that is still unhealthy
   * @param unhealthy the nodes known to be unhealthy
   * @param mislabelled the nodes whose exclude label is empty
   * @param settlingSince since when remediations wait for the nodes to settle (RB-6); null if none
   *     does
   */
  public record PlannerMemory(
      @Nullable HoldReason fleet,
      Map<String, HoldReason> nodes,
      Map<String, HoldReason> announced,
      Set<String> unhealthy,
      Set<String> mislabelled,
      @Nullable Instant settlingSince) {
    /** Keeps unmodifiable copies of the collections. */
    public PlannerMemory {
      nodes = Map.copyOf(nodes);
      announced = Map.copyOf(announced);
      unhealthy = Set.copyOf(unhealthy);
      mislabelled = Set.copyOf(mislabelled);
    }

    /**
     * Begins after a start with what the status says.
     *
     * @param status the last status
     * @return the memory
     */
    public static PlannerMemory restoredFrom(NodeHealthCheckStatus status) {
      Map<String, HoldReason> announced = new HashMap<>();
      for (UnhealthyNode node : status.unhealthyNodes()) {
        List<TrackedRemediation> tried = node.remediations();
        if (!tried.isEmpty() && tried.stream().allMatch(entry -> entry.timedOut() != null)) {
          announced.put(node.name(), new NoTemplateLeft(tried.size()));
        }
      }
      return new PlannerMemory(
          null,
          Map.of(),
          announced,
          status.unhealthyNodes().stream().map(UnhealthyNode::name).collect(Collectors.toSet()),
          Set.of(),
          null);
    }
  }
}
