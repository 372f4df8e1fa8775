package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;

import io.probelet.document.expression.ExpressionResult;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import io.probelet.health.Condition;
import io.probelet.monitor.rule.ConditionVariables;
import io.probelet.monitor.rule.Monitor.ExpressionRule;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.ConditionTracker;
import io.probelet.monitor.track.ConditionTracker.Problem;
import io.probelet.monitor.track.ConditionTurns;
import io.probelet.monitor.track.Evidence;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The expressions over a node's conditions, and when to evaluate them (B-25). They read only
 * conditions that none of them sets, so that one pass is enough. Immutable.
 */
final class ConditionExpressions {
  /** Evidence may arrive by the thousand a second: the evaluations must not delay it. */
  static final Duration APART = Duration.ofSeconds(1);

  /** An age exceeds a duration just after it has reached it. */
  private static final Duration BEYOND = Duration.ofMillis(1);

  private final Map<String, ExpressionRule> rules;
  private final Set<String> set;
  private final Map<String, ConditionTurns> turns;
  private final @Nullable ClockReading last;
  private final @Nullable ClockReading due;

  private ConditionExpressions(
      Map<String, ExpressionRule> rules,
      Set<String> set,
      Map<String, ConditionTurns> turns,
      @Nullable ClockReading last,
      @Nullable ClockReading due) {
    this.rules = rules;
    this.set = set;
    this.turns = turns;
    this.last = last;
    this.due = due;
  }

  /**
   * What the expressions say.
   *
   * @param found by the ids of their rules
   * @param after the next state
   */
  record Evaluation(Map<String, Evidence> found, ConditionExpressions after) {}

  /**
   * Creates expressions that have not been evaluated.
   *
   * @param rules by their ids
   */
  static ConditionExpressions of(Map<String, ExpressionRule> rules) {
    return new ConditionExpressions(
        rules,
        rules.values().stream()
            .map(rule -> rule.consequence().type())
            .collect(Collectors.toUnmodifiableSet()),
        Map.of(),
        null,
        null);
  }

  /** Continues with the times that earlier expressions knew of conditions still read (B-12). */
  ConditionExpressions continueFrom(ConditionExpressions before) {
    Map<String, ConditionTurns> kept = new HashMap<>(rules.isEmpty() ? Map.of() : before.turns);
    kept.keySet().removeAll(set);
    return new ConditionExpressions(rules, set, kept, null, null);
  }

  /** Follows one step of a condition; if expressions may read the difference, they are due. */
  ConditionExpressions after(ConditionTracker before, ConditionTracker after, ClockReading now) {
    if (rules.isEmpty() || !isRead(after) || isSame(before, after)) {
      return this;
    }
    String type = after.spec().type();
    ConditionTurns known = turns.get(type);
    Map<String, ConditionTurns> next = new HashMap<>(turns);
    next.remove(type);
    after
        .condition()
        .ifPresent(condition ->
            next.put(
                type,
                known == null
                    ? ConditionTurns.of(condition, after, now)
                    : known.follow(condition, before, after, now)));
    ClockReading earliest = last == null ? now : last.plus(APART);
    return new ConditionExpressions(rules, set, next, last, later(now, earliest));
  }

  private boolean isRead(ConditionTracker tracker) {
    return !set.contains(tracker.spec().type());
  }

  private static boolean isSame(ConditionTracker before, ConditionTracker after) {
    return before.isUnavailable() == after.isUnavailable()
        && before.history().equals(after.history())
        && before
            .condition()
            .map(ConditionExpressions::fields)
            .equals(after.condition().map(ConditionExpressions::fields))
        && reasons(before).equals(reasons(after));
  }

  private static List<String> fields(Condition condition) {
    return List.of(condition.status().toString(), condition.reason());
  }

  private static List<String> reasons(ConditionTracker tracker) {
    return tracker.problems().stream().map(Problem::reason).toList();
  }

  private static ClockReading later(ClockReading one, ClockReading other) {
    return one.reached(other) ? one : other;
  }

  /** {@return when to evaluate them again; empty if only a condition can change a result} */
  Optional<ClockReading> nextWakeUp() {
    return Optional.ofNullable(due);
  }

  /**
   * Evaluates them.
   *
   * @param trackers of all conditions of the node
   * @return empty if it is not time yet
   */
  Optional<Evaluation> at(Collection<ConditionTracker> trackers, ClockReading now) {
    if (rules.isEmpty() || (last != null && (due == null || !now.reached(due)))) {
      return Optional.empty();
    }
    Map<String, ConditionTurns> known = new HashMap<>();
    Map<String, Object> values = new HashMap<>();
    boolean complete = true;
    for (ConditionTracker tracker : trackers) {
      Condition condition = tracker.condition().orElse(null);
      if (isRead(tracker) && condition != null) {
        String type = condition.type();
        ConditionTurns ofType =
            turns.containsKey(type) ? turns.get(type) : ConditionTurns.of(condition, tracker, now);
        known.put(type, ofType);
        values.put(type, values(condition, tracker, ofType, now));
      }
      complete &= !isRead(tracker) || condition != null || tracker.isUnavailable();
    }
    Map<String, Evidence> found = new LinkedHashMap<>();
    for (Map.Entry<String, ExpressionRule> rule : rules.entrySet()) {
      found.put(rule.getKey(), evidence(rule.getValue(), values, complete));
    }
    return Optional.of(
        new Evaluation(
            found, new ConditionExpressions(rules, set, known, now, nextAge(known, now))));
  }

  private static Map<String, Object> values(
      Condition condition, ConditionTracker tracker, ConditionTurns turns, ClockReading now) {
    return Map.of(
        ConditionVariables.STATUS, condition.status().toString(),
        ConditionVariables.REASON, condition.reason(),
        ConditionVariables.AGE, now.since(turns.since()),
        ConditionVariables.PROBLEMS, reasons(tracker),
        ConditionVariables.BEGAN, turns.began().stream().map(now::since).toList());
  }

  private static Evidence evidence(
      ExpressionRule rule, Map<String, Object> conditions, boolean complete) {
    if (!complete) { // B-4: a condition that is not known yet is not absent
      return new Evidence.Lost("not all conditions have been observed yet");
    }
    ExpressionResult result =
        rule.when().evaluate(Map.of(ConditionVariables.CONDITIONS, conditions));
    return switch (result) {
      case Decided(boolean holds) ->
          holds ? new Evidence.Reported(TRUE, rule.message()) : new Evidence.Reported(FALSE, "");
      case Undecided(String reason) ->
          new Evidence.Reported(UNKNOWN, Evidence.text("the expression has no value: " + reason));
    };
  }

  /** The next moment at which an age exceeds a duration that an expression names; null for none. */
  private @Nullable ClockReading nextAge(Map<String, ConditionTurns> known, ClockReading now) {
    ClockReading next = null;
    for (ExpressionRule rule : rules.values()) {
      for (Duration duration : rule.when().durations()) {
        for (ConditionTurns ofType : known.values()) {
          for (ClockReading from : starts(ofType)) {
            ClockReading moment = from.plus(duration).plus(BEYOND);
            if (!now.reached(moment) && (next == null || next.reached(moment))) {
              next = moment;
            }
          }
        }
      }
    }
    return next == null ? null : later(next, now.plus(APART));
  }

  private static List<ClockReading> starts(ConditionTurns turns) {
    return Stream.concat(Stream.of(turns.since()), turns.began().stream()).toList();
  }
}
