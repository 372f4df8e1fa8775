package io.probelet.nodehealth.monitor.track;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.nodehealth.monitor.rule.ConditionSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One node condition: takes evidence for its rules, and says what the condition is now and when it
 * might change without further evidence. A value: what it becomes is a new one.
 */
public final class ConditionTracker {
  /** The reason while a condition cannot be kept from changing (B-2). */
  public static final String FLAPPING = "Flapping";

  /** The reason while nothing can be observed (B-5). */
  public static final String NOT_OBSERVED = "NotObserved";

  private final ConditionSpec spec;
  private final List<RuleTerms> rules;
  private final Map<String, RuleState> states;
  private final @Nullable Condition published;
  private final boolean problem;
  private final List<Moment> changes;

  private ConditionTracker(
      ConditionSpec spec,
      List<RuleTerms> rules,
      Map<String, RuleState> states,
      @Nullable Condition published,
      boolean problem,
      List<Moment> changes) {
    this.spec = spec;
    this.rules = List.copyOf(rules);
    this.states = states;
    this.published = published;
    this.problem = problem;
    this.changes = changes;
  }

  /**
   * Creates the tracker of a condition nothing is known about, which therefore says nothing (B-4).
   *
   * @param spec the condition
   * @param rules its rules in the order in which they win ties
   * @return the tracker
   */
  public static ConditionTracker of(ConditionSpec spec, List<RuleTerms> rules) {
    return new ConditionTracker(spec, rules, Map.of(), null, false, List.of());
  }

  /**
   * Takes over what was published by a program before this one (B-4). What is known already is not
   * replaced.
   *
   * @param condition the condition as it is on the node, of this type
   * @param now the moment
   * @return the tracker that goes on from there
   */
  public ConditionTracker adopt(Condition condition, Moment now) {
    if (published != null) {
      return this;
    }
    Map<String, RuleState> adopted = new LinkedHashMap<>(states);
    if (condition.status() == TRUE) {
      rules.stream()
          .filter(rule -> rule.reason().equals(condition.reason()))
          .findFirst()
          .ifPresent(rule ->
              adopted.put(
                  rule.id(),
                  RuleState.holding(condition.message(), now.at(condition.lastTransitionTime()))));
    }
    return new ConditionTracker(
        spec, rules, adopted, condition, condition.status() == TRUE, changes);
  }

  /**
   * Takes evidence for one rule.
   *
   * @param ruleId which rule; one that is not known changes nothing
   * @param evidence what was seen
   * @param now the moment
   * @return the tracker afterwards
   */
  public ConditionTracker observe(String ruleId, Evidence evidence, Moment now) {
    Map<String, RuleState> next = new LinkedHashMap<>(states);
    for (RuleTerms rule : rules) {
      RuleState state = state(rule).at(rule, now);
      if (rule.id().equals(ruleId)) {
        state = state.after(evidence, rule, now);
      } else if (rule.kind() == RuleTerms.Kind.LOG
          && evidence instanceof Evidence.Reported(ConditionStatus status, _)
          && status == FALSE) {
        // B-1: a check that sees all is well knows better than a line of the past.
        state = state.after(new Evidence.Cleared(), rule, now);
      }
      next.put(rule.id(), state);
    }
    return settled(next, now);
  }

  /**
   * Lets time pass.
   *
   * @param now the moment
   * @return the tracker afterwards
   */
  public ConditionTracker at(Moment now) {
    Map<String, RuleState> next = new LinkedHashMap<>();
    for (RuleTerms rule : rules) {
      next.put(rule.id(), state(rule).at(rule, now));
    }
    return settled(next, now);
  }

  private ConditionTracker settled(Map<String, RuleState> next, Moment now) {
    Optional<Verdict> verdict = Verdict.worst(spec, rules, next, now);
    if (verdict.isEmpty()) {
      return new ConditionTracker(spec, rules, next, published, problem, changes);
    }
    boolean nowProblem = verdict.get().status() == TRUE;
    List<Moment> recent = new ArrayList<>();
    for (Moment change : changes) {
      if (now.since(change).compareTo(spec.flapWindow()) < 0) {
        recent.add(change);
      }
    }
    if (published != null && nowProblem != problem) {
      recent.add(now);
    }
    Verdict said = flapping(verdict.get(), recent);
    Condition before = published == null ? Condition.initial(spec.type(), now.wall()) : published;
    Condition after =
        before.update(said.status(), said.reason(), said.message(), List.of(), now.wall());
    return new ConditionTracker(spec, rules, next, after, nowProblem, List.copyOf(recent));
  }

  /** B-2: a condition that changes all the time is a problem in itself. */
  private Verdict flapping(Verdict verdict, List<Moment> recent) {
    if (spec.flapCount() == 0 || recent.size() < spec.flapCount()) {
      return verdict;
    }
    String often =
        "changed %d times or more within %s; now %s"
            .formatted(spec.flapCount(), GoDuration.format(spec.flapWindow()), verdict.reason());
    return new Verdict(TRUE, FLAPPING, often);
  }

  /** {@return what the condition says; empty as long as nothing has been observed} */
  public Optional<Condition> condition() {
    return Optional.ofNullable(published);
  }

  /** {@return the condition that is tracked} */
  public ConditionSpec spec() {
    return spec;
  }

  /** {@return its rules} */
  public List<RuleTerms> rules() {
    return rules;
  }

  /** {@return the reasons of the rules that hold now, each once} */
  public List<String> holding() {
    return rules.stream()
        .filter(rule -> state(rule).holds())
        .map(RuleTerms::reason)
        .distinct()
        .toList();
  }

  private RuleState state(RuleTerms rule) {
    return states.getOrDefault(rule.id(), RuleState.UNHEARD);
  }

  /**
   * Says when time alone might change something.
   *
   * @param now the moment
   * @return the next such moment after now; empty if only evidence can
   */
  public Optional<Moment> nextWakeUp(Moment now) {
    Stream<Moment> ofRules =
        rules.stream().flatMap(rule -> state(rule).wakeUps(rule, spec.holdFor(), now));
    Stream<Moment> ofFlapping =
        changes.stream()
            .map(change -> change.plus(spec.flapWindow()))
            .filter(moment -> !now.reached(moment));
    return Stream.concat(ofRules, ofFlapping)
        .min((one, other) -> Long.compare(one.nanos() - other.nanos(), 0));
  }

  /** {@return what has to be kept so that a restart forgets nothing (B-4)} */
  public SavedCondition save() {
    return SavedCondition.of(published, problem, changes, states);
  }

  /**
   * Goes on from what was kept. Rules there are no more are forgotten.
   *
   * @param saved what was kept by a tracker of the same condition
   * @param now the moment
   * @return the tracker that goes on from there
   */
  public ConditionTracker restore(SavedCondition saved, Moment now) {
    Map<String, RuleState> kept =
        rules.stream()
            .filter(rule -> saved.rules().containsKey(rule.id()))
            .collect(
                Collectors.toMap(
                    RuleTerms::id,
                    rule -> saved.state(rule.id(), now),
                    (first, _) -> first,
                    LinkedHashMap::new));
    return new ConditionTracker(
        spec, rules, kept, saved.published(spec.type()), saved.problem(), saved.changes(now));
  }

  /**
   * Goes on from where another tracker of the same condition is, whose rules may be others: what is
   * known of those that are still there stays known, that they are waiting to be believed included.
   *
   * @param before the tracker of before
   * @return the tracker that goes on from there
   */
  public ConditionTracker goingOnFrom(ConditionTracker before) {
    Map<String, RuleState> kept = new LinkedHashMap<>(before.states);
    kept.keySet().retainAll(rules.stream().map(RuleTerms::id).toList());
    return new ConditionTracker(
        spec, rules, kept, before.published, before.problem, before.changes);
  }

  /** The worst of what the rules say. */
  private record Verdict(ConditionStatus status, String reason, String message) {
    /** Empty while it is not known whether a rule that has not been heard yet would say worse. */
    static Optional<Verdict> worst(
        ConditionSpec spec, List<RuleTerms> rules, Map<String, RuleState> states, Moment now) {
      Map<RuleTerms, Claim> claims = new LinkedHashMap<>();
      for (RuleTerms rule : rules) {
        RuleState state = states.getOrDefault(rule.id(), RuleState.UNHEARD);
        state.effective(spec.holdFor(), now).ifPresent(claim -> claims.put(rule, claim));
      }
      if (claims.values().stream().anyMatch(claim -> claim.status() == TRUE)) {
        return Optional.of(problem(claims));
      }
      if (claims.size() < rules.size()) {
        return Optional.empty(); // B-4: not healthy before all have been asked
      }
      for (Map.Entry<RuleTerms, Claim> claim : claims.entrySet()) {
        if (claim.getValue().status() == UNKNOWN) {
          boolean unseen =
              states.getOrDefault(claim.getKey().id(), RuleState.UNHEARD).lost() != null;
          // a plugin that cannot tell leaves the reason as it is when all is well.
          return Optional.of(
              new Verdict(
                  UNKNOWN, unseen ? NOT_OBSERVED : spec.reason(), claim.getValue().message()));
        }
      }
      return Optional.of(new Verdict(FALSE, spec.reason(), spec.message()));
    }

    /** B-3: the first that holds gives the reason, the message names all. */
    private static Verdict problem(Map<RuleTerms, Claim> claims) {
      List<Map.Entry<RuleTerms, Claim>> holding =
          claims.entrySet().stream().filter(entry -> entry.getValue().status() == TRUE).toList();
      String reason = holding.getFirst().getKey().reason();
      String message =
          holding.size() == 1
              ? holding.getFirst().getValue().message()
              : holding.stream()
                  .map(entry -> entry.getKey().reason() + ": " + entry.getValue().message())
                  .distinct()
                  .collect(Collectors.joining("; "));
      return new Verdict(TRUE, reason, message);
    }
  }
}
