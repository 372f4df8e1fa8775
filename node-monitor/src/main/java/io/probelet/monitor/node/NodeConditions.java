package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EventOnly;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Patience;
import io.probelet.monitor.track.ConditionTracker;
import io.probelet.monitor.track.ConditionTracker.Problem;
import io.probelet.monitor.track.Evidence;
import io.probelet.monitor.track.Moment;
import io.probelet.monitor.track.PodTrace;
import io.probelet.monitor.track.RuleTerms;
import io.probelet.monitor.track.SavedCondition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All conditions and events of a node: hands evidence to the right tracker, tells listeners what
 * came of it and counts problems. Holds no clock, and belongs to one thread.
 */
final class NodeConditions {
  private final Map<String, ConditionTracker> trackers = new LinkedHashMap<>();
  private final Map<String, RuleRef> rules = new LinkedHashMap<>();
  private final Map<String, List<Moment>> matches = new HashMap<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final MonitorListener listener;

  NodeConditions(Map<String, Monitor> monitors, MonitorListener listener) {
    this.listener = listener;
    Map<String, ConditionSpec> specs = new LinkedHashMap<>();
    Map<String, List<RuleTerms>> terms = new HashMap<>();
    for (Map.Entry<String, Monitor> named : monitors.entrySet()) {
      named.getValue().conditions().forEach(spec -> specs.putIfAbsent(spec.type(), spec));
      for (RuleRef rule : RuleRef.of(named.getKey(), named.getValue())) {
        rules.put(rule.id(), rule);
        if (rule.counted()) {
          counts.putIfAbsent(rule.consequence().reason(), 0L);
        }
        if (rule.consequence() instanceof Consequence.OnCondition on) {
          terms.computeIfAbsent(on.type(), _ -> new ArrayList<>()).add(terms(rule, on));
        }
      }
    }
    specs.forEach((type, spec) -> {
      List<RuleTerms> ofType = terms.getOrDefault(type, List.of());
      if (!ofType.isEmpty()) { // nobody would ever say anything about it
        trackers.put(type, ConditionTracker.of(spec, ofType));
      }
    });
  }

  private static RuleTerms terms(RuleRef rule, Consequence.OnCondition on) {
    return new RuleTerms(
        rule.id(), on.reason(), on.patience(), rule.kind(), rule.followMessage(), rule.devices());
  }

  /** Takes evidence for a rule; a rule that is not known any more changes nothing. */
  void observe(String ruleId, Evidence evidence, Moment now) {
    RuleRef rule = rules.get(ruleId);
    if (rule == null) {
      return;
    }
    switch (rule.consequence()) {
      case Consequence.OnCondition on -> {
        ConditionTracker before = trackers.get(on.type());
        if (before != null) { // what was due comes first, in whichever order the two are thought of
          ConditionTracker due = before.at(now);
          replace(before, due, now);
          replace(due, due.observe(ruleId, evidence, now), now);
        }
      }
      case EventOnly event -> temporary(rule, event, evidence, now);
    }
  }

  private void temporary(RuleRef rule, EventOnly event, Evidence evidence, Moment now) {
    switch (evidence) {
      case Evidence.Matched(String text, PodTrace pod, _) -> happened(rule, event, text, pod, now);
      // on every run that is not OK.
      case Evidence.Reported(ConditionStatus status, String message, _) when status != FALSE ->
          happened(rule, event, message, null, now);
      case Evidence.Hanging(String why) -> happened(rule, event, why, null, now);
      case Evidence.Reported _, Evidence.Cleared _, Evidence.Watching(), Evidence.Lost _ -> {}
    }
  }

  private void happened(
      RuleRef rule, EventOnly event, String text, @Nullable PodTrace pod, Moment now) {
    Patience patience = event.patience();
    if (patience.minCount() > 1) { // B-2
      List<Moment> recent = matches.computeIfAbsent(rule.id(), _ -> new ArrayList<>());
      recent.removeIf(match -> now.since(match).compareTo(patience.window()) > 0);
      recent.add(now);
      if (recent.size() < patience.minCount()) {
        return;
      }
      recent.clear();
    }
    count(rule);
    listener.happened(new NodeEvent(rule.source(), event.reason(), text, now.wall(), true, pod));
  }

  private void count(RuleRef rule) {
    if (rule.counted()) {
      counts.merge(rule.consequence().reason(), 1L, Long::sum);
    }
  }

  /** Lets time pass. */
  void at(Moment now) {
    for (ConditionTracker before : List.copyOf(trackers.values())) {
      replace(before, before.at(now), now);
    }
  }

  private void replace(ConditionTracker before, ConditionTracker after, Moment now) {
    trackers.put(after.spec().type(), after);
    List<Problem> begun = begun(before, after);
    begun.forEach(problem -> count(speaker(after, problem.reason())));
    Optional<Condition> was = before.condition();
    Optional<Condition> is = after.condition();
    if (is.isEmpty() || is.equals(was)) {
      return;
    }
    listener.conditionChanged(is.get());
    ConditionStatus old = was.map(Condition::status).orElse(FALSE);
    if (is.get().status() != old) { // other words about the same are no event
      changed(is.get(), speaker(after, is.get().reason()), now);
    } else if (!is.get().reason().equals(ConditionTracker.FLAPPING)) {
      begun.forEach(problem -> alsoHolds(is.get(), problem, speaker(after, problem.reason()), now));
    }
  }

  /** What holds now and did not before: by another reason, or for another device (B-16). */
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

  private void alsoHolds(Condition condition, Problem problem, RuleRef speaker, Moment now) {
    listener.happened(
        new NodeEvent(
            speaker.source(),
            problem.reason(),
            text(condition.type(), TRUE, problem.reason(), problem.text()),
            now.wall(),
            true));
  }

  private void changed(Condition condition, RuleRef speaker, Moment now) {
    listener.happened(
        new NodeEvent(
            speaker.source(),
            condition.reason(),
            text(condition.type(), condition.status(), condition.reason(), condition.message()),
            now.wall(),
            condition.status() != FALSE));
  }

  /** In node-problem-detector's words, which alerts are written for. */
  private static String text(String type, ConditionStatus status, String reason, String message) {
    return "Node condition %s is now: %s, reason: %s, message: \"%s\""
        .formatted(type, status, reason, message.replace("\\", "\\\\").replace("\"", "\\\""));
  }

  /** The rule that gives the reason, or the first if none does. */
  private RuleRef speaker(ConditionTracker tracker, String reason) {
    RuleTerms terms =
        tracker.rules().stream()
            .filter(rule -> rule.reason().equals(reason))
            .findFirst()
            .orElse(tracker.rules().getFirst());
    return Objects.requireNonNull(rules.get(terms.id()), terms.id());
  }

  /** {@return when time alone might change something; what is due already is not left out} */
  Optional<Moment> nextWakeUp() {
    return trackers.values().stream()
        .flatMap(tracker -> tracker.nextWakeUp().stream())
        .min((one, other) -> Long.compare(one.nanos() - other.nanos(), 0));
  }

  /** {@return what is said, in the order of the files} */
  List<Condition> conditions() {
    return trackers.values().stream().flatMap(tracker -> tracker.condition().stream()).toList();
  }

  /** {@return the conditions that can be said} */
  List<ConditionSpec> specs() {
    return trackers.values().stream().map(ConditionTracker::spec).toList();
  }

  /** {@return how often each reason came up} */
  Map<String, Long> counts() {
    return Map.copyOf(counts);
  }

  /** {@return for each rule of a condition whether it holds } */
  List<NodeSnapshot.Problem> problems() {
    List<NodeSnapshot.Problem> problems = new ArrayList<>();
    trackers.forEach((type, tracker) -> {
      List<String> holding = tracker.holding();
      tracker.rules().stream()
          .map(RuleTerms::reason)
          .filter(counts::containsKey)
          .distinct()
          .forEach(reason ->
              problems.add(new NodeSnapshot.Problem(type, reason, holding.contains(reason))));
    });
    return problems;
  }

  /** Takes over what is on the node already (B-4). */
  void adopt(Collection<Condition> onNode, Moment now) {
    for (Condition condition : onNode) {
      trackers.computeIfPresent(condition.type(), (_, tracker) -> tracker.adopt(condition, now));
    }
  }

  Map<String, SavedCondition> save() {
    Map<String, SavedCondition> saved = new LinkedHashMap<>();
    trackers.forEach((type, tracker) -> saved.put(type, tracker.save()));
    return saved;
  }

  /** Goes on with what others before these have counted and know (B-12). */
  void goOnFrom(NodeConditions before) {
    before.counts.forEach((reason, count) -> counts.computeIfPresent(reason, (_, _) -> count));
    before.matches.forEach((id, recent) -> {
      if (rules.containsKey(id)) {
        matches.put(id, recent);
      }
    });
    before.trackers.forEach((type, tracker) ->
        trackers.computeIfPresent(type, (_, fresh) -> fresh.goingOnFrom(tracker)));
  }

  void restore(Map<String, SavedCondition> saved, Moment now) {
    saved.forEach((type, condition) ->
        trackers.computeIfPresent(type, (_, tracker) -> tracker.restore(condition, now)));
  }
}
