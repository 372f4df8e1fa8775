package io.probelet.monitor.node;

import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.RuleTerms;
import io.probelet.monitor.track.RuleTerms.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A rule of a monitor by the name it keeps over restarts.
 *
 * @param id monitor, condition and reason; numbered where that is not enough
 * @param source the monitor
 * @param consequence what follows
 * @param kind who brings the evidence
 * @param followMessage whether what is said last replaces what was said first
 * @param counted whether its problems are counted in metrics
 * @param devices finds the device that a text of the rule's names; empty if it names none (B-15)
 */
record RuleRef(
    String id,
    String source,
    Consequence consequence,
    Kind kind,
    boolean followMessage,
    boolean counted,
    UnaryOperator<String> devices) {

  /** The rule as the tracker of its condition sees it. */
  RuleTerms terms(Consequence.OnCondition on) {
    return new RuleTerms(id, on.reason(), on.patience(), kind, followMessage, devices);
  }

  /** Names for monitors, made distinct where two have the same. */
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
    Names names = new Names(name);
    return switch (monitor) {
      case Monitor.Log log ->
          log.rules().stream()
              .map(rule -> names.ref(log, rule.consequence(), Kind.LOG, false, rule::deviceIn))
              .toList();
      case Monitor.Plugins plugins ->
          plugins.rules().stream()
              .map(rule ->
                  names.ref(
                      plugins, rule.consequence(), Kind.ACTIVE, plugins.followMessage(), _ -> ""))
              .toList();
      case Monitor.Checks checks -> // a check says the same as long as the same is wrong
          checks.rules().stream()
              .map(rule -> names.ref(checks, rule.consequence(), Kind.ACTIVE, true, _ -> ""))
              .toList();
    };
  }

  /** Gives each rule of a monitor a name of its own. */
  private static final class Names {
    private final String monitorName;
    private final Map<String, Integer> seen = new HashMap<>();

    Names(String monitorName) {
      this.monitorName = monitorName;
    }

    RuleRef ref(
        Monitor monitor,
        Consequence consequence,
        Kind kind,
        boolean followMessage,
        UnaryOperator<String> devices) {
      String type =
          switch (consequence) {
            case Consequence.EventOnly _ -> "";
            case Consequence.OnCondition on -> on.type();
          };
      String name = monitorName + "/" + type + "/" + consequence.reason();
      int number = seen.merge(name, 1, Integer::sum);
      return new RuleRef(
          number == 1 ? name : name + "#" + number,
          monitor.source(),
          consequence,
          kind,
          followMessage,
          monitor.metricsReporting(),
          devices);
    }
  }
}
