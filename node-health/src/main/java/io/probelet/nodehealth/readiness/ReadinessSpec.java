package io.probelet.nodehealth.readiness;

import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import java.util.Optional;

/**
 * The valid spec of a NodeReadinessRule.
 *
 * @param conditions what a node needs, 1 to {@value #MAX_CONDITIONS}, each type once
 * @param anyOf whether one of the conditions is enough; otherwise all are needed
 * @param bootstrapOnly whether the rule ignores a node after its conditions were met once
 * @param taint what keeps pods away meanwhile
 * @param selector the nodes; never empty
 * @param dryRun whether the rule only reports what it would change
 */
public record ReadinessSpec(
    List<Requirement> conditions,
    boolean anyOf,
    boolean bootstrapOnly,
    NodeTaint taint,
    LabelSelector selector,
    boolean dryRun) {
  /** The most conditions of a rule, as in the original's definition. */
  public static final int MAX_CONDITIONS = 32;

  static final String UNKNOWN = "Unknown";
  static final String NO_EXECUTE = "NoExecute";

  /** Keeps an unmodifiable copy. */
  public ReadinessSpec {
    conditions = List.copyOf(conditions);
  }

  /**
   * One condition that a node needs.
   *
   * @param requiredStatus True, False or Unknown
   * @param defaultStatus counts where the node lacks the condition: True, False or Unknown
   */
  public record Requirement(String type, String requiredStatus, String defaultStatus) {
    /** NRR-1: a missing condition is not a good one, unless the rule says so. */
    boolean isMetBy(ReadinessNode node) {
      return node.conditions().getOrDefault(type, defaultStatus).equals(requiredStatus);
    }
  }

  /** {@return words of caution about a taint that evicts pods (NRR-11); empty for others} */
  public Optional<String> evictionWarning() {
    if (!taint.effect().equals(NO_EXECUTE)) {
      return Optional.empty();
    }
    return Optional.of(
        bootstrapOnly
            ? "taint.effect: NoExecute also evicts pods that run on the node already and do not"
                + " tolerate the taint"
            : "taint.effect: NoExecute with enforcementMode continuous evicts the pods of a node"
                + " each time its conditions fail; consider NoSchedule");
  }

  /** {@return whether a node has the conditions} */
  boolean isMetBy(ReadinessNode node) {
    return anyOf
        ? conditions.stream().anyMatch(each -> each.isMetBy(node))
        : conditions.stream().allMatch(each -> each.isMetBy(node));
  }

  /** {@return whether no status of a node's condition is right for both rules} */
  boolean contradicts(ReadinessSpec other) {
    return !anyOf
        && !other.anyOf
        && conditions.stream()
            .anyMatch(ours ->
                other.conditions.stream()
                    .anyMatch(theirs ->
                        theirs.type().equals(ours.type())
                            && !theirs.requiredStatus().equals(ours.requiredStatus())));
  }
}
