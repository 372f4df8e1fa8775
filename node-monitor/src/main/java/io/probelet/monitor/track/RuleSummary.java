package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.NamedRule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The worst of what the rules of a condition say (B-3). */
record RuleSummary(ConditionStatus status, String reason, String message) {
  /** Empty while it is not known whether a rule that has not been heard yet would say worse. */
  static Optional<RuleSummary> worst(
      ConditionSpec spec,
      List<NamedRule> rules,
      Map<String, DeviceStates> states,
      ClockReading now) {
    Map<NamedRule, List<RuleStatus>> claims = new LinkedHashMap<>();
    Set<String> notChecked = new LinkedHashSet<>(); // B-17: it would be healthy unseen
    int asked = rules.size();
    for (NamedRule rule : rules) {
      DeviceStates state = states.getOrDefault(rule.id(), DeviceStates.UNOBSERVED);
      if (state.isUnavailable()) {
        notChecked.add(rule.reason());
        asked--;
      }
      List<RuleStatus> ofRule = state.claims(spec.holdFor(), now);
      if (!ofRule.isEmpty()) {
        claims.put(rule, ofRule);
      }
    }
    List<ProblemText.Entry> problems = new ArrayList<>();
    claims.forEach((rule, ofRule) ->
        ofRule.stream()
            .filter(claim -> claim.status() == TRUE)
            .forEach(claim -> problems.add(new ProblemText.Entry(rule.reason(), claim.message()))));
    if (!problems.isEmpty()) {
      // B-3: the first that holds gives the reason, the message names all.
      return Optional.of(
          new RuleSummary(TRUE, problems.getFirst().reason(), ProblemText.join(problems)));
    }
    if (claims.size() < asked || claims.isEmpty()) {
      return Optional.empty(); // B-4: not healthy before all have been asked
    }
    for (Map.Entry<NamedRule, List<RuleStatus>> ofRule : claims.entrySet()) {
      RuleStatus claim = ofRule.getValue().getFirst();
      if (claim.status() == UNKNOWN) {
        boolean unseen =
            states.getOrDefault(ofRule.getKey().id(), DeviceStates.UNOBSERVED).common().lost()
                != null;
        // a plugin that says Unknown leaves the reason as it is when all is well.
        return Optional.of(
            new RuleSummary(
                UNKNOWN, unseen ? ConditionTracker.NOT_OBSERVED : spec.reason(), claim.message()));
      }
    }
    String healthy =
        notChecked.isEmpty()
            ? spec.message()
            : spec.message() + "; not checked here: " + String.join(", ", notChecked);
    return Optional.of(new RuleSummary(FALSE, spec.reason(), healthy));
  }
}
