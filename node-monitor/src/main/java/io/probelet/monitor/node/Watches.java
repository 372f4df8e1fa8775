package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.Monitor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The running monitors by name. When the configuration changes, unchanged ones continue undisturbed
 * (B-12). Belongs to one thread.
 */
final class Watches {
  private final WatchFactory factory;
  private final TimeSource time;
  private Map<String, Running> running = new LinkedHashMap<>();

  /** The previous monitor of each name, whose read position its successor may use. */
  private final Map<String, Monitor> before = new HashMap<>();

  /** A running watch and its monitor. */
  private record Running(Monitor monitor, Watch watch) {}

  Watches(WatchFactory factory, TimeSource time) {
    this.factory = factory;
    this.time = time;
  }

  /** {@return whether no monitor runs} */
  boolean isEmpty() {
    return running.isEmpty();
  }

  /** Stops removed and changed monitors; their read positions are kept until others start. */
  void closeAllBut(Map<String, Monitor> wanted) {
    running.forEach((name, each) -> {
      if (!each.monitor().equals(wanted.get(name))) {
        each.watch().close();
        before.put(name, each.monitor());
      }
    });
  }

  /**
   * Starts the monitors that do not run yet.
   *
   * @param positions the read positions, by monitor name
   */
  int begin(Map<String, Monitor> wanted, Map<String, String> positions) {
    Map<String, Running> next = new LinkedHashMap<>();
    List<Watch> begun = new ArrayList<>();
    wanted.forEach((name, monitor) -> {
      Running kept = running.get(name);
      if (kept == null || !kept.monitor().equals(monitor)) {
        String position = isAnotherLog(name, monitor) ? "" : positions.getOrDefault(name, "");
        Watch watch = factory.of(name, monitor, position);
        begun.add(watch);
        kept = new Running(monitor, watch);
      }
      next.put(name, kept);
    });
    running = next;
    before.clear();
    factory.forgetAllBut(stats());
    begun.forEach(watch -> watch.start(time));
    return begun.size();
  }

  private boolean isAnotherLog(String name, Monitor monitor) {
    return before.get(name) instanceof Monitor.Log old
        && monitor instanceof Monitor.Log log
        && !old.input().equals(log.input());
  }

  /** Runs the checks of these kinds soon. */
  void runChecks(Set<CheckKind> kinds) {
    running.values().forEach(each -> each.watch().runChecks(kinds));
  }

  /** {@return the read position of each log} */
  Map<String, String> positions() {
    Map<String, String> positions = new LinkedHashMap<>();
    running.forEach((name, each) -> positions.put(name, each.watch().position()));
    return positions;
  }

  /** {@return the state of all sources} */
  List<SourceView> stats() {
    return running.values().stream().flatMap(each -> each.watch().stats().stream()).toList();
  }
}
