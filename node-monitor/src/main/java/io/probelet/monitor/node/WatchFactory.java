package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.log.TextFormat;
import io.probelet.monitor.node.LogWatch.LineAge;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.node.Watch.CheckStarter;
import io.probelet.monitor.node.Watch.EvidenceSink;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.NamedRule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Creates running monitors with their dependencies, including earlier counters. */
final class WatchFactory {
  private final NodeSources sources;
  private final TimeSource time;
  private final EvidenceSink sink;
  private final CheckStarter checks;
  private final Map<String, SourceStats> stats = new HashMap<>();

  WatchFactory(NodeSources sources, TimeSource time, EvidenceSink sink, CheckStarter checks) {
    this.sources = sources;
    this.time = time;
    this.sink = sink;
    this.checks = checks;
  }

  private SourceStats stats(String source) {
    SourceStats kept = stats.computeIfAbsent(source, SourceStats::new);
    kept.starting();
    return kept;
  }

  /** Drops the counters of all other sources. */
  void forgetAllBut(List<SourceView> sources) {
    stats.keySet().retainAll(sources.stream().map(SourceView::source).toList());
  }

  /**
   * Creates a watch that has not started; {@code position} is the read position of its predecessor.
   */
  Watch of(String name, Monitor monitor, String position) {
    List<NamedRule> rules = NamedRule.of(name, monitor);
    return switch (monitor) {
      case Monitor.Plugins plugins ->
          new PluginWatch(plugins, rules, sources::run, sink, stats(name));
      case Monitor.Checks checks ->
          new CheckWatch(name, checks, rules, sources::check, sink, this::stats, time);
      case Monitor.Expressions _ -> Watch.NONE; // decided with the conditions that they read
      case Monitor.Log log -> {
        // B-10: anyone may write to other logs.
        OomVictims oom =
            log.input() instanceof LogInput.Kmsg
                ? new OomVictims(sources.sys(), time)
                : OomVictims.NONE;
        Instant boot = sources.boot().at();
        Instant now = time.wallTime();
        Instant notBefore = log.notBefore(boot, now, !position.isEmpty());
        yield new LogWatch(
            log,
            rules,
            sources.log(log, log.notBefore(boot, now, false), position),
            format(log, sources.zone()),
            new LineAge(notBefore, Duration.between(now, boot.plus(log.delay())), time),
            oom,
            sink,
            checks,
            stats(name));
      }
    };
  }

  /** {@return how the lines of a log are read} */
  static LineFormat format(Monitor.Log log, ZoneId zone) {
    return log.input() instanceof LogInput.TextFile file
        ? new TextFormat(file, zone)
        : LineFormat.PLAIN;
  }
}
