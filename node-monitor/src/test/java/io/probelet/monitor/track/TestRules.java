package io.probelet.monitor.track;

import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.rule.NamedRule.Kind;

/** Rules with a monitor and condition that are irrelevant to tracker tests. */
final class TestRules {
  private TestRules() {}

  static NamedRule rule(
      String id, String reason, EvidenceThreshold threshold, Kind kind, boolean followMessage) {
    return new NamedRule(
        id,
        "monitor",
        new Consequence.OnCondition("Condition", reason, threshold),
        kind,
        followMessage,
        true);
  }
}
