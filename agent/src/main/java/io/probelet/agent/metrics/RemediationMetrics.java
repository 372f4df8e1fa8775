package io.probelet.agent.metrics;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.nodehealth.controller.RemediationListener;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Remediation's metrics, with the names that dashboards know. */
public final class RemediationMetrics implements RemediationListener {
  private static final double[] AGES = {30, 60, 120, 180, 240, 300, 600, 1200, 2400, 3600};

  private final MeterRegistry registry;
  private final Map<ObjectRef, AtomicInteger> old = new ConcurrentHashMap<>();
  private final MultiGauge ongoing;
  private final MultiGauge heldBack;
  private final Map<String, Standing> checks = new TreeMap<>();

  private record Standing(Set<ObjectRef> ongoing, Map<String, Integer> heldBack) {}

  /**
   * Begins to count.
   *
   * @param registry where to
   */
  public RemediationMetrics(MeterRegistry registry) {
    this.registry = registry;
    ongoing =
        MultiGauge.builder("nodehealthcheck_ongoing_remediation")
            .description("Always 1 while the remediation is there.")
            .register(registry);
    heldBack =
        MultiGauge.builder("probelet_remediation_held_back_nodes")
            .description("Unhealthy nodes that are not remediated, or not further, by reason.")
            .register(registry);
  }

  @Override
  public synchronized void stands(
      String check, Set<ObjectRef> remediations, Map<String, Integer> waiting) {
    Standing now = new Standing(remediations, waiting);
    Standing before =
        remediations.isEmpty() && waiting.isEmpty() ? checks.remove(check) : checks.put(check, now);
    if (!now.equals(before)) {
      show();
    }
  }

  @Override
  public synchronized void retired() {
    checks.clear();
    show();
  }

  private void show() {
    List<Row<?>> remediations = new ArrayList<>();
    List<Row<?>> nodes = new ArrayList<>();
    checks.forEach((check, standing) -> {
      for (ObjectRef remediation : standing.ongoing()) {
        remediations.add(Row.of(tags(remediation).and("remediation", remediation.kind()), 1));
      }
      standing
          .heldBack()
          .forEach((reason, count) ->
              nodes.add(Row.of(Tags.of("nodehealthcheck", check, "reason", reason), count)));
    });
    ongoing.register(remediations, true);
    heldBack.register(nodes, true);
  }

  @Override
  public void deleted(ObjectRef remediation, Duration age) {
    DistributionSummary.builder("nodehealthcheck_unhealthy_node_duration_seconds")
        .description("How long remediations were there.")
        .serviceLevelObjectives(AGES)
        .tags(tags(remediation).and("remediation", remediation.kind()))
        .register(registry)
        .record(age.toNanos() / 1e9);
  }

  /** A gauge that only grows: a counter's name would have to end in _total here. */
  @Override
  public void grewOld(ObjectRef remediation) {
    old.computeIfAbsent(
            remediation,
            _ -> {
              AtomicInteger count = new AtomicInteger();
              Gauge.builder("nodehealthcheck_old_remediation_cr", count, AtomicInteger::get)
                  .description("Remediations that turned out to be older than two days.")
                  .tags(tags(remediation))
                  .register(registry);
              return count;
            })
        .incrementAndGet();
  }

  private static Tags tags(ObjectRef remediation) {
    String namespace = remediation.namespace();
    return Tags.of("name", remediation.name(), "namespace", namespace == null ? "" : namespace);
  }
}
