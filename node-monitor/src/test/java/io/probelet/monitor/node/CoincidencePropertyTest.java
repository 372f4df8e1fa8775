package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.health.RandomCase;
import io.probelet.monitor.node.SimpleNode.SimpleCondition;
import io.probelet.monitor.node.SimpleNode.SimpleRule;
import io.probelet.monitor.node.SimpleNode.Terms;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Random evidence at moments that coincide with due transitions, against a model that evaluates
 * every second.
 */
class CoincidencePropertyTest {
  private static final int RUNS = 100;
  private static final int SECONDS = 60;
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  /** The monitor's loop in virtual time: it wakes up on time, or slightly late. */
  private static final class Loop {
    final ManualClock clock = new ManualClock(START);
    private NodeConditions conditions;
    private final RandomCase random;
    private final boolean late;
    private Optional<ClockReading> wakeUp = Optional.empty();
    private int busyUntil;

    Loop(Map<String, Monitor> monitors, RandomCase random, boolean late) {
      conditions = NodeConditions.of(monitors);
      this.random = random;
      this.late = late;
    }

    ClockReading now() {
      return ClockReading.of(clock);
    }

    void observe(String rule, Evidence evidence) {
      conditions = conditions.observe(rule, evidence, now()).after();
      wakeUp = conditions.nextWakeUp();
    }

    boolean isDue() {
      return wakeUp.filter(due -> now().reached(due)).isPresent();
    }

    /** Wakes up if that is due and nothing else keeps the loop busy. */
    void maybeWakeUp(int second) {
      if (isDue() && late && second >= busyUntil && random.between(0, 2) == 0) {
        busyUntil = second + random.between(1, 3);
      }
      for (int round = 0; isDue() && second >= busyUntil; round++) {
        assertThat(round).as("it wakes up for ever").isLessThan(10);
        conditions = conditions.at(now()).after();
        wakeUp = conditions.nextWakeUp();
      }
    }
  }

  @Test
  @DisplayName("B-2 no debounce, clear, hold or flapping transition is lost by coincidence")
  void sameAsLookingEverySecond() {
    RandomCase.tries(RUNS, random -> assertThat(play(random, false)).isEmpty());
  }

  @Test
  @DisplayName("B-2 a late loop loses no transition")
  void sameWhenLate() {
    RandomCase.tries(RUNS, random -> assertThat(play(random, true)).isEmpty());
  }

  /** Returns the difference and its history; empty if there is none. */
  private static String play(RandomCase random, boolean late) {
    SimpleNode simple =
        new SimpleNode(List.of(condition("A", random, late), condition("B", random, late)));
    Map<String, Monitor> monitors = new LinkedHashMap<>();
    simple.conditions().forEach(condition -> monitors.putAll(monitors(condition)));
    Loop loop = new Loop(monitors, random, late);
    List<String> story = new ArrayList<>();
    if (late) { // while a rule is unheard of what was said once is kept, and depends on the past
      simple.second(0);
      simple
          .conditions()
          .forEach(condition ->
              condition
                  .rules()
                  .forEach(rule -> {
                    Evidence first =
                        rule.terms.log()
                            ? new Evidence.Watching()
                            : new Evidence.Reported(ConditionStatus.FALSE, "");
                    condition.see(rule, first, 0);
                    loop.observe(id(condition, rule), first);
                  }));
    }
    for (int second = 0; second < SECONDS; second++) {
      simple.second(second);
      for (int pieces = random.between(0, 3); pieces > 1; pieces--) {
        if (random.of(true, false)) {
          loop.maybeWakeUp(second);
        }
        SimpleCondition condition = random.of(simple.conditions());
        SimpleRule rule = random.of(condition.rules());
        Evidence evidence = evidence(rule.terms.log(), random);
        story.add(second + "s " + rule.terms.id() + " " + evidence);
        condition.see(rule, evidence, second);
        loop.observe(id(condition, rule), evidence);
      }
      loop.maybeWakeUp(second);
      if (!loop.isDue()) {
        String different = difference(simple, loop.conditions, second, late);
        if (!different.isEmpty()) {
          return describe(simple) + String.join("\n", story) + "\n" + different;
        }
      }
      loop.clock.advance(Duration.ofSeconds(1));
    }
    return "";
  }

  private static SimpleCondition condition(String type, RandomCase random, boolean late) {
    List<SimpleRule> rules = new ArrayList<>();
    for (int number = random.between(1, 3); number > 0; number--) {
      boolean log = random.of(true, false);
      int minCount = log ? random.between(1, 2) : 1;
      rules.add(
          new SimpleRule(
              new Terms(
                  type + number,
                  log,
                  random.between(0, 4),
                  random.between(0, 2) * random.between(0, 3),
                  minCount,
                  minCount == 1 ? 0 : random.between(1, 5))));
    }
    // A loop that is late may miss a change that has been undone since, and need not count it.
    int flapCount = late ? 0 : random.of(0, 2, 4);
    return new SimpleCondition(type, random.between(1, 6), flapCount, random.between(1, 9), rules);
  }

  private static Map<String, Monitor> monitors(SimpleCondition condition) {
    Map<String, Monitor> monitors = new LinkedHashMap<>();
    for (SimpleRule rule : condition.rules()) {
      monitors.put(rule.terms.id(), read(file(condition, rule.terms)));
    }
    return monitors;
  }

  private static String file(SimpleCondition condition, Terms terms) {
    String kind =
        terms.log()
            ? "'plugin': 'kmsg', 'source': 'log'"
            : "'plugin': 'custom', 'source': 'plugin', 'pluginConfig': {}";
    String what = terms.log() ? "'pattern': 'x'" : "'path': '/x'";
    String clear = terms.clearAfter() == 0 ? "" : ", 'clearAfter': '" + terms.clearAfter() + "s'";
    String window = terms.minCount() == 1 ? "" : ", 'window': '" + terms.window() + "s'";
    return "{%s, 'conditions': [%s], 'rules': [{'type': 'permanent', %s, %s}]}"
        .formatted(
            kind,
            condition.spec(),
            what,
            "'condition': '%s', 'reason': '%s', 'debounce': '%ds', 'minCount': %d%s%s"
                .formatted(
                    condition.type, terms.id(), terms.debounce(), terms.minCount(), window, clear));
  }

  private static String id(SimpleCondition condition, SimpleRule rule) {
    return rule.terms.id() + "/" + condition.type + "/" + rule.terms.id();
  }

  private static Evidence evidence(boolean log, RandomCase random) {
    if (log) {
      return random.of(
          new Evidence.Matched("x"),
          new Evidence.Matched("x"),
          new Evidence.Cleared(),
          new Evidence.Watching(),
          new Evidence.Lost("gone"));
    }
    Evidence bad = new Evidence.Reported(ConditionStatus.TRUE, "x");
    Evidence well = new Evidence.Reported(ConditionStatus.FALSE, "");
    return random.of(
        bad,
        bad,
        bad,
        well,
        well,
        well,
        new Evidence.Reported(ConditionStatus.UNKNOWN, "x"),
        new Evidence.Hanging("x"),
        new Evidence.Lost("gone"));
  }

  private static String difference(
      SimpleNode simple, NodeConditions conditions, int second, boolean late) {
    Map<String, Condition> told =
        conditions.conditions().stream()
            .collect(Collectors.toMap(Condition::type, condition -> condition));
    for (SimpleCondition expected : simple.conditions()) {
      Condition found = told.get(expected.type);
      String is =
          found == null
              ? "nothing"
              : "%s %s since %d"
                  .formatted(
                      found.status(),
                      found.reason(),
                      Duration.between(START, found.lastTransitionTime()).toSeconds());
      if (late
          ? !withoutTime(is).equals(withoutTime(expected.told()))
          : !is.equals(expected.told())) {
        return "%ds %s: expected %s, found %s"
            .formatted(second, expected.type, expected.told(), is);
      }
    }
    return "";
  }

  private static String withoutTime(String told) {
    return told.replaceAll(" since \\d+", "");
  }

  private static String describe(SimpleNode simple) {
    return simple.conditions().stream()
        .map(condition ->
            condition.spec() + " " + condition.rules().stream().map(rule -> rule.terms).toList())
        .collect(Collectors.joining("\n", "\n", "\n"));
  }
}
