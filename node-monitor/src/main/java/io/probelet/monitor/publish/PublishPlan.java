package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.TaintSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The changes to write to the Node, decided from its current state and the monitor's.
 *
 * @param conditions our known conditions, each as it should be
 */
record PublishPlan(List<Condition> conditions, Set<String> gone, NodeMarks marks) {
  /**
   * Our part of a Node's metadata.
   *
   * @param conditions the conditions that are ours (B-6)
   * @param taints the wanted taints (B-11)
   */
  record NodeMarks(Ownership conditions, List<TaintSpec> taints) {
    static NodeMarks of(JsonNode node) {
      return new NodeMarks(Ownership.of(node), NodeTaints.wanted(node));
    }

    private void addTo(ObjectNode patch) {
      ObjectNode metadata = patch.withObject("metadata");
      conditions.addTo(metadata);
      NodeTaints.want(taints, metadata);
    }
  }

  /**
   * Decides.
   *
   * @param known the current state of the known conditions
   * @return the changes to write; empty if there are none
   */
  static Optional<PublishPlan> of(
      NodeMarks before, String bootId, List<ConditionSpec> specs, Collection<Condition> known) {
    Set<String> owned = before.conditions().types();
    boolean sameBoot = before.conditions().bootId().equals(bootId);
    Set<String> ours = new TreeSet<>();
    if (sameBoot) {
      // B-4: a condition not checked yet since the start stays, unless it is of an earlier boot.
      ours.addAll(specs.stream().map(ConditionSpec::type).collect(Collectors.toSet()));
      ours.retainAll(owned);
    }
    known.forEach(condition -> ours.add(condition.type()));
    Set<String> gone = new TreeSet<>(owned);
    gone.removeAll(ours); // B-6: it has no monitor any more
    NodeMarks marks =
        new NodeMarks(
            ours.isEmpty() ? Ownership.NONE : Ownership.of(bootId, ours),
            taints(specs, known, sameBoot ? before.taints() : List.of()));
    return marks.equals(before) && known.isEmpty() && gone.isEmpty()
        ? Optional.empty()
        : Optional.of(new PublishPlan(List.copyOf(known), gone, marks));
  }

  /** B-11: for conditions that are True; while one is unknown its taint stays unchanged. */
  private static List<TaintSpec> taints(
      List<ConditionSpec> specs, Collection<Condition> known, List<TaintSpec> before) {
    Map<String, ConditionStatus> statuses = new HashMap<>();
    known.forEach(condition -> statuses.put(condition.type(), condition.status()));
    Map<String, TaintSpec> wanted = new TreeMap<>();
    for (ConditionSpec spec : specs) {
      TaintSpec taint = spec.taint();
      if (taint == null) {
        continue;
      }
      ConditionStatus status = statuses.getOrDefault(spec.type(), ConditionStatus.UNKNOWN);
      boolean stays = status == ConditionStatus.UNKNOWN && before.contains(taint);
      if (status == ConditionStatus.TRUE || stays) {
        wanted.put(taint.toString(), taint);
      }
    }
    return List.copyOf(wanted.values());
  }

  /**
   * Selects the conditions of a Node that a new monitor adopts (B-4). Conditions of an earlier
   * boot, and those the leader wrote because the agent was gone, are ignored.
   */
  static List<Condition> adoptable(Ownership owned, List<Condition> onNode, String bootId) {
    return owned.bootId().equals(bootId)
        ? onNode.stream()
            .filter(condition -> !condition.reason().equals(AbsentAgent.REASON))
            .toList()
        : List.of();
  }

  /** In one patch, so that our conditions are always listed as ours, even on a recreated Node. */
  ObjectNode patch(Instant now) {
    ObjectNode patch = NodeRequests.statusPatch(conditions, gone, now);
    marks.addTo(patch);
    return patch;
  }
}
