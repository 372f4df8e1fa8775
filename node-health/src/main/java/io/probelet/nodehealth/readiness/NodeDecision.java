package io.probelet.nodehealth.readiness;

import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What to write to a node, in one request: either all of it becomes true or nothing (NRR-5).
 *
 * @param changes the taints to add and to remove
 * @param adopted the taints that are there already and that rules take charge of
 * @param completions the annotations that say which rules are done with it, with their values
 * @param completed the names of these rules
 * @param marks the taints of which rules are in charge afterwards, as {@code key:effect}
 * @param marksChanged whether the node lists others
 */
public record NodeDecision(
    List<Change> changes,
    List<Change> adopted,
    Map<String, String> completions,
    List<String> completed,
    Set<String> marks,
    boolean marksChanged) {
  /** Keeps unmodifiable copies. */
  public NodeDecision {
    changes = List.copyOf(changes);
    adopted = List.copyOf(adopted);
    completions = Map.copyOf(completions);
    completed = List.copyOf(completed);
    marks = Set.copyOf(marks);
  }

  /**
   * One taint of a node.
   *
   * @param rule the rule that causes the change; empty if the rule is gone
   * @param adds whether it is added; otherwise it is removed
   */
  public record Change(NodeTaint taint, String rule, boolean adds) {}

  /** {@return whether there is nothing to write} */
  public boolean isEmpty() {
    return changes.isEmpty() && completions.isEmpty() && !marksChanged;
  }

  /** {@return whether the taint of a rule is removed} */
  public boolean removes(NodeTaint taint) {
    return changes.stream()
        .anyMatch(change -> !change.adds() && TaintId.of(taint).is(change.taint()));
  }

  /** {@return the value of the annotation with the marks} */
  public String marksText() {
    return marks.stream().sorted().collect(Collectors.joining(","));
  }
}
