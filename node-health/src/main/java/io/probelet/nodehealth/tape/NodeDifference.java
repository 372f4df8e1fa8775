package io.probelet.nodehealth.tape;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.tape.TapeLine.ConditionChange;
import io.probelet.nodehealth.tape.TapeLine.Cordon;
import io.probelet.nodehealth.tape.TapeLine.LabelChange;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Computes the shortest tape lines for a changed node (TP-8). */
public final class NodeDifference {
  private NodeDifference() {}

  /**
   * Compares a node with its previous state.
   *
   * @return the lines that turn one into the other; none if a tape does not show the difference
   */
  public static List<TapeLine> between(NodeSeen old, NodeSeen now, Instant at) {
    NodeFacts before = old.node();
    NodeFacts after = now.node();
    if (!before.uid().equals(after.uid())
        || !before.taints().equals(after.taints())
        || before.confirmedHealthy() != after.confirmedHealthy()
        || !types(after).containsAll(types(before))) {
      return List.of(new NodeSeen(at, after, now.cordoned()));
    }
    List<TapeLine> lines = new ArrayList<>();
    for (NodeCondition condition : after.conditions()) {
      if (!before.conditions().contains(condition)) {
        lines.add(
            new ConditionChange(
                at,
                after.name(),
                condition.type(),
                condition.status(),
                condition.lastTransitionTime(),
                condition.reason()));
      }
    }
    Map<String, Optional<String>> labels = new HashMap<>();
    after
        .labels()
        .forEach((label, value) -> {
          if (!value.equals(before.labels().get(label))) {
            labels.put(label, Optional.of(value));
          }
        });
    before.labels().keySet().stream()
        .filter(label -> !after.labels().containsKey(label))
        .forEach(label -> labels.put(label, Optional.empty()));
    if (!labels.isEmpty()) {
      lines.add(new LabelChange(at, after.name(), labels));
    }
    if (old.cordoned() != now.cordoned()) {
      lines.add(new Cordon(at, after.name(), now.cordoned()));
    }
    return lines;
  }

  private static Set<String> types(NodeFacts node) {
    return node.conditions().stream().map(NodeCondition::type).collect(Collectors.toSet());
  }
}
