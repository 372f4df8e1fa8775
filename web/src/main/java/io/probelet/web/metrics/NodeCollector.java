package io.probelet.web.metrics;

import io.probelet.health.Threads;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.node.SourceView;
import io.probelet.monitor.node.SourceView.SourceState;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot.UnknownDataPointSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The problems of the node under node-problem-detector's names, and how the monitors are
 * doing (B-13).
 */
final class NodeCollector implements MultiCollector {
  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  /** It has no {@code _total}, which a counter could not be written without. */
  static final String COUNTER_NAME = "problem_counter";

  private static final MetricMetadata COUNTER =
      new MetricMetadata(COUNTER_NAME, "How often a problem occurred, by reason.");

  private static final MetricMetadata GAUGE =
      new MetricMetadata("problem_gauge", "Whether a problem of a condition is present.");
  private static final MetricMetadata AVAILABLE =
      new MetricMetadata(
          "probelet_monitor_source_available",
          "Whether a monitor or check works, with the reason if it does not.");
  private static final MetricMetadata WAITING =
      new MetricMetadata("probelet_monitor_waiting", "Observations not processed yet.");

  private final Supplier<CompletableFuture<NodeSnapshot>> node;
  private final Labels common;
  private final Threads threads;

  /** Creates a collector of series that all have these labels. */
  NodeCollector(Supplier<CompletableFuture<NodeSnapshot>> node, Labels common, Threads threads) {
    this.node = node;
    this.common = common;
    this.threads = threads;
  }

  @Override
  public MetricSnapshots collect() {
    try {
      return snapshots(threads.get(node.get(), TIMEOUT));
    } catch (TimeoutException | ExecutionException closed) {
      return MetricSnapshots.of();
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
      return MetricSnapshots.of();
    }
  }

  private MetricSnapshots snapshots(NodeSnapshot now) {
    List<SourceView> sources = now.sources();
    return MetricSnapshots.of(
        new UnknownSnapshot(
            COUNTER,
            now.problemCounts().entrySet().stream()
                .map(each ->
                    new UnknownDataPointSnapshot(
                        (double) each.getValue(),
                        common.merge(Labels.of("reason", each.getKey())),
                        null))
                .toList()),
        new GaugeSnapshot(
            GAUGE,
            now.problems().stream()
                .map(each ->
                    new GaugeDataPointSnapshot(
                        each.holds() ? 1 : 0,
                        common.merge(Labels.of("type", each.type(), "reason", each.reason())),
                        null))
                .toList()),
        counter("reads", "Lines read, or plugins run.", sources, SourceView::reads),
        counter("matches", "Lines or runs that matched a problem.", sources, SourceView::matches),
        counter("lost_lines", "Lines lost before they were read.", sources, SourceView::lost),
        counter(
            "unread_lines",
            "Lines whose time is missing or unreadable.",
            sources,
            SourceView::unread),
        counter(
            "too_old_lines",
            "Matches in lines that are too old to count.",
            sources,
            SourceView::tooOld),
        counter("timeouts", "Runs that exceeded their timeout.", sources, SourceView::timeouts),
        counter("run_seconds", "Time spent in runs.", sources, SourceView::seconds),
        new GaugeSnapshot(
            AVAILABLE,
            sources.stream()
                .map(source ->
                    new GaugeDataPointSnapshot(
                        source.state() instanceof SourceState.Running ? 1 : 0,
                        common.merge(
                            Labels.of("source", source.source(), "reason", reason(source.state()))),
                        null))
                .toList()),
        new GaugeSnapshot(
            WAITING, List.of(new GaugeDataPointSnapshot(now.waiting(), common, null))));
  }

  /** Empty, the name of a state, or that of an obstacle: there are no others. */
  private static String reason(SourceState state) {
    return switch (state) {
      case SourceState.Running() -> "";
      case SourceState.Starting() -> state.label();
      case SourceState.Failing _ -> state.label();
      case SourceState.Unavailable _ -> state.obstacleLabel();
    };
  }

  private CounterSnapshot counter(
      String name, String help, List<SourceView> sources, ToDoubleFunction<SourceView> value) {
    return new CounterSnapshot(
        new MetricMetadata("probelet_monitor_" + name, help),
        sources.stream()
            .map(source ->
                new CounterDataPointSnapshot(
                    value.applyAsDouble(source),
                    common.merge(Labels.of("source", source.source())),
                    null,
                    0))
            .toList());
  }
}
