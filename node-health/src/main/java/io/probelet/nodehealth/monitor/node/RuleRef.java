package io.probelet.nodehealth.monitor.node;

import io.probelet.nodehealth.monitor.rule.Consequence;
import io.probelet.nodehealth.monitor.rule.Monitor;
import io.probelet.nodehealth.monitor.track.RuleTerms.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule of a monitor by the name it keeps over restarts.
 *
 * @param id monitor, condition and reason; numbered where that is not enough
 * @param source the monitor
 * @param consequence what follows
 * @param kind who brings the evidence
 * @param followMessage whether what is said last replaces what was said first
 * @param counted whether its problems are counted in metrics
 */
record RuleRef(
    String id,
    String source,
    Consequence consequence,
    Kind kind,
    boolean followMessage,
    boolean counted) {

  /** Names that tell monitors apart which call themselves the same. */
  static Map<String, Monitor> named(Collection<Monitor> monitors) {
    Map<String, Monitor> named = new LinkedHashMap<>();
    for (Monitor monitor : monitors) {
      String name = monitor.source();
      for (int number = 2; named.containsKey(name); number++) {
        name = monitor.source() + "#" + number;
      }
      named.put(name, monitor);
    }
    return named;
  }

  /** The rules of a monitor in its order. */
  static List<RuleRef> of(String name, Monitor monitor) {
    return switch (monitor) {
      case Monitor.Log log ->
          refs(
              name,
              log,
              log.rules().stream().map(rule -> rule.consequence()).toList(),
              Kind.LOG,
              false);
      case Monitor.Plugins plugins ->
          refs(
              name,
              plugins,
              plugins.rules().stream().map(rule -> rule.consequence()).toList(),
              Kind.ACTIVE,
              plugins.followMessage());
      case Monitor.Checks checks ->
          refs(
              name,
              checks,
              checks.rules().stream().map(rule -> rule.consequence()).toList(),
              Kind.ACTIVE,
              true); // a check says the same as long as the same is wrong
    };
  }

  private static List<RuleRef> refs(
      String monitorName,
      Monitor monitor,
      List<Consequence> consequences,
      Kind kind,
      boolean followMessage) {
    Map<String, Integer> seen = new HashMap<>();
    List<RuleRef> refs = new ArrayList<>();
    for (Consequence consequence : consequences) {
      String type =
          switch (consequence) {
            case Consequence.EventOnly _ -> "";
            case Consequence.OnCondition on -> on.type();
          };
      String name = monitorName + "/" + type + "/" + consequence.reason();
      int number = seen.merge(name, 1, Integer::sum);
      refs.add(
          new RuleRef(
              number == 1 ? name : name + "#" + number,
              monitor.source(),
              consequence,
              kind,
              followMessage,
              monitor.metricsReporting()));
    }
    return refs;
  }
}
