package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.log.TextFormat;
import io.probelet.monitor.node.LogWatch.LineAge;
import io.probelet.monitor.node.SourceView.SourceStats;
import io.probelet.monitor.node.Watch.CheckStarter;
import io.probelet.monitor.node.Watch.EvidenceSink;
import io.probelet.monitor.plugin.BuiltIns;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.NamedRule;
import io.probelet.monitor.source.FileSource;
import io.probelet.monitor.source.JournalSource;
import io.probelet.monitor.source.JournalctlSource;
import io.probelet.monitor.source.KernelLog;
import io.probelet.monitor.source.KmsgSource;
import io.probelet.monitor.source.LineSource;
import io.probelet.monitor.source.Lookback;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates running monitors with their dependencies, including earlier counters. */
final class WatchFactory {
  private final MonitorSettings settings;
  private final TimeSource time;
  private final EvidenceSink sink;
  private final CheckStarter checks;
  private final Map<String, SourceStats> stats = new HashMap<>();

  WatchFactory(MonitorSettings settings, TimeSource time, EvidenceSink sink, CheckStarter checks) {
    this.settings = settings;
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
      case Monitor.Plugins plugins -> {
        BuiltIns builtIns =
            new BuiltIns(settings.machine(), settings.journal(), this::boot, System.getenv());
        yield new PluginWatch(plugins, rules, builtIns, sink, stats(name));
      }
      case Monitor.Checks checks ->
          new CheckWatch(name, checks, rules, settings.machine(), sink, this::stats, time);
      case Monitor.Log log -> {
        // B-10: anyone may write to other logs.
        OomVictims oom =
            log.input() instanceof LogInput.Kmsg
                ? new OomVictims(settings.machine().sys(), time)
                : OomVictims.NONE;
        Instant boot = boot();
        Instant now = time.wallTime();
        Instant notBefore = log.notBefore(boot, now, !position.isEmpty());
        yield new LogWatch(
            log,
            rules,
            source(log, log.notBefore(boot, now, false), position),
            format(log),
            new LineAge(notBefore, Duration.between(now, boot.plus(log.delay())), time),
            oom,
            sink,
            checks,
            stats(name));
      }
    };
  }

  /** By the current wall clock, which may have been set since the last time. */
  private Instant boot() {
    return Boot.of(settings.machine().proc(), time).at();
  }

  private LineFormat format(Monitor.Log log) {
    return log.input() instanceof LogInput.TextFile file
        ? new TextFormat(file, settings.zone())
        : LineFormat.PLAIN;
  }

  private Lookback.LineClock clock(Monitor.Log log) {
    LineFormat format = format(log);
    return line ->
        format.read(line, time.wallTime()) instanceof LineFormat.ReadLine.LogEntry entry
            ? Optional.of(entry.at())
            : Optional.empty();
  }

  private LineSource source(Monitor.Log log, Instant notBefore, String position) {
    boolean withHistory = log.lookback().isPositive();
    return switch (log.input()) {
      case LogInput.Kmsg(Path named, _) -> {
        Path path = named.equals(LogInput.Kmsg.DEVICE) ? settings.kmsg() : named;
        Instant stampsBegin = Boot.stampsBegin(settings.machine());
        if (path.equals(LogInput.Kmsg.DEVICE)) {
          yield new KernelLog(path, stampsBegin, position, time);
        }
        Lookback lookback = withHistory ? Lookback.all() : Lookback.NONE;
        yield KmsgSource.of(path, stampsBegin, lookback, position, time);
      }
      case LogInput.Journal(String directory, String identifier, Map<String, String> fields) -> {
        JournalPlace place = new JournalPlace(settings.machine().root(), directory);
        JournalOrigin origin = new JournalOrigin.Identifier(identifier, fields);
        JournalAccess access = settings.journal();
        yield access
            .library()
            .<LineSource>map(
                library -> new JournalSource(library, place, origin, notBefore, position, time))
            .orElseGet(() ->
                new JournalctlSource(
                    access.journalctl(), place, origin, notBefore, position, time));
      }
      case LogInput.TextFile file ->
          new FileSource(
              settings.machine().seen(file.path()),
              withHistory ? Lookback.since(notBefore, clock(log)) : Lookback.NONE,
              position,
              line -> file.skip().stream().noneMatch(line::contains),
              time);
    };
  }
}
