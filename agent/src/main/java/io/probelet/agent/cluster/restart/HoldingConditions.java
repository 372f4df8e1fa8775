package io.probelet.agent.cluster.restart;

import io.probelet.agent.config.GuardSettings;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.rule.ConditionSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Conditions of the node for which an administrator puts restarts on hold (MW-13). Each has a hold
 * of its own, so that one that lasts longer than its hold leaves all other holds in force. Changes
 * of conditions may come from any thread; holds are asked for under the gate's lock.
 */
final class HoldingConditions implements MonitorListener {
  private final Map<String, Problem> problems = new ConcurrentSkipListMap<>();

  /** Why a condition is True, and the hold for it since then. */
  private record Problem(String reason, Hold hold) {}

  @Override
  public void watching(List<ConditionSpec> specs) {
    problems
        .keySet()
        .retainAll(specs.stream().map(ConditionSpec::type).collect(Collectors.toSet()));
  }

  @Override
  public void conditionChanged(Condition condition) {
    if (condition.status() == ConditionStatus.TRUE) {
      problems.compute(
          condition.type(),
          (_, known) -> new Problem(condition.reason(), known == null ? new Hold() : known.hold()));
    } else {
      problems.remove(condition.type());
    }
  }

  /** {@return why restarts are to be held now; empty if no condition holds them any more} */
  Optional<String> holds(GuardSettings limits, long now) {
    // Each is asked, so that holds for conditions that are True together end together.
    List<String> reasons =
        named(limits, (trouble, hold) -> hold.holds(trouble, limits.hold(), now)).toList();
    return reasons.stream().findFirst();
  }

  /** {@return how the holds stand that have begun; changes nothing} */
  Stream<Hold.Standing> standing(GuardSettings limits, long now) {
    return named(limits, (trouble, hold) -> hold.standing(trouble, limits.hold(), now));
  }

  /** {@return how a restart would be held if it were asked for now; changes nothing} */
  Optional<Hold.Standing> expected(GuardSettings limits, long now) {
    return named(limits, (trouble, hold) -> hold.expected(trouble, limits.hold(), now)).findFirst();
  }

  /** {@return what is wrong with the node, by the first such condition; empty if none is True} */
  Optional<String> trouble(GuardSettings limits) {
    return named(limits, (trouble, _) -> trouble).findFirst();
  }

  /** Asks for each condition that is True and named by the settings, by type. */
  private <T> Stream<T> named(
      GuardSettings limits, BiFunction<Optional<String>, Hold, Optional<T>> question) {
    return problems.entrySet().stream()
        .filter(each -> limits.conditions().contains(each.getKey()))
        .flatMap(each ->
            question
                .apply(
                    Optional.of(
                        "node condition %s is True, reason %s"
                            .formatted(each.getKey(), each.getValue().reason())),
                    each.getValue().hold())
                .stream());
  }
}
