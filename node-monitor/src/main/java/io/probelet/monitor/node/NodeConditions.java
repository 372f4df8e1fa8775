package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.node.NodeSnapshot.ConditionDetail;
import io.probelet.monitor.node.NodeSnapshot.ConditionDetail.Found;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.ExpressionRule;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.ConditionTracker;
import io.probelet.monitor.track.ConditionTracker.Problem;
import io.probelet.monitor.track.EventTracker;
import io.probelet.monitor.track.Evidence;
import io.probelet.monitor.track.SavedCondition;
import io.probelet.monitor.track.SavedCondition.SavedRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * All conditions and events of a node: passes evidence to its tracker, reports what has changed,
 * and counts problems. Immutable.
 */
final class NodeConditions {
  static final NodeConditions NONE = of(Map.of());

  private final Map<String, NamedRule> rules;
  private final Map<String, ConditionTracker> trackers;
  private final Map<String, EventTracker> events;
  private final Map<String, Long> counts;

  /**
   * The types of conditions whose healthy reason also has a metric series: those of plugins.
   */
  private final Set<String> healthyCounted;

  private final ConditionExpressions expressions;

  private NodeConditions(
      Map<String, NamedRule> rules,
      Map<String, ConditionTracker> trackers,
      Map<String, EventTracker> events,
      Map<String, Long> counts,
      Set<String> healthyCounted,
      ConditionExpressions expressions) {
    this.rules = rules;
    this.healthyCounted = healthyCounted;
    this.expressions = expressions;
    this.trackers = trackers;
    this.events = events;
    this.counts = counts;
  }

  /** A change for listeners. */
  sealed interface News {
    /** A condition has changed, or was set for the first time. */
    record Changed(Condition condition) implements News {}

    /** Something happened. */
    record Happened(NodeEvent event) implements News {}
  }

  /**
   * The next state, with its changes in order.
   *
   * @param specsChanged whether the set of observable conditions has changed (B-17)
   */
  record Progress(NodeConditions after, List<News> news, boolean specsChanged) {}

  static NodeConditions of(Map<String, Monitor> monitors) {
    Map<String, NamedRule> rules = new LinkedHashMap<>();
    Map<String, ConditionSpec> specs = new LinkedHashMap<>();
    Map<String, List<NamedRule>> ofConditions = new HashMap<>();
    Map<String, EventTracker> events = new LinkedHashMap<>();
    Map<String, Long> counts = new TreeMap<>();
    Set<String> healthyCounted = new HashSet<>();
    Map<String, ExpressionRule> expressions = new LinkedHashMap<>();
    for (Map.Entry<String, Monitor> named : monitors.entrySet()) {
      Monitor monitor = named.getValue();
      monitor
          .conditions()
          .forEach(spec -> {
            specs.putIfAbsent(spec.type(), spec);
            if (monitor instanceof Monitor.Plugins && monitor.metricsReporting()) {
              healthyCounted.add(spec.type());
            }
          });
      List<NamedRule> ofMonitor = NamedRule.of(named.getKey(), monitor);
      if (monitor instanceof Monitor.Expressions own) {
        for (int index = 0; index < ofMonitor.size(); index++) {
          expressions.put(ofMonitor.get(index).id(), own.rules().get(index));
        }
      }
      for (NamedRule rule : ofMonitor) {
        rules.put(rule.id(), rule);
        if (rule.counted()) {
          counts.putIfAbsent(rule.reason(), 0L);
        }
        switch (rule.consequence()) {
          case Consequence.OnCondition on ->
              ofConditions.computeIfAbsent(on.type(), _ -> new ArrayList<>()).add(rule);
          case Consequence.EventOnly _ -> events.put(rule.id(), EventTracker.of(rule.threshold()));
        }
      }
    }
    Map<String, ConditionTracker> trackers = new LinkedHashMap<>();
    specs.forEach((type, spec) -> {
      List<NamedRule> ofType = ofConditions.getOrDefault(type, List.of());
      if (!ofType.isEmpty()) { // no rule would ever set it
        trackers.put(type, ConditionTracker.of(spec, ofType));
      }
    });
    return new NodeConditions(
        rules, trackers, events, counts, healthyCounted, ConditionExpressions.of(expressions));
  }

  /** Takes evidence for a rule; evidence for a removed rule changes nothing. */
  Progress observe(String ruleId, Evidence evidence, ClockReading now) {
    Draft draft = new Draft(now);
    NamedRule rule = rules.get(ruleId);
    if (rule != null) {
      switch (rule.consequence()) {
        case Consequence.OnCondition on -> draft.observe(on, rule, evidence);
        case Consequence.EventOnly _ -> draft.observe(rule, evidence);
      }
    }
    return draft.done();
  }

  /** Lets time pass, and evaluates the expressions that are due. */
  Progress at(ClockReading now) {
    Draft draft = new Draft(now);
    trackers.values().forEach(before -> draft.replace(before, before.at(now)));
    draft.evaluate();
    return draft.done();
  }

  /** The mutable draft of the next state. */
  private final class Draft {
    // The current values until changed: most evidence changes one of the three.
    private Map<String, ConditionTracker> nextTrackers = trackers;
    private Map<String, EventTracker> nextEvents = events;
    private Map<String, Long> nextCounts = counts;
    private ConditionExpressions nextExpressions = expressions;
    private final List<News> news = new ArrayList<>();
    private final ClockReading now;
    private boolean specsChanged;

    Draft(ClockReading now) {
      this.now = now;
    }

    Progress done() {
      return new Progress(
          new NodeConditions(
              rules, nextTrackers, nextEvents, nextCounts, healthyCounted, nextExpressions),
          List.copyOf(news),
          specsChanged);
    }

    void observe(Consequence.OnCondition on, NamedRule rule, Evidence evidence) {
      ConditionTracker before = trackers.get(on.type());
      if (before != null) { // changes that were already due come first
        ConditionTracker due = before.at(now);
        replace(before, due);
        replace(due, due.observe(rule.id(), evidence, now));
      }
    }

    void observe(NamedRule rule, Evidence evidence) {
      EventTracker before = Objects.requireNonNull(events.get(rule.id()), rule.id());
      EventTracker.Counted step = before.observe(evidence, now);
      nextEvents = own(nextEvents, events);
      nextEvents.put(rule.id(), step.after());
      step.occurrence()
          .ifPresent(seen -> {
            count(rule);
            happened(
                new NodeEvent(
                    rule.source(), rule.reason(), seen.text(), now.wall(), true, seen.pod()));
          });
    }

    /** B-25: from the conditions as they are now. */
    void evaluate() {
      nextExpressions
          .at(nextTrackers.values(), now)
          .ifPresent(evaluation -> {
            nextExpressions = evaluation.after();
            evaluation.found().forEach(this::found);
          });
    }

    private void found(String ruleId, Evidence evidence) {
      NamedRule rule = Objects.requireNonNull(rules.get(ruleId), ruleId);
      if (rule.consequence() instanceof Consequence.OnCondition on) {
        ConditionTracker before = Objects.requireNonNull(nextTrackers.get(on.type()), on.type());
        replace(before, before.observe(ruleId, evidence, now));
      }
    }

    void replace(ConditionTracker before, ConditionTracker after) {
      nextTrackers = own(nextTrackers, trackers);
      nextTrackers.put(after.spec().type(), after);
      nextExpressions = nextExpressions.after(before, after, now);
      specsChanged |= before.isUnavailable() != after.isUnavailable();
      List<Problem> begun = begun(before, after);
      begun.forEach(problem -> count(speaker(after, problem.reason())));
      Optional<Condition> is = after.condition();
      if (is.isEmpty() || is.equals(before.condition())) {
        return;
      }
      Condition condition = is.get();
      news.add(new News.Changed(condition));
      ConditionStatus old = before.condition().map(Condition::status).orElse(FALSE);
      if (condition.status() != old) { // a new message alone is no event
        String source = speaker(after, condition.reason()).source();
        happened(NodeEvent.ofChange(source, condition, now.wall()));
      } else if (!condition.reason().equals(ConditionTracker.FLAPPING)) {
        begun.forEach(problem -> {
          String source = speaker(after, problem.reason()).source();
          happened(NodeEvent.ofProblem(source, condition.type(), problem, now.wall()));
        });
      }
    }

    private void happened(NodeEvent event) {
      news.add(new News.Happened(event));
    }

    private void count(NamedRule rule) {
      if (rule.counted()) {
        nextCounts = own(nextCounts, counts);
        nextCounts.merge(rule.reason(), 1L, Long::sum);
      }
    }
  }

  /** The next map, copied from the current state before the first write. */
  @SuppressWarnings("ReferenceEquality") // a different map already belongs to the draft
  private static <V> Map<String, V> own(Map<String, V> next, Map<String, V> before) {
    return next == before ? new LinkedHashMap<>(before) : next;
  }

  /** Problems that are new: with another reason, or for another device (B-16). */
  private static List<Problem> begun(ConditionTracker before, ConditionTracker after) {
    List<Problem> known = new ArrayList<>(before.problems());
    List<Problem> begun = new ArrayList<>();
    for (Problem problem : after.problems()) {
      if (known.stream().noneMatch(problem::isSame)) {
        known.add(problem);
        begun.add(problem);
      }
    }
    return begun;
  }

  /** The rule that gives the reason, or the first if none does. */
  private static NamedRule speaker(ConditionTracker tracker, String reason) {
    return tracker.rules().stream()
        .filter(rule -> rule.reason().equals(reason))
        .findFirst()
        .orElse(tracker.rules().getFirst());
  }

  /** {@return when time alone may change something; may be in the past} */
  Optional<ClockReading> nextWakeUp() {
    return Stream.concat(
            trackers.values().stream().flatMap(tracker -> tracker.nextWakeUp().stream()),
            expressions.nextWakeUp().stream())
        .min((one, other) -> Long.compare(one.nanos() - other.nanos(), 0));
  }

  /** {@return the conditions, in the order of the files} */
  List<Condition> conditions() {
    return trackers.values().stream().flatMap(tracker -> tracker.condition().stream()).toList();
  }

  /** {@return the details of each condition, by type} */
  Map<String, ConditionDetail> details() {
    Map<String, ConditionDetail> details = new LinkedHashMap<>();
    trackers.forEach((type, tracker) -> {
      if (tracker.condition().isPresent()) {
        details.put(
            type,
            new ConditionDetail(
                tracker.history(),
                tracker.problems().stream().map(problem -> found(tracker, problem)).toList()));
      }
    });
    return details;
  }

  private Found found(ConditionTracker tracker, Problem problem) {
    String source = speaker(tracker, problem.reason()).source();
    return new Found(source, problem.reason(), problem.device(), problem.text(), problem.since());
  }

  /** {@return the observable conditions, as far as known: without those of B-17} */
  List<ConditionSpec> specs() {
    return trackers.values().stream()
        .filter(tracker -> !tracker.isUnavailable())
        .map(ConditionTracker::spec)
        .toList();
  }

  /** {@return how often each reason came up} */
  Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  /**
   * {@return for each rule of a condition whether it holds; for plugins also whether none does
   * (A-8)}
   */
  List<NodeSnapshot.Problem> problems() {
    List<NodeSnapshot.Problem> problems = new ArrayList<>();
    trackers.forEach((type, tracker) -> {
      List<String> holding = tracker.holding();
      String healthy = tracker.spec().reason();
      if (healthyCounted.contains(type)
          && tracker.condition().isPresent()
          && !tracker.observable().contains(healthy)) {
        problems.add(new NodeSnapshot.Problem(type, healthy, false));
      }
      tracker.observable().stream()
          .filter(counts::containsKey)
          .forEach(reason ->
              problems.add(new NodeSnapshot.Problem(type, reason, holding.contains(reason))));
    });
    return problems;
  }

  /** Adopts the conditions that are already on the Node (B-4). */
  NodeConditions adopt(Collection<Condition> onNode, ClockReading now) {
    Map<String, ConditionTracker> adopted = new LinkedHashMap<>(trackers);
    for (Condition condition : onNode) {
      adopted.computeIfPresent(condition.type(), (_, tracker) -> tracker.adopt(condition, now));
    }
    return new NodeConditions(rules, adopted, events, counts, healthyCounted, expressions);
  }

  Map<String, SavedCondition> save(ClockReading now) {
    Map<String, SavedCondition> saved = new LinkedHashMap<>();
    trackers.forEach((type, tracker) -> saved.put(type, tracker.save(now)));
    return saved;
  }

  /** {@return the matches that count for the next event, for rules that have any} */
  Map<String, SavedRule> saveEvents(ClockReading now) {
    Map<String, SavedRule> saved = new LinkedHashMap<>();
    events.forEach((id, tracker) -> {
      if (!tracker.matches().isEmpty()) {
        saved.put(id, tracker.save(now));
      }
    });
    return saved;
  }

  /** Continues with the state and counters of earlier conditions (B-12). */
  NodeConditions continueFrom(NodeConditions before) {
    Map<String, Long> goneOn = new TreeMap<>(counts);
    before.counts.forEach((reason, count) -> goneOn.computeIfPresent(reason, (_, _) -> count));
    Map<String, EventTracker> counting = new LinkedHashMap<>(events);
    before.events.forEach(
        (id, tracker) -> counting.computeIfPresent(id, (_, fresh) -> fresh.continueFrom(tracker)));
    Map<String, ConditionTracker> tracking = new LinkedHashMap<>(trackers);
    before.trackers.forEach((type, tracker) ->
        tracking.computeIfPresent(type, (_, fresh) -> fresh.continueFrom(tracker)));
    return new NodeConditions(
        rules,
        tracking,
        counting,
        goneOn,
        healthyCounted,
        expressions.continueFrom(before.expressions));
  }

  /** Continues with the state saved by an earlier process (B-4). */
  NodeConditions restore(
      Map<String, SavedCondition> conditions, Map<String, SavedRule> counted, ClockReading now) {
    Map<String, ConditionTracker> tracking = new LinkedHashMap<>(trackers);
    conditions.forEach((type, saved) ->
        tracking.computeIfPresent(type, (_, tracker) -> tracker.restore(saved, now)));
    Map<String, EventTracker> counting = new LinkedHashMap<>(events);
    counted.forEach(
        (id, saved) -> counting.computeIfPresent(id, (_, tracker) -> tracker.restore(saved, now)));
    return new NodeConditions(rules, tracking, counting, counts, healthyCounted, expressions);
  }
}
