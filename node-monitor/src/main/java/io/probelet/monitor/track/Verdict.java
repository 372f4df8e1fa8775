package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.ConditionSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The worst of what the rules of a condition say (B-3). */
record Verdict(ConditionStatus status, String reason, String message) {
  /** Empty while it is not known whether a rule that has not been heard yet would say worse. */
  static Optional<Verdict> worst(
      ConditionSpec spec, List<RuleTerms> rules, Map<String, DeviceStates> states, Moment now) {
    Map<RuleTerms, List<Claim>> claims = new LinkedHashMap<>();
    for (RuleTerms rule : rules) {
      DeviceStates state = states.getOrDefault(rule.id(), DeviceStates.UNHEARD);
      List<Claim> ofRule = state.claims(spec.holdFor(), now);
      if (!ofRule.isEmpty()) {
        claims.put(rule, ofRule);
      }
    }
    List<ProblemText.Told> problems = new ArrayList<>();
    claims.forEach((rule, ofRule) ->
        ofRule.stream()
            .filter(claim -> claim.status() == TRUE)
            .forEach(claim -> problems.add(new ProblemText.Told(rule.reason(), claim.message()))));
    if (!problems.isEmpty()) {
      // B-3: the first that holds gives the reason, the message names all.
      return Optional.of(
          new Verdict(TRUE, problems.getFirst().reason(), ProblemText.join(problems)));
    }
    if (claims.size() < rules.size()) {
      return Optional.empty(); // B-4: not healthy before all have been asked
    }
    for (Map.Entry<RuleTerms, List<Claim>> ofRule : claims.entrySet()) {
      Claim claim = ofRule.getValue().getFirst();
      if (claim.status() == UNKNOWN) {
        boolean unseen =
            states.getOrDefault(ofRule.getKey().id(), DeviceStates.UNHEARD).common().lost() != null;
        // a plugin that cannot tell leaves the reason as it is when all is well.
        return Optional.of(
            new Verdict(
                UNKNOWN, unseen ? ConditionTracker.NOT_OBSERVED : spec.reason(), claim.message()));
      }
    }
    return Optional.of(new Verdict(FALSE, spec.reason(), spec.message()));
  }
}
