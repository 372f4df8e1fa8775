package io.probelet.nodehealth.readiness;

import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.readiness.ReadinessSpec.Requirement;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules and nodes with the defaults of most tests. */
final class RuleFixtures {
  static final NodeTaint NETWORK = new NodeTaint("readiness.k8s.io/network", "", "NoSchedule");
  static final NodeTaint OTHERS = new NodeTaint("example.org/busy", "x", "NoExecute");
  static final LabelSelector WORKERS = new LabelSelector(Map.of("role", "worker"), List.of());

  private RuleFixtures() {}

  static Requirement needs(String type, String status) {
    return new Requirement(type, status, "Unknown");
  }

  static ReadinessSpec spec(boolean bootstrapOnly, Requirement... conditions) {
    return new ReadinessSpec(List.of(conditions), false, bootstrapOnly, NETWORK, WORKERS, false);
  }

  static NodeReadinessRule rule(String name, ReadinessSpec spec) {
    return rule(name, spec, false, NodeReadinessRule.FINALIZER);
  }

  static NodeReadinessRule rule(
      String name, ReadinessSpec spec, boolean deleting, String... finalizers) {
    return new NodeReadinessRule(
        name, "uid-" + name, "1", 1, deleting, List.of(finalizers), spec.taint(), spec, "");
  }

  static NodeReadinessRule invalid(String name, NodeTaint taint) {
    return new NodeReadinessRule(name, "uid-" + name, "1", 1, false, List.of(), taint, null, "no");
  }

  static RuleSet set(NodeReadinessRule... rules) {
    return new RuleSet(List.of(rules), true);
  }

  /** A worker with conditions such as {@code CNIReady=True}. */
  static ReadinessNode node(String conditions, NodeTaint... taints) {
    return node("n1", conditions, Set.of(), Set.of(), taints);
  }

  static ReadinessNode node(
      String name,
      String conditions,
      Set<String> completions,
      Set<String> marks,
      NodeTaint... taints) {
    Map<String, String> statuses =
        Arrays.stream(conditions.split(" ", -1))
            .filter(each -> !each.isEmpty())
            .map(each -> each.split("=", -1))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
    return new ReadinessNode(
        name,
        "uid-" + name,
        Map.of("role", "worker"),
        statuses,
        List.of(taints),
        true,
        completions,
        marks);
  }
}
