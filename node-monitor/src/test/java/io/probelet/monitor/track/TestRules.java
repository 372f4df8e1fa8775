package io.probelet.monitor.track;

import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.rule.NamedRule.Kind;
import java.util.function.UnaryOperator;

/** Rules with a monitor and condition that are irrelevant to tracker tests. */
final class TestRules {
  private TestRules() {}

  /** A rule without devices. */
  static NamedRule rule(
      String id, String reason, EvidenceThreshold threshold, Kind kind, boolean followMessage) {
    return rule(id, reason, threshold, kind, followMessage, _ -> "");
  }

  static NamedRule rule(
      String id,
      String reason,
      EvidenceThreshold threshold,
      Kind kind,
      boolean followMessage,
      UnaryOperator<String> devices) {
    return new NamedRule(
        id,
        "monitor",
        new Consequence.OnCondition("Condition", reason, threshold),
        kind,
        followMessage,
        true,
        devices);
  }
}
