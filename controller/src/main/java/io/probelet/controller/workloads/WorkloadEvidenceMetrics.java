package io.probelet.controller.workloads;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.kube.event.EventCounts;
import io.probelet.nodehealth.workloads.Finding;
import io.probelet.nodehealth.workloads.controller.EvidenceListener;
import io.probelet.nodehealth.workloads.controller.EvidenceReport;
import io.probelet.web.metrics.EventMetrics;
import java.util.ArrayList;
import java.util.List;

/** Metrics of the evidence by workloads, never by node or workload. */
final class WorkloadEvidenceMetrics implements EvidenceListener {
  private final EventMetrics events;
  private final MultiGauge nodes;
  private final MultiGauge pods;
  private final MultiGauge held;
  private final MultiGauge problems;
  private final Counter failures;

  WorkloadEvidenceMetrics(MeterRegistry registry) {
    events = new EventMetrics(registry, "workload-evidence");
    nodes = gauge(registry, "nodes", "Nodes by the reason of their condition WorkloadsFailing.");
    pods = gauge(registry, "pods", "Pods that are compared between nodes.");
    held = gauge(registry, "held_nodes", "Nodes held back because too many fail at once.");
    problems = gauge(registry, "problems", "Reasons why nodes are not judged as they should be.");
    failures =
        Counter.builder("probelet_workload_evidence_failures_total")
            .description("Failed writes of the condition WorkloadsFailing, without conflicts.")
            .register(registry);
  }

  private static MultiGauge gauge(MeterRegistry registry, String name, String description) {
    return MultiGauge.builder("probelet_workload_evidence_" + name)
        .description(description)
        .register(registry);
  }

  @Override
  public void stands(EvidenceReport report) {
    List<Row<?>> reasons = new ArrayList<>();
    for (Finding each : Finding.values()) {
      reasons.add(Row.of(Tags.of("reason", each.reason()), report.nodes().getOrDefault(each, 0)));
    }
    nodes.register(reasons, true);
    pods.register(List.of(Row.of(Tags.empty(), report.pods())), true);
    held.register(List.of(Row.of(Tags.empty(), report.held())), true);
    problems.register(List.of(Row.of(Tags.empty(), report.problems().size())), true);
  }

  @Override
  public void failed() {
    failures.increment();
  }

  @Override
  public void retired() {
    for (MultiGauge each : List.of(nodes, pods, held, problems)) {
      each.register(List.of(), true);
    }
  }

  @Override
  public void records(EventCounts counts) {
    events.show(counts);
  }
}
