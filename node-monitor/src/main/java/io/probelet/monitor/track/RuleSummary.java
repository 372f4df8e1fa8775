package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.ConditionStatus;
import io.probelet.health.ShortText;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.RuleState.Claim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The summary of the rules of a condition, or of one rule: the worst claim (B-3). */
record RuleSummary(ConditionStatus status, String reason, String message) {
  private static final String BETWEEN = "; ";
  private static final int FOR_THE_REST = 24;

  /** Empty while a rule without an observation may still be worse. */
  static Optional<RuleSummary> worst(
      ConditionSpec spec,
      List<NamedRule> rules,
      Map<String, DeviceStates> states,
      ClockReading now) {
    Map<NamedRule, List<Claim>> claims = new LinkedHashMap<>();
    Set<String> notChecked =
        new LinkedHashSet<>(); // B-17: else it would be healthy without an observation
    int asked = rules.size();
    for (NamedRule rule : rules) {
      DeviceStates state = states.getOrDefault(rule.id(), DeviceStates.UNOBSERVED);
      if (state.isUnavailable()) {
        notChecked.add(rule.reason());
        asked--;
      }
      List<Claim> ofRule = state.claims(spec.holdFor(), now);
      if (!ofRule.isEmpty()) {
        claims.put(rule, ofRule);
      }
    }
    List<RuleSummary> problems = new ArrayList<>();
    claims.forEach((rule, ofRule) ->
        ofRule.stream()
            .filter(claim -> claim.status() == TRUE)
            .forEach(claim -> problems.add(new RuleSummary(TRUE, rule.reason(), claim.message()))));
    if (!problems.isEmpty()) {
      // B-3: the first rule that holds sets the reason, the message names all.
      return Optional.of(new RuleSummary(TRUE, problems.getFirst().reason(), join(problems)));
    }
    if (claims.size() < asked || claims.isEmpty()) {
      return Optional.empty(); // B-4: not healthy before all rules were evaluated
    }
    for (Map.Entry<NamedRule, List<Claim>> ofRule : claims.entrySet()) {
      Claim claim = ofRule.getValue().getFirst();
      if (claim.status() == UNKNOWN) {
        boolean unseen =
            states
                    .getOrDefault(ofRule.getKey().id(), DeviceStates.UNOBSERVED)
                    .common()
                    .sight()
                    .lost()
                != null;
        // a plugin's Unknown keeps the healthy reason.
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

  /**
   * A single message is shown unchanged; of several, those that fit are listed and the rest
   * counted.
   */
  static String join(List<RuleSummary> all) {
    if (all.size() == 1) {
      return all.getFirst().message();
    }
    Set<String> parts = new LinkedHashSet<>();
    all.forEach(each -> parts.add(each.reason() + ": " + each.message()));
    StringBuilder joined = new StringBuilder();
    int named = 0;
    for (String part : parts) {
      if (joined.length() + BETWEEN.length() + part.length() > Evidence.MAX_CHARS - FOR_THE_REST) {
        break;
      }
      joined.append(named++ == 0 ? "" : BETWEEN).append(part);
    }
    if (named == 0) {
      return ShortText.beginning(parts.iterator().next(), Evidence.MAX_CHARS);
    }
    return named == parts.size()
        ? joined.toString()
        : joined.append(BETWEEN).append("and %d more".formatted(parts.size() - named)).toString();
  }
}
