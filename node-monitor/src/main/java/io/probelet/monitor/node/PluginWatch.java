package io.probelet.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.health.FailureReason;
import io.probelet.health.TimeSource;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.node.Watch.EvidenceSink;
import io.probelet.monitor.plugin.PluginResult;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.source.Pause;
import io.probelet.monitor.track.Evidence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the plugins of one file, each at its interval and without overlap, and at most as many at
 * once as the file allows.
 */
final class PluginWatch implements Watch {
  private static final Logger LOG = LoggerFactory.getLogger(PluginWatch.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final Monitor.Plugins monitor;
  private final List<NamedRule> rules;
  private final Runner runner;
  private final EvidenceSink sink;
  private final SourceStats stats;
  private final Semaphore slots;
  private final Pause pause = new Pause();
  private final List<Thread> threads = new ArrayList<>();

  /** The reason for each rule that does not run; guarded by itself. */
  private final Map<String, String> notRun = new HashMap<>();

  /** Runs a plugin; see {@link NodeSources#run}. */
  @FunctionalInterface
  interface Runner {
    PluginResult run(PluginRule rule, int maxOutputLength) throws InterruptedException;
  }

  PluginWatch(
      Monitor.Plugins monitor,
      List<NamedRule> rules,
      Runner runner,
      EvidenceSink sink,
      SourceStats stats) {
    this.runner = runner;
    this.monitor = monitor;
    this.rules = rules;
    this.sink = sink;
    this.stats = stats;
    slots = new Semaphore(monitor.concurrency(), true);
  }

  @Override
  public void start(TimeSource time) {
    for (int index = 0; index < rules.size(); index++) {
      NamedRule named = rules.get(index);
      PluginRule rule = monitor.rules().get(index);
      threads.add(
          time.threads()
              .ofVirtual()
              .name("plugin-" + named.id())
              .start(() -> repeat(named, rule, time)));
    }
  }

  private void repeat(NamedRule named, PluginRule rule, TimeSource time) {
    try {
      Duration wait;
      do {
        long start = time.nanoTime();
        run(named, rule, time);
        // After a run longer than the interval, one further run follows immediately.
        Duration rest = rule.interval().minusNanos(time.nanoTime() - start);
        wait = rest.isNegative() ? Duration.ZERO : rest;
      } while (pause.lasts(wait, time.threads()));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(NamedRule named, PluginRule rule, TimeSource time) throws InterruptedException {
    PluginResult result;
    boolean mistake = false;
    slots.acquire();
    long start = time.nanoTime();
    try {
      result = runner.run(rule, monitor.maxOutputLength());
    } catch (RuntimeException
        | OutOfMemoryError failed) { // the latter also if no thread can be created
      mistake = true;
      result = new PluginResult.NotRun(rule.path() + " cannot be run: " + FailureReason.of(failed));
    } finally {
      slots.release();
    }
    stats.read();
    stats.took(time.nanoTime() - start);
    switch (result) {
      case PluginResult.Ran(ConditionStatus status, String message, boolean timedOut) -> {
        runs(named);
        if (timedOut) {
          stats.timedOut();
        }
        if (status == ConditionStatus.TRUE) {
          stats.matched();
        }
        sink.observe(named.id(), new Evidence.Reported(status, message));
      }
      case PluginResult.NotExecutable(
              String why) -> { // Unknown immediately, like any other exit code
        doesNotRun(named, why, true);
        sink.observe(named.id(), new Evidence.Reported(ConditionStatus.UNKNOWN, why));
      }
      case PluginResult.NotRun(String why) -> {
        doesNotRun(named, why, mistake);
        sink.observe( // B-5: nothing is known now
            named.id(), mistake ? new Evidence.Lost(why) : new Evidence.Unavailable(why));
      }
    }
  }

  private void runs(NamedRule named) {
    synchronized (notRun) {
      notRun.remove(named.id());
      if (notRun.isEmpty()) {
        var _ = stats.running();
      }
    }
  }

  /** B-17: the monitor is unavailable as long as none of its plugins runs. */
  private void doesNotRun(NamedRule named, String why, boolean mistake) {
    synchronized (notRun) {
      boolean known = why.equals(notRun.put(named.id(), why));
      if (notRun.size() == rules.size() && !mistake) {
        var _ = stats.unavailable(Obstacle.NOT_INSTALLED, why);
      } else {
        var _ = stats.failing(why);
      }
      if (!known) {
        LOG.warn("plugin not run monitor={} reason=\"{}\"", monitor.source(), why);
      }
    }
  }

  @Override
  public String position() {
    return "";
  }

  @Override
  public List<SourceView> stats() {
    return List.of(stats.view());
  }

  /** Waits until running plugins are killed: they must not overlap with those that follow. */
  @Override
  public void close() {
    pause.close();
    threads.forEach(Thread::interrupt);
    try {
      if (!slots.tryAcquire(monitor.concurrency(), CLOSE_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn(
            "plugin still running {}s after it was killed monitor={}",
            monitor.source(),
            CLOSE_TIMEOUT.toSeconds());
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
