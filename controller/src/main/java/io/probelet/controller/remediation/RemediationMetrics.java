package io.probelet.controller.remediation;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.kube.event.EventCounts;
import io.probelet.nodehealth.controller.RemediationListener;
import io.probelet.nodehealth.controller.RemediationListener.NodeUnderRemediation;
import io.probelet.web.metrics.EventMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Remediation's metrics, with the names that dashboards know. */
public final class RemediationMetrics implements RemediationListener {
  /** Nodes come and go, and each would leave a series behind. */
  private static final int MAX_FINISHED = 1_000;

  private static final double[] AGES = {30, 60, 120, 180, 240, 300, 600, 1200, 2400, 3600};

  private final MeterRegistry registry;
  private final Map<NodeUnderRemediation, AtomicInteger> old = new ConcurrentHashMap<>();
  private final EventMetrics events;
  private final MultiGauge ongoing;
  private final MultiGauge heldBack;
  private final MultiGauge maintenance;
  private final Map<String, Standing> checks = new TreeMap<>();
  private final Set<NodeUnderRemediation> finished = new LinkedHashSet<>();

  private record Standing(Set<NodeUnderRemediation> ongoing, Map<String, Integer> heldBack) {}

  /** Begins to count. */
  public RemediationMetrics(MeterRegistry registry) {
    this.registry = registry;
    events = new EventMetrics(registry, "nodehealthcheck");
    ongoing =
        MultiGauge.builder("nodehealthcheck_ongoing_remediation")
            .description("1 while a remediation exists, 0 once it has ended.")
            .register(registry);
    heldBack =
        MultiGauge.builder("probelet_remediation_held_back_nodes")
            .description("Unhealthy nodes whose next remediation is held back, by reason.")
            .register(registry);
    maintenance =
        MultiGauge.builder("probelet_node_maintenance")
            .description("1 while a node is in maintenance; alerts about it are silent.")
            .register(registry);
  }

  @Override
  public synchronized void stands(
      String check, Set<NodeUnderRemediation> remediations, Map<String, Integer> waiting) {
    Standing now = new Standing(remediations, waiting);
    Standing before =
        remediations.isEmpty() && waiting.isEmpty() ? checks.remove(check) : checks.put(check, now);
    if (!now.equals(before)) {
      if (before != null) {
        remember(before.ongoing());
      }
      show();
    }
  }

  /** The newest last. */
  private void remember(Set<NodeUnderRemediation> known) {
    finished.removeAll(known);
    finished.addAll(known);
    Iterator<NodeUnderRemediation> oldest = finished.iterator();
    for (int surplus = finished.size() - MAX_FINISHED; surplus > 0; surplus--) {
      oldest.next();
      oldest.remove();
    }
  }

  @Override
  public synchronized void inMaintenance(Set<String> nodes) {
    List<Row<?>> rows = new ArrayList<>();
    nodes.forEach(node -> rows.add(Row.of(Tags.of("node", node), 1)));
    maintenance.register(rows, true);
  }

  @Override
  public void records(EventCounts counts) {
    events.show(counts);
  }

  @Override
  public synchronized void retired() {
    checks.clear();
    finished.clear();
    inMaintenance(Set.of());
    show();
  }

  private void show() {
    List<Row<?>> remediations = new ArrayList<>();
    List<Row<?>> nodes = new ArrayList<>();
    Map<NodeUnderRemediation, Integer> all = new LinkedHashMap<>();
    finished.forEach(remediation -> all.put(remediation, 0));
    checks.values().stream()
        .flatMap(standing -> standing.ongoing().stream())
        .forEach(remediation -> all.put(remediation, 1));
    all.forEach((remediation, value) ->
        remediations.add(Row.of(tags(remediation).and("remediation", remediation.kind()), value)));
    checks.forEach((check, standing) -> {
      standing
          .heldBack()
          .forEach((reason, count) ->
              nodes.add(Row.of(Tags.of("nodehealthcheck", check, "reason", reason), count)));
    });
    ongoing.register(remediations, true);
    heldBack.register(nodes, true);
  }

  @Override
  public void finished(NodeUnderRemediation remediation, Duration age) {
    DistributionSummary.builder("nodehealthcheck_unhealthy_node_duration_seconds")
        .description("How long remediations existed.")
        .serviceLevelObjectives(AGES)
        .tags(tags(remediation).and("remediation", remediation.kind()))
        .register(registry)
        .record(age.toNanos() / 1e9);
  }

  /** A gauge that only grows: a counter's name would have to end in _total here. */
  @Override
  public void grewOld(NodeUnderRemediation remediation) {
    old.computeIfAbsent(
            remediation,
            _ -> {
              AtomicInteger count = new AtomicInteger();
              Gauge.builder("nodehealthcheck_old_remediation_cr", count, AtomicInteger::get)
                  .description("Remediations found to be older than two days.")
                  .tags(tags(remediation))
                  .register(registry);
              return count;
            })
        .incrementAndGet();
  }

  private static Tags tags(NodeUnderRemediation remediation) {
    return Tags.of("name", remediation.node(), "namespace", remediation.namespace());
  }
}
