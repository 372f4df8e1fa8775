package io.probelet.agent.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.manifest.MonitorFolder;
import io.probelet.agent.manifest.Monitors;
import io.probelet.agent.manifest.field.Problem;
import io.probelet.nodehealth.monitor.rule.Monitor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What a node is watched by: files, which may change (B-12), and perhaps what is built in. */
public final class WatchedMonitors implements AutoCloseable {
  private final MonitorFolder files;
  private final SystemStatsFile stats;
  private final UnaryOperator<List<Monitor>> completed;

  /**
   * Joins files with what is built in.
   *
   * @param files the files, read once
   * @param stats which statistics become metrics
   * @param completed adds to their monitors what is built in
   */
  WatchedMonitors(
      MonitorFolder files, SystemStatsFile stats, UnaryOperator<List<Monitor>> completed) {
    this.files = files;
    this.stats = stats;
    this.completed = completed;
  }

  /** {@return what the first reading came to} */
  public Monitors first() {
    List<Problem> problems = new ArrayList<>(files.first().problems());
    problems.addAll(stats.problems());
    return new Monitors(completed.apply(files.first().monitors()), problems);
  }

  /** {@return what wanted statistics are called, by node-problem-detector's names for them} */
  public Map<String, String> statistics() {
    return stats.names();
  }

  /** Begins to watch the files. */
  void watch(Consumer<List<Monitor>> listener) {
    files.watch(monitors -> listener.accept(completed.apply(monitors)));
  }

  /**
   * Adds what happens to the files.
   *
   * @param metrics where to
   */
  public void addTo(MeterRegistry metrics) {
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
