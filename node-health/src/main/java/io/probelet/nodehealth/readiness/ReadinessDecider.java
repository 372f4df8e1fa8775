package io.probelet.nodehealth.readiness;

import io.probelet.nodehealth.readiness.NodeDecision.Change;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which taints a node gets and loses. It looks at all rules at once, so that no rule
 * removes what another one needs.
 *
 * <pre>
 *  node joins        condition missing         condition right           condition wrong
 *      |── taint added or adopted ──────────────────|── taint removed ──────────|── taint added
 *                                                   |                           (continuous only)
 *                                                   └ bootstrap completed, in the same request
 * </pre>
 */
public final class ReadinessDecider {
  private ReadinessDecider() {}

  /** How one rule stands to a node that it selects. */
  private enum Standing {
    /** The node lacks conditions. */
    NEEDED,
    /** The node has the conditions. */
    MET,
    /** The rule is done with the node and does not look at it again. */
    COMPLETED,
    /** The rule is being deleted. */
    DELETED,
    /** The rule only reports. */
    DRY_RUN
  }

  private record Verdict(NodeReadinessRule rule, ReadinessSpec spec, Standing standing) {}

  /**
   * Decides about one node.
   *
   * @param rules all rules of the cluster
   * @return what to write to the node
   */
  public static NodeDecision decide(RuleSet rules, ReadinessNode node) {
    Map<TaintId, List<Verdict>> verdicts = verdicts(rules, node);
    List<Change> changes = new ArrayList<>();
    List<Change> adopted = new ArrayList<>();
    Map<String, String> completions = new LinkedHashMap<>();
    List<String> completed = new ArrayList<>();
    Set<String> marks = new LinkedHashSet<>();
    verdicts.forEach((id, about) -> {
      boolean present = node.has(id);
      boolean marked = node.marks().contains(id.toString());
      boolean needed = about.stream().anyMatch(each -> each.standing() == Standing.NEEDED);
      Change change = change(rules, node, id, about);
      if (change != null) {
        changes.add(change);
        present = change.adds();
      }
      if (present && needed && !marked && change == null) {
        Verdict first = first(about, Standing.NEEDED);
        adopted.add(new Change(first.spec().taint(), first.rule().name(), true));
      }
      if (present && (needed || marked)) {
        marks.add(id.toString());
      }
      if (!present || needed) { // NRR-5: never completed while its own taint stays
        about.stream()
            .filter(each -> completes(each, node))
            .forEach(each -> {
              completions.put(each.rule().completion(), completionText(each.rule()));
              completed.add(each.rule().name());
            });
      }
    });
    return new NodeDecision(
        changes, adopted, completions, completed, marks, !marks.equals(node.marks()));
  }

  /** The rules about each taint, also about those that only the node lists. */
  private static Map<TaintId, List<Verdict>> verdicts(RuleSet rules, ReadinessNode node) {
    Map<TaintId, List<Verdict>> verdicts = new LinkedHashMap<>();
    for (NodeReadinessRule rule : rules.rules()) {
      ReadinessSpec spec = rule.specOrNull();
      if (spec != null && spec.selector().matches(node.labels())) {
        verdicts
            .computeIfAbsent(TaintId.of(spec.taint()), _ -> new ArrayList<>())
            .add(new Verdict(rule, spec, standing(rule, spec, node)));
      }
    }
    for (String mark : node.marks()) {
      TaintId id = TaintId.parse(mark);
      if (id != null) {
        verdicts.putIfAbsent(id, List.of());
      }
    }
    return verdicts;
  }

  private static Standing standing(NodeReadinessRule rule, ReadinessSpec spec, ReadinessNode node) {
    if (rule.deleting()) {
      return Standing.DELETED;
    }
    if (spec.dryRun()) {
      return Standing.DRY_RUN;
    }
    if (spec.isMetBy(node)) {
      return Standing.MET;
    }
    return spec.bootstrapOnly() && node.isCompleted(rule) ? Standing.COMPLETED : Standing.NEEDED;
  }

  /** Returns how a taint changes; null if it stays as it is. */
  private static @Nullable Change change(
      RuleSet rules, ReadinessNode node, TaintId id, List<Verdict> about) {
    NodeTaint present = node.taints().stream().filter(id::is).findFirst().orElse(null);
    if (about.stream().anyMatch(each -> each.standing() == Standing.NEEDED)) {
      // NRR-8: a rule that could go without its taints adds none.
      return present != null
          ? null
          : about.stream()
              .filter(each -> each.standing() == Standing.NEEDED && each.rule().hasFinalizer())
              .findFirst()
              .map(each -> new Change(each.spec().taint(), each.rule().name(), true))
              .orElse(null);
    }
    if (present == null || rules.holds(present)) {
      return null;
    }
    for (Standing reason : new Standing[] {Standing.MET, Standing.DELETED}) {
      for (Verdict each : about) {
        if (each.standing() == reason) {
          return new Change(present, each.rule().name(), false);
        }
      }
    }
    // NRR-7: a rule was in charge of it and selects the node no longer.
    return about.isEmpty() && node.marks().contains(id.toString())
        ? new Change(present, "", false)
        : null;
  }

  private static Verdict first(List<Verdict> about, Standing standing) {
    return about.stream().filter(each -> each.standing() == standing).findFirst().orElseThrow();
  }

  private static boolean completes(Verdict verdict, ReadinessNode node) {
    return verdict.standing() == Standing.MET
        && verdict.spec().bootstrapOnly()
        && !node.isCompleted(verdict.rule());
  }

  /** As the original writes it: rules are named like DNS names, so nothing is escaped. */
  private static String completionText(NodeReadinessRule rule) {
    return "{\"rule-name\":\"" + rule.name() + "\"}";
  }
}
