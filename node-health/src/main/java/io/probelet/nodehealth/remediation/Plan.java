package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
}
