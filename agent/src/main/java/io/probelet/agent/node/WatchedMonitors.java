package io.probelet.agent.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.document.field.Problem;
import io.probelet.document.tree.Position;
import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.manifest.InvalidFile;
import io.probelet.manifest.InvalidFile.Use;
import io.probelet.manifest.MonitorFolder;
import io.probelet.manifest.Monitors;
import io.probelet.monitor.rule.Monitor;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.machine.StatisticsChoice;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a node is watched by: files, which may change (B-12), and perhaps what is built in. */
public final class WatchedMonitors implements AutoCloseable {
  private static final int MAX_PATH = 300;

  private final MonitorFolder files;
  private final Monitors first;
  private final SystemStatsFile stats;
  private final MonitorChoice choice;

  /** Reads the files for the first time. */
  public WatchedMonitors(MonitorChoice choice, SystemStatsFile stats, TimeSource time) {
    this.choice = choice;
    this.stats = stats;
    files = new MonitorFolder(choice.files(), time);
    List<Problem> problems = new ArrayList<>(files.first().problems());
    problems.addAll(stats.problems());
    first = new Monitors(choice.complete(files.first().monitors()), problems);
  }

  private WatchedMonitors(List<Monitor> monitors, TimeSource time) {
    choice = new MonitorChoice(List.of(), false);
    stats = new SystemStatsFile(StatisticsChoice.NONE, List.of());
    files = new MonitorFolder(List.of(), time);
    first = new Monitors(monitors, List.of());
  }

  /** {@return monitors that are in no file, and stay as they are} */
  public static WatchedMonitors of(List<Monitor> monitors, TimeSource time) {
    return new WatchedMonitors(monitors, time);
  }

  /** {@return whether the program must not start: what the user named cannot be used} */
  public boolean isUnusable() {
    return files.namedPathIsInvalid() || stats.problems().stream().anyMatch(Problem::isError);
  }

  /** {@return files whose current content is not in use, as unavailable sources; thread-safe} */
  public List<Source> invalid() {
    return files.invalid().stream().map(WatchedMonitors::source).toList();
  }

  private static Source source(InvalidFile file) {
    Position at = file.error().at();
    return new Source(
        OneLine.of(file.path(), MAX_PATH),
        "unavailable",
        "invalid",
        (at == null ? "" : "line " + at.line() + ": ")
            + file.error().text()
            + (file.use() == Use.NOTHING ? "" : "; the last valid version is in use"),
        0,
        0,
        0,
        0,
        0,
        0);
  }

  /** {@return what the first reading came to; without monitors of files that have errors} */
  public Monitors first() {
    return first;
  }

  /** {@return which statistics of the machine become metrics} */
  public StatisticsChoice statistics() {
    return stats.choice();
  }

  /** Begins to watch the files. */
  void watch(Consumer<List<Monitor>> listener) {
    files.watch(monitors -> listener.accept(choice.complete(monitors)));
  }

  /** Watches others instead, as soon as all their files can be used. */
  void use(MonitorChoice others, Consumer<List<Monitor>> listener) {
    files.use(others.files(), monitors -> listener.accept(others.complete(monitors)));
  }

  /** Adds what happens to the files. */
  public void addTo(MeterRegistry metrics) {
    Gauge.builder("probelet.monitor.invalid.files", files, folder -> folder.invalid().size())
        .description("Monitor files whose current content is not in use.")
        .register(metrics);
    FunctionCounter.builder("probelet.monitor.reloads", files, MonitorFolder::changes)
        .description("Reloads of changed monitor files.")
        .register(metrics);
    FunctionCounter.builder("probelet.monitor.reloads.refused", files, MonitorFolder::refusals)
        .description("Errors in changed monitor files that were rejected.")
        .register(metrics);
  }

  /** Stops watching the files. */
  @Override
  public void close() {
    files.close();
  }
}
