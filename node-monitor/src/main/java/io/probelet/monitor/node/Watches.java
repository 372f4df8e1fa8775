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
 * The monitors at work, by their names. When others are wanted, those that stay the same go on
 * undisturbed (B-12). Belongs to one thread.
 */
final class Watches {
  private final WatchFactory factory;
  private final TimeSource time;
  private Map<String, Running> running = new LinkedHashMap<>();

  /** The monitor of a name before, whose place in its log means something to its successor. */
  private final Map<String, Monitor> before = new HashMap<>();

  /** What is at work, and why. */
  private record Running(Monitor monitor, Watch watch) {}

  Watches(WatchFactory factory, TimeSource time) {
    this.factory = factory;
    this.time = time;
  }

  /** {@return whether nothing is watched} */
  boolean isEmpty() {
    return running.isEmpty();
  }

  /** Ends what is not wanted any more, or not so; their places stay known until others begin. */
  void closeAllBut(Map<String, Monitor> wanted) {
    running.forEach((name, each) -> {
      if (!each.monitor().equals(wanted.get(name))) {
        each.watch().close();
        before.put(name, each.monitor());
      }
    });
  }

  /**
   * Begins what is wanted and not at work.
   *
   * @param positions up to where each log has been read, by the monitor's name
   */
  int begin(Map<String, Monitor> wanted, Map<String, String> positions) {
    Map<String, Running> next = new LinkedHashMap<>();
    List<Watch> begun = new ArrayList<>();
    wanted.forEach((name, monitor) -> {
      Running goesOn = running.get(name);
      if (goesOn == null || !goesOn.monitor().equals(monitor)) {
        String position = isAnotherLog(name, monitor) ? "" : positions.getOrDefault(name, "");
        Watch watch = factory.of(name, monitor, position);
        begun.add(watch);
        goesOn = new Running(monitor, watch);
      }
      next.put(name, goesOn);
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

  /** {@return up to where each log has been read} */
  Map<String, String> positions() {
    Map<String, String> positions = new LinkedHashMap<>();
    running.forEach((name, each) -> positions.put(name, each.watch().position()));
    return positions;
  }

  /** {@return how all sources of evidence are doing} */
  List<SourceView> stats() {
    return running.values().stream().flatMap(each -> each.watch().stats().stream()).toList();
  }
}
