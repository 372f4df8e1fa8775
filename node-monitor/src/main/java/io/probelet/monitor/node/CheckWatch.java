package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.check.Check;
import io.probelet.monitor.check.Checks;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.rule.CheckKind;
import io.probelet.monitor.rule.CheckRule;
import io.probelet.monitor.rule.Monitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Runs the checks of one file, each at its interval and on a thread of its own: one that hangs
 * hangs alone, and no second thread is sent after it (NM-12).
 */
final class CheckWatch implements Watch {
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final List<CheckRun> runs = new ArrayList<>();
  private final List<SourceStats> stats = new ArrayList<>();
  private final ScheduledThreadPoolExecutor clock;
  private final ThreadPoolExecutor threads;

  CheckWatch(
      String name,
      Monitor.Checks monitor,
      List<RuleRef> rules,
      Machine machine,
      EvidenceSink sink,
      Function<String, SourceStats> statsOf) {
    clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("checks-" + name).factory());
    clock.setRemoveOnCancelPolicy(true);
    // Files and sockets of the kernel hold the carrier of a virtual thread. There are never more
    // threads than checks, since no check runs beside itself.
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE.toNanos(),
            TimeUnit.NANOSECONDS,
            new SynchronousQueue<>(),
            Thread.ofPlatform().daemon().name("check-", 1).factory());
    Map<CheckKind, Integer> seen = new EnumMap<>(CheckKind.class);
    for (int index = 0; index < rules.size(); index++) {
      CheckRule rule = monitor.rules().get(index);
      Check check = Checks.of(rule.check(), machine);
      int number = seen.merge(rule.kind(), 1, Integer::sum);
      String label = rule.kind().label() + (number == 1 ? "" : "#" + number);
      SourceStats ofCheck = statsOf.apply(name + "/" + label);
      stats.add(ofCheck);
      runs.add(new CheckRun(rule, rules.get(index).id(), check, ofCheck, sink));
    }
  }

  @Override
  public void start(TimeSource time) {
    Executor own = threads;
    CheckRun.Alarm alarm =
        (wait, task) -> {
          var _ = clock.schedule(task, wait.toNanos(), TimeUnit.NANOSECONDS);
        };
    for (CheckRun run : runs) {
      long interval = run.rule().interval().toNanos();
      var _ =
          clock.scheduleAtFixedRate(
              () -> run.begin(own, alarm, time), 0, interval, TimeUnit.NANOSECONDS);
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
    runs.forEach(CheckRun::close);
    clock.shutdownNow();
    threads.shutdownNow();
  }
}
