package io.probelet.monitor.track;

import static io.probelet.health.ConditionStatus.TRUE;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.GoDuration;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.Evidence.Coverage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tracks one node condition: takes evidence for its rules, and returns the current state and when
 * it may change without further evidence. Immutable.
 */
public final class ConditionTracker {
  /** The reason while a condition is flapping (B-2). */
  public static final String FLAPPING = "Flapping";

  /** The reason while nothing can be observed (B-5). */
  public static final String NOT_OBSERVED = "NotObserved";

  private final ConditionSpec spec;
  private final List<NamedRule> rules;
  private final Map<String, DeviceStates> states;
  private final @Nullable Condition published;
  private final boolean problem;
  private final List<ClockReading> changes;
  private final ConditionHistory history;
  private final @Nullable ClockReading asOf;

  /**
   * Computed once: it is needed for each piece of evidence, most of which is for other conditions.
   */
  private @Nullable WakeUp nextWakeUp;

  private ConditionTracker(
      ConditionSpec spec,
      List<NamedRule> rules,
      Map<String, DeviceStates> states,
      @Nullable Condition published,
      boolean problem,
      List<ClockReading> changes,
      ConditionHistory history,
      @Nullable ClockReading asOf) {
    this.spec = spec;
    this.rules = List.copyOf(rules);
    this.states = states;
    this.published = published;
    this.problem = problem;
    this.changes = changes;
    this.history = history;
    this.asOf = asOf;
  }

  /**
   * Creates a tracker without any observation, whose condition is therefore absent (B-4).
   *
   * @param rules its rules in order of precedence
   */
  public static ConditionTracker of(ConditionSpec spec, List<NamedRule> rules) {
    return new ConditionTracker(
        spec, rules, Map.of(), null, false, List.of(), ConditionHistory.NONE, null);
  }

  /**
   * Adopts a condition published by an earlier process (B-4), whose state file is lost. Known state
   * is not replaced. The message is for people: it names no device, so that only what clears all
   * devices clears the problem (B-15).
   */
  public ConditionTracker adopt(Condition condition, ClockReading now) {
    if (published != null) {
      return this;
    }
    Map<String, DeviceStates> adopted = new LinkedHashMap<>(states);
    ClockReading since = now.at(condition.lastTransitionTime());
    if (condition.status() == TRUE) {
      rules.stream()
          .filter(rule -> rule.reason().equals(condition.reason()))
          .findFirst()
          .ifPresent(
              rule -> adopted.put(rule.id(), DeviceStates.holding(condition.message(), since)));
    }
    ConditionHistory from =
        history.with(
            condition.status(),
            condition.reason(),
            condition.message(),
            condition.lastTransitionTime());
    return new ConditionTracker(
        spec, rules, adopted, condition, condition.status() == TRUE, changes, from, null);
  }

  /**
   * Applies evidence for one rule.
   *
   * @param ruleId the rule; an unknown one changes nothing
   */
  public ConditionTracker observe(String ruleId, Evidence evidence, ClockReading now) {
    Map<String, DeviceStates> next = new LinkedHashMap<>(states);
    for (NamedRule rule : rules) {
      DeviceStates state = state(rule).at(rule, now);
      if (rule.id().equals(ruleId)) {
        state = state.after(evidence, rule, now);
      } else if (rule.kind() == NamedRule.Kind.LOG
          && evidence instanceof Evidence.Reported(ConditionStatus status, _, Coverage coverage)) {
        // B-1: within its coverage, a check overrides earlier lines.
        state = state.afterCheck(status, coverage, rule, now);
      }
      next.put(rule.id(), state.at(rule, now));
    }
    return settled(next, now);
  }

  /** Lets time pass. */
  public ConditionTracker at(ClockReading now) {
    Map<String, DeviceStates> next = new LinkedHashMap<>();
    for (NamedRule rule : rules) {
      next.put(rule.id(), state(rule).at(rule, now));
    }
    return settled(next, now);
  }

  private ConditionTracker settled(Map<String, DeviceStates> next, ClockReading now) {
    next.replaceAll((_, state) -> state.withoutAccess(spec.holdFor(), now));
    if (isUnavailable(next)) { // B-17: an unobservable condition is absent, not Unknown
      return new ConditionTracker(
          spec, rules, next, null, false, List.of(), ConditionHistory.NONE, now);
    }
    Optional<RuleSummary> verdict = RuleSummary.worst(spec, rules, next, now);
    if (verdict.isEmpty()) {
      return new ConditionTracker(spec, rules, next, published, problem, changes, history, now);
    }
    boolean nowProblem = verdict.get().status() == TRUE;
    List<ClockReading> recent = new ArrayList<>();
    for (ClockReading change : changes) {
      if (now.since(change).compareTo(spec.flapWindow()) < 0) {
        recent.add(change);
      }
    }
    if (published != null && nowProblem != problem) {
      recent.add(now);
    }
    RuleSummary said = flapping(verdict.get(), recent);
    Condition before = published == null ? Condition.initial(spec.type(), now.wall()) : published;
    Condition after =
        before.update(said.status(), said.reason(), said.message(), List.of(), now.wall());
    RuleSummary found = verdict.get();
    return new ConditionTracker(
        spec,
        rules,
        next,
        after,
        nowProblem,
        List.copyOf(recent),
        history.with(found.status(), found.reason(), found.message(), now.wall()),
        now);
  }

  /** B-2: a condition that keeps changing is itself a problem. */
  private RuleSummary flapping(RuleSummary verdict, List<ClockReading> recent) {
    if (spec.flapCount() == 0 || recent.size() < spec.flapCount()) {
      return verdict;
    }
    String often =
        "changed at least %d times within %s; now %s"
            .formatted(spec.flapCount(), GoDuration.format(spec.flapWindow()), verdict.reason());
    return new RuleSummary(TRUE, FLAPPING, often);
  }

  /** {@return the condition; empty before any observation} */
  public Optional<Condition> condition() {
    return Optional.ofNullable(published);
  }

  /** {@return the recent changes, including those hidden by flapping} */
  public ConditionHistory history() {
    return history;
  }

  /** {@return the specification of the condition} */
  public ConditionSpec spec() {
    return spec;
  }

  /** {@return its rules} */
  public List<NamedRule> rules() {
    return rules;
  }

  /** {@return whether it cannot be observed in this installation, so that it is absent} */
  public boolean isUnavailable() {
    return isUnavailable(states);
  }

  private boolean isUnavailable(Map<String, DeviceStates> states) {
    return rules.stream()
        .allMatch(rule -> states.getOrDefault(rule.id(), DeviceStates.UNOBSERVED).isUnavailable());
  }

  /** {@return the distinct reasons of the rules that can be observed in this installation} */
  public List<String> observable() {
    return rules.stream()
        .filter(rule -> !state(rule).isUnavailable())
        .map(NamedRule::reason)
        .distinct()
        .toList();
  }

  /** {@return the distinct reasons of the rules that hold} */
  public List<String> holding() {
    return problems().stream().map(Problem::reason).distinct().toList();
  }

  /**
   * A current problem of the condition.
   *
   * @param device the device it is about; empty if it is about none
   * @param since when it began, on the wall clock
   */
  public record Problem(String reason, String device, String text, Instant since) {
    /**
     * {@return whether it is the same problem, apart from its text}
     *
     * @param other another one
     */
    public boolean isSame(Problem other) {
      return reason.equals(other.reason) && device.equals(other.device);
    }
  }

  /** {@return all current problems, in the order of the rules; texts may repeat} */
  public List<Problem> problems() {
    List<Problem> problems = new ArrayList<>();
    for (NamedRule rule : rules) {
      state(rule)
          .holding()
          .forEach(holding ->
              problems.add(
                  new Problem(
                      rule.reason(),
                      holding.device(),
                      holding.claim().message(),
                      holding.claim().since().wall())));
    }
    return problems;
  }

  private DeviceStates state(NamedRule rule) {
    return states.getOrDefault(rule.id(), DeviceStates.UNOBSERVED);
  }

  /**
   * Returns when time alone may change something.
   *
   * @return the next such moment, possibly in the past; empty if only evidence can change something
   */
  public Optional<ClockReading> nextWakeUp() {
    WakeUp known = nextWakeUp;
    if (known == null) {
      known = new WakeUp(findNextWakeUp().orElse(null));
      nextWakeUp = known;
    }
    return Optional.ofNullable(known.at());
  }

  private record WakeUp(@Nullable ClockReading at) {}

  private Optional<ClockReading> findNextWakeUp() {
    Stream<ClockReading> ofRules =
        rules.stream().flatMap(rule -> state(rule).wakeUps(rule, spec.holdFor()));
    Stream<ClockReading> ofFlapping =
        changes.stream().map(change -> change.plus(spec.flapWindow()));
    return Stream.concat(ofRules, ofFlapping)
        .filter(moment -> asOf == null || !asOf.reached(moment))
        .min((one, other) -> Long.compare(one.nanos() - other.nanos(), 0));
  }

  /**
   * {@return the state to save for a restart (B-4)}
   *
   * @param now the current moment, which converts monotonic times to wall times
   */
  public SavedCondition save(ClockReading now) {
    return SavedCondition.of(published, problem, changes, states, history, now);
  }

  /** Restores saved state. Removed rules are dropped. */
  public ConditionTracker restore(SavedCondition saved, ClockReading now) {
    Map<String, DeviceStates> kept = new LinkedHashMap<>();
    rules.forEach(rule -> kept.put(rule.id(), saved.state(rule, now)));
    return new ConditionTracker(
        spec,
        rules,
        kept,
        saved.published(spec.type()),
        saved.problem(),
        saved.changes(now),
        saved.history(),
        null);
  }

  /**
   * Continues from an earlier tracker of the same condition with possibly different rules: the
   * state of remaining rules is kept, including pending changes.
   *
   * @param before the earlier tracker
   */
  public ConditionTracker continueFrom(ConditionTracker before) {
    Map<String, DeviceStates> kept = new LinkedHashMap<>(before.states);
    kept.keySet().retainAll(rules.stream().map(NamedRule::id).toList());
    // With changed settings, a transition may already be due.
    return new ConditionTracker(
        spec, rules, kept, before.published, before.problem, before.changes, before.history, null);
  }
}
