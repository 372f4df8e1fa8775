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
 * What is to be written on the Node, decided from what is on it and what the monitor says.
 *
 * @param conditions our conditions that are known, each as it is to be there
 */
record PublishPlan(List<Condition> conditions, Set<String> gone, NodeMarks marks) {
  /**
   * What of a Node's metadata is ours to write.
   *
   * @param conditions which of its conditions are ours (B-6)
   * @param taints what its agent wants (B-11)
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
   * @param known those of them that something is known about, each as it is
   * @return what is to be written; empty if there is nothing
   */
  static Optional<PublishPlan> of(
      NodeMarks before, String bootId, List<ConditionSpec> specs, Collection<Condition> known) {
    Set<String> owned = before.conditions().types();
    boolean sameBoot = before.conditions().bootId().equals(bootId);
    Set<String> ours = new TreeSet<>();
    if (sameBoot) {
      // B-4: what has not been checked yet since the start stays, unless it is of an earlier boot.
      ours.addAll(specs.stream().map(ConditionSpec::type).collect(Collectors.toSet()));
      ours.retainAll(owned);
    }
    known.forEach(condition -> ours.add(condition.type()));
    Set<String> gone = new TreeSet<>(owned);
    gone.removeAll(ours); // B-6: nobody watches it any more
    NodeMarks marks =
        new NodeMarks(
            ours.isEmpty() ? Ownership.NONE : Ownership.of(bootId, ours),
            taints(specs, known, sameBoot ? before.taints() : List.of()));
    return marks.equals(before) && known.isEmpty() && gone.isEmpty()
        ? Optional.empty()
        : Optional.of(new PublishPlan(List.copyOf(known), gone, marks));
  }

  /** B-11: for conditions that are True; while one is not known its taint stays as it was. */
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
   * Says which conditions on a Node go on to be true for a monitor that has just begun (B-4). What
   * is left of an earlier boot is not news of this one, nor is what the leader wrote because the
   * agent was gone.
   */
  static List<Condition> adoptable(Ownership owned, List<Condition> onNode, String bootId) {
    return owned.bootId().equals(bootId)
        ? onNode.stream()
            .filter(condition -> !condition.reason().equals(AbsentAgent.REASON))
            .toList()
        : List.of();
  }

  /** In one patch, so that nothing of ours is ever there unclaimed, even on a Node made anew. */
  ObjectNode patch(Instant now) {
    ObjectNode patch = NodeRequests.statusPatch(conditions, gone, now);
    marks.addTo(patch);
    return patch;
  }
}
