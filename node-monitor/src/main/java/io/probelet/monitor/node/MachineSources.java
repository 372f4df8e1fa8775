package io.probelet.monitor.node;

import io.probelet.health.TimeSource;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeChecks;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.log.LineFormat;
import io.probelet.monitor.plugin.BuiltIns;
import io.probelet.monitor.plugin.PluginResult;
import io.probelet.monitor.plugin.PluginRun;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.source.FileSource;
import io.probelet.monitor.source.JournalSource;
import io.probelet.monitor.source.JournalctlSource;
import io.probelet.monitor.source.KernelLog;
import io.probelet.monitor.source.KmsgSource;
import io.probelet.monitor.source.LineSource;
import io.probelet.monitor.source.Lookback;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;

/** The logs, checks and plugins of this machine. */
final class MachineSources implements NodeSources {
  private final MonitorSettings settings;
  private final TimeSource time;
  private final BuiltIns builtIns;

  MachineSources(MonitorSettings settings, TimeSource time) {
    this.settings = settings;
    this.time = time;
    builtIns =
        new BuiltIns(settings.machine(), settings.journal(), () -> boot().at(), System.getenv());
  }

  @Override
  public Boot boot() {
    return Boot.of(settings.machine().proc(), time);
  }

  @Override
  public Path sys() {
    return settings.machine().sys();
  }

  @Override
  public ZoneId zone() {
    return settings.zone();
  }

  @Override
  public NodeCheck check(CheckSpec spec) {
    return NodeChecks.of(spec, settings.machine());
  }

  @Override
  public PluginResult run(Monitor.PluginRule rule, int maxOutputLength)
      throws InterruptedException {
    return new PluginRun(rule, maxOutputLength, builtIns).run();
  }

  @Override
  public LineSource log(Monitor.Log log, Instant notBefore, String position) {
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

  private Lookback.LineClock clock(Monitor.Log log) {
    LineFormat format = WatchFactory.format(log, settings.zone());
    return line ->
        format.read(line, time.wallTime()) instanceof LineFormat.ReadLine.LogEntry entry
            ? Optional.of(entry.at())
            : Optional.empty();
  }
}
