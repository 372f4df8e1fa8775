package io.probelet.agent.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.machine.StatisticsChoice;
import io.probelet.document.field.Problem;
import io.probelet.health.TimeSource;
import io.probelet.manifest.InvalidFile;
import io.probelet.manifest.MonitorFolder;
import io.probelet.manifest.Monitors;
import io.probelet.monitor.rule.Monitor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What a node is watched by: files, which may change (B-12), and perhaps what is built in. */
public final class WatchedMonitors implements AutoCloseable {
  private final MonitorFolder files;
  private final Monitors first;
  private final SystemStatsFile stats;
  private final MonitorChoice choice;

  /**
   * Reads the files for the first time.
   *
   * @param choice which monitors
   * @param stats which statistics become metrics
   * @param time the clock for waiting
   */
  WatchedMonitors(MonitorChoice choice, SystemStatsFile stats, TimeSource time) {
    this.choice = choice;
    this.stats = stats;
    files = new MonitorFolder(choice.files(), time);
    List<Problem> problems = new ArrayList<>(files.first().problems());
    problems.addAll(stats.problems());
    first = new Monitors(choice.complete(files.first().monitors()), problems);
  }

  /** {@return whether the program must not start: what the user named cannot be used} */
  public boolean isUnusable() {
    return files.namedPathIsInvalid() || stats.problems().stream().anyMatch(Problem::isError);
  }

  /** {@return the files whose present content is not used; any thread may ask} */
  public List<InvalidFile> invalid() {
    return files.invalid();
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

  /**
   * Adds what happens to the files.
   *
   * @param metrics where to
   */
  public void addTo(MeterRegistry metrics) {
    Gauge.builder("probelet.monitor.invalid.files", files, folder -> folder.invalid().size())
        .description("Monitor files whose present content is not used.")
        .register(metrics);
    FunctionCounter.builder("probelet.monitor.reloads", files, MonitorFolder::changes)
        .description("Times that changed monitor files were taken.")
        .register(metrics);
    FunctionCounter.builder("probelet.monitor.reloads.refused", files, MonitorFolder::refusals)
        .description("Mistakes because of which a changed monitor file was refused.")
        .register(metrics);
  }

  /** Stops watching the files. */
  @Override
  public void close() {
    files.close();
  }
}
