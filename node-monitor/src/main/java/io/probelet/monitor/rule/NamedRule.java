package io.probelet.monitor.rule;

import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A rule of a monitor with an ID that is stable over restarts.
 *
 * @param id monitor, condition and reason; numbered if not unique
 * @param followMessage whether the newest message replaces the first
 * @param counted whether its problems are counted in metrics
 */
public record NamedRule(
    String id,
    String source,
    Consequence consequence,
    Kind kind,
    boolean followMessage,
    boolean counted) {

  /** The kind of source. */
  public enum Kind {
    /** Log lines: they report that something happens, rarely that it is over. */
    LOG,
    /** A plugin, a check or an expression, which reports the present state. */
    ACTIVE
  }

  /** {@return the reason of the event, or of the condition while the rule holds} */
  public String reason() {
    return consequence.reason();
  }

  /** {@return how much evidence is required} */
  public EvidenceThreshold threshold() {
    return consequence.threshold();
  }

  /**
   * Names monitors.
   *
   * @param monitors any
   * @return each by its name, made unique if necessary
   */
  public static Map<String, Monitor> named(Collection<Monitor> monitors) {
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

  /**
   * Names the rules of a monitor.
   *
   * @param name the monitor's own
   * @return the named rules, in the monitor's order
   */
  public static List<NamedRule> of(String name, Monitor monitor) {
    Names names = new Names(name);
    return switch (monitor) {
      case Monitor.Log log ->
          log.rules().stream()
              .map(rule -> names.rule(log, rule.consequence(), Kind.LOG, false))
              .toList();
      case Monitor.Plugins plugins ->
          plugins.rules().stream()
              .map(rule ->
                  names.rule(plugins, rule.consequence(), Kind.ACTIVE, plugins.followMessage()))
              .toList();
      case Monitor.Checks checks -> // a check's message stays the same while the problem does
          checks.rules().stream()
              .map(rule -> names.rule(checks, rule.consequence(), Kind.ACTIVE, true))
              .toList();
      case Monitor.Expressions expressions ->
          expressions.rules().stream()
              .map(rule -> names.rule(expressions, rule.consequence(), Kind.ACTIVE, true))
              .toList();
    };
  }

  /** Gives each rule of a monitor a unique name. */
  private static final class Names {
    private final String monitorName;
    private final Map<String, Integer> seen = new HashMap<>();

    Names(String monitorName) {
      this.monitorName = monitorName;
    }

    NamedRule rule(Monitor monitor, Consequence consequence, Kind kind, boolean followMessage) {
      String type =
          switch (consequence) {
            case Consequence.EventOnly _ -> "";
            case Consequence.OnCondition on -> on.type();
          };
      String name = monitorName + "/" + type + "/" + consequence.reason();
      int number = seen.merge(name, 1, Integer::sum);
      return new NamedRule(
          number == 1 ? name : name + "#" + number,
          monitor.source(),
          consequence,
          kind,
          followMessage,
          monitor.metricsReporting());
    }
  }
}
