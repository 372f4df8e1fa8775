package io.probelet.agent.cluster.restart;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.rule.ConditionSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;

/** Conditions of the node for which an administrator puts restarts on hold (MW-13). Thread-safe. */
final class HoldingConditions implements MonitorListener {
  private final Map<String, String> problems = new ConcurrentSkipListMap<>();

  @Override
  public void watching(List<ConditionSpec> specs) {
    problems
        .keySet()
        .retainAll(specs.stream().map(ConditionSpec::type).collect(Collectors.toSet()));
  }

  @Override
  public void conditionChanged(Condition condition) {
    if (condition.status() == ConditionStatus.TRUE) {
      problems.put(condition.type(), condition.reason());
    } else {
      problems.remove(condition.type());
    }
  }

  /**
   * {@return what is wrong with the node, by the first of these conditions that is True; empty if
   * none is}
   */
  Optional<String> trouble(Set<String> types) {
    return problems.entrySet().stream()
        .filter(each -> types.contains(each.getKey()))
        .findFirst()
        .map(each ->
            "node condition %s is True, reason %s".formatted(each.getKey(), each.getValue()));
  }
}
