package io.probelet.nodehealth.readiness;

import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All rules of a cluster, by name.
 *
 * @param rules those that are carried out, and invalid ones
 * @param complete whether all rules are known; otherwise an unknown rule may need any taint
 */
public record RuleSet(List<NodeReadinessRule> rules, boolean complete) {
  /** The most rules that are carried out (NRR-12). */
  public static final int MAX_RULES = 100;

  /** Keeps an unmodifiable copy. */
  public RuleSet {
    rules = List.copyOf(rules);
  }

  /**
   * {@return whether a taint may not be removed, because a rule that cannot be read may need it
   * (NRR-9)}
   */
  public boolean holds(NodeTaint taint) {
    return !complete || rules.stream().anyMatch(rule -> mayNeed(rule, TaintId.of(taint)));
  }

  private static boolean mayNeed(NodeReadinessRule rule, TaintId id) {
    return rule.specOrNull() == null
        && !rule.deleting()
        && (rule.taintOrNull() == null || id.is(rule.taintOrNull()));
  }

  /** {@return the rules that have a valid spec} */
  List<NodeReadinessRule> valid() {
    return rules.stream().filter(rule -> rule.specOrNull() != null).toList();
  }

  /** {@return the names of the invalid rules whose taints stay} */
  public Set<String> refused() {
    return rules.stream()
        .filter(rule -> rule.specOrNull() == null && !rule.deleting())
        .map(NodeReadinessRule::name)
        .collect(Collectors.toUnmodifiableSet());
  }
}
