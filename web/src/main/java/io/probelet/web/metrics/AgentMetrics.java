package io.probelet.web.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.runtime.cri.CriStats;
import io.probelet.web.http.Resource;
import io.probelet.web.machine.MachineStatistics;
import io.probelet.web.machine.StatisticsChoice;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts what the engine reports to its listeners, and answers {@code /metrics}. */
public final class AgentMetrics implements ProbeListener, Resource {
  static final String PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8";

  /** From what no one notices to what spoils the shortest period. */
  private static final Duration[] LAGS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10)
  };

  private final Labels common;
  private final Threads threads;
  private final WorkerCollector workers;
  private final ContainerCollector containers;
  private final PhaseCollector phases;

  /** What node-problem-detector has too, with the label that distinguishes nodes. */
  private final PrometheusRegistry ofNode = new PrometheusRegistry();

  /** The same without it, for users of node-problem-detector. */
  private final PrometheusRegistry asDetector = new PrometheusRegistry();

  private final PrometheusMeterRegistry registry;
  private final Map<Verdict.Reason, Counter> discarded = new EnumMap<>(Verdict.Reason.class);
  private final Map<ProbeKind, Counter> restartDecisions = new EnumMap<>(ProbeKind.class);
  private final Counter stopFailures;

  /** Counters of node-problem-detector, whose names do not end in _total. */
  private final Set<String> counters =
      new CopyOnWriteArraySet<>(Set.of(NodeCollector.COUNTER_NAME));

  private final Timer startLag;

  /**
   * Creates metrics that count from zero.
   *
   * @param node name of the node, with which each series is labelled; empty for no label
   */
  public AgentMetrics(Optional<String> node, TimeSource time) {
    threads = time.threads();
    common = node.map(name -> Labels.of("node", name)).orElse(Labels.EMPTY);
    workers = new WorkerCollector(common);
    containers = new ContainerCollector(common);
    phases = new PhaseCollector(common);
    PrometheusRegistry prometheus = new PrometheusRegistry();
    prometheus.register(workers);
    prometheus.register(containers);
    prometheus.register(phases);
    registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, prometheus, new Ticks(time));
    node.ifPresent(name -> registry.config().commonTags("node", name));
    for (Verdict.Reason reason : Verdict.Reason.values()) {
      discarded.put(
          reason,
          Counter.builder("probelet.probes.discarded")
              .description("Probes that could not run and decided nothing.")
              .tag("reason", reason.label())
              .register(registry));
    }
    for (ProbeKind kind : ProbeKind.values()) {
      if (kind.restartsContainer()) {
        restartDecisions.put(
            kind,
            Counter.builder("probelet.restart.decisions")
                .description("Containers that a failed probe decided to stop.")
                .tag("probe_type", kind.label())
                .register(registry));
      }
    }
    stopFailures =
        Counter.builder("probelet.stop.failures")
            .description("Failed attempts to stop a container, which are retried.")
            .register(registry);
    startLag =
        Timer.builder("probelet.probe.start.lag")
            .description("Delay between the planned and the actual start of probes.")
            .serviceLevelObjectives(LAGS)
            .register(registry);
  }

  /** {@return where others add their metrics} */
  public MeterRegistry registry() {
    return registry;
  }

  /**
   * Makes room for the lag of one more event loop.
   *
   * @param loop distinguishes loops: a small number
   * @return takes how much later than planned a task ran
   */
  public Timer loopLag(int loop) {
    return Timer.builder("probelet.event.loop.lag")
        .description("Delay before an event loop ran the tick of a probe.")
        .tag("loop", Integer.toString(loop))
        .serviceLevelObjectives(LAGS)
        .register(registry);
  }

  /**
   * Adds what a container runtime reports of itself.
   *
   * @param stats asked at each scrape; empty while there is no runtime
   */
  public void runtime(Supplier<Optional<CriStats>> stats) {
    registry.getPrometheusRegistry().register(new RuntimeCollector(stats, common));
  }

  /**
   * Adds the problems of the node.
   *
   * @param node asked at each scrape
   */
  public void node(Supplier<CompletableFuture<NodeSnapshot>> node) {
    ofNode.register(new NodeCollector(node, common, threads));
    asDetector.register(new NodeCollector(node, Labels.EMPTY, threads));
  }

  /** Adds statistics of the machine. */
  public void machine(StatisticsChoice choice) {
    if (!choice.names().isEmpty()) {
      MachineStatistics machine = new MachineStatistics(choice, common);
      ofNode.register(machine);
      asDetector.register(new MachineStatistics(choice, Labels.EMPTY));
      counters.addAll(machine.counters());
    }
  }

  /** Says which program this is. */
  public void build(String version) {
    BuildInfo.addTo(registry, version);
  }

  @Override
  public void probed(Probed probe) {
    startLag.record(probe.lag());
    phases.observe(probe.outcome().timings());
    WorkerSeries worker = workers.of(probe.subject());
    worker.presented(probe.outcome().certificateExpiry());
    switch (probe.outcome().verdict()) {
      case Verdict.Success _, Verdict.Warning _ -> worker.succeeded(probe.duration().toNanos());
      case Verdict.Failure failure -> worker.failed(failure.cause());
      case Verdict.ProberError error -> { // W-4: says nothing of the container
        worker.unknown(error.reason());
        one(discarded, error.reason());
      }
    }
  }

  @Override
  public void discarded(Discarded probe) {
    workers.of(probe.subject()).unknown(probe.reason());
    one(discarded, probe.reason());
  }

  @Override
  public void published(Published published) {
    workers.of(published.subject()); // it is at work, even if its first probe is still to come
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    one(restartDecisions, decision.subject().kind());
  }

  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    stopFailures.increment();
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    containers.changed(now);
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    workers.remove(subject);
  }

  @Override
  public void podRemoved(PodRef pod) {
    containers.removed(pod);
  }

  @Override
  public Answer get(Map<String, List<String>> query) {
    return new Answer(200, PROMETHEUS_TEXT, out -> scrape(out, ofNode));
  }

  /**
   * Answers with the series of node-problem-detector as it has them, without the node's label
   * (A-8).
   *
   * @param query ignored
   * @return all metrics
   */
  public Answer forDetector(Map<String, List<String>> query) {
    return new Answer(200, PROMETHEUS_TEXT, out -> scrape(out, asDetector));
  }

  private void scrape(OutputStream out, PrometheusRegistry node) throws IOException {
    registry.scrape(out, PROMETHEUS_TEXT);
    CounterTypes typed = new CounterTypes(out, counters);
    PrometheusTextFormatWriter.create().write(typed, node.scrape());
    typed.flush();
  }

  private static <K> void one(Map<K, Counter> counters, K key) {
    Objects.requireNonNull(counters.get(key), () -> "no counter for " + key).increment();
  }
}
