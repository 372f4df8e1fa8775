package io.probelet.monitor.node;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.node.Watch.EvidenceSink;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.CheckRule;
import io.probelet.monitor.rule.NamedRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the checks of one file, each at its interval and on its own thread: a hanging check blocks
 * no other, and no second thread is started for it (NM-12).
 */
final class CheckWatch implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(CheckWatch.class);

  /** The minimum time between runs caused by log lines. */
  static final Duration APART = Duration.ofSeconds(5);

  private final List<NodeCheckRun> runs = new ArrayList<>();
  private final List<RefreshLoop> rounds = new CopyOnWriteArrayList<>();
  private final List<SourceStats> stats = new ArrayList<>();
  private final SerialLoop clock;
  private final ExecutorService threads;

  CheckWatch(
      String name,
      Monitor.Checks monitor,
      List<NamedRule> rules,
      Function<CheckSpec, NodeCheck> checkOf,
      EvidenceSink sink,
      Function<String, SourceStats> statsOf,
      TimeSource time) {
    clock =
        SerialLoop.start(
            time.threads(),
            "checks-" + name,
            1, // its only tasks are timers
            bug ->
                LOG.error(
                    "internal error while starting a check, continuing monitor={}", name, bug));
    // Kernel files and sockets block the carrier of a virtual thread. There are never more threads
    // than checks, since runs of a check never overlap.
    threads =
        Executors.newThreadPerTaskExecutor(time.threads().ofPlatform().name("check-", 1).factory());
    Map<CheckKind, Integer> seen = new EnumMap<>(CheckKind.class);
    for (int index = 0; index < rules.size(); index++) {
      CheckRule rule = monitor.rules().get(index);
      NodeCheck check = checkOf.apply(rule.check());
      int number = seen.merge(rule.kind(), 1, Integer::sum);
      String label = rule.kind().label() + (number == 1 ? "" : "#" + number);
      SourceStats ofCheck = statsOf.apply(name + "/" + label);
      stats.add(ofCheck);
      runs.add(new NodeCheckRun(rule, rules.get(index).id(), check, ofCheck, sink));
    }
  }

  @Override
  public void start(TimeSource time) {
    for (NodeCheckRun run : runs) {
      RefreshLoop each = new RefreshLoop(run, time);
      rounds.add(each);
      each.begin();
    }
  }

  @Override
  public void runChecks(Set<CheckKind> kinds) {
    for (RefreshLoop each : rounds) {
      if (kinds.contains(each.run.rule().kind())) {
        each.soon();
      }
    }
  }

  /** Schedules the check of one rule. */
  private final class RefreshLoop {
    private final NodeCheckRun run;
    private final TimeSource time;
    private final Alarm next = clock.alarm(this::begin);
    private final Alarm soon = clock.alarm(this::beginForLine);

    // Guarded by this object's lock.
    private boolean asked;
    private long notBefore;

    RefreshLoop(NodeCheckRun run, TimeSource time) {
      this.run = run;
      this.time = time;
      notBefore = time.nanoTime();
    }

    /** A-11: immediately, or once the minimum time since the last such run is over. */
    synchronized void soon() {
      if (!asked) {
        asked = true;
        soon.set(Duration.ofNanos(notBefore - time.nanoTime()));
      }
    }

    private void beginForLine() {
      synchronized (this) {
        asked = false;
        notBefore = time.nanoTime() + APART.toNanos();
      }
      if (!begin()) { // the current run may have started before the line
        soon();
      }
    }

    boolean begin() {
      next.set(run.rule().interval());
      return run.begin(threads, (delay, task) -> clock.after(delay, task)::cancel, time);
    }
  }

  @Override
  public String position() {
    return "";
  }

  @Override
  public List<SourceView> stats() {
    return stats.stream().map(SourceStats::view).toList();
  }

  @Override
  public void close() {
    runs.forEach(NodeCheckRun::close);
    clock.close();
    threads.shutdownNow();
  }
}
