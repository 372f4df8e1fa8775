package io.probelet.controller.readiness;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.kube.event.EventCounts;
import io.probelet.nodehealth.readiness.controller.AdmissionReport;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.RuleState;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.Treatment;
import io.probelet.nodehealth.readiness.controller.ReadinessListener;
import io.probelet.web.metrics.EventMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Metrics of node admission by rule, never by node, with the names of the original's. */
final class NodeReadinessMetrics implements ReadinessListener {
  /** Counters stay when their rule is gone; further rules share one. */
  private static final int MAX_RULES = 500;

  private static final String RULE = "rule";

  private final MeterRegistry registry;
  private final EventMetrics events;
  private final MultiGauge rules;
  private final MultiGauge nodes;
  private final MultiGauge omitted;
  private final Set<String> counted = new HashSet<>();

  NodeReadinessMetrics(MeterRegistry registry) {
    this.registry = registry;
    events = new EventMetrics(registry, "node-readiness");
    rules =
        MultiGauge.builder("probelet_node_readiness_rules")
            .description("NodeReadinessRules by how they are treated.")
            .register(registry);
    nodes =
        MultiGauge.builder("node_readiness_rule_nodes")
            .description("Nodes of a NodeReadinessRule with its taint (held) and without.")
            .register(registry);
    omitted =
        MultiGauge.builder("probelet_node_readiness_status_omitted_nodes")
            .description("Nodes that the status of a NodeReadinessRule leaves out.")
            .register(registry);
  }

  @Override
  public void stands(AdmissionReport report) {
    List<Row<?>> treatments = new ArrayList<>();
    for (Treatment each : report.rules().isEmpty() ? new Treatment[0] : Treatment.values()) {
      long count = report.rules().stream().filter(rule -> rule.treatment() == each).count();
      treatments.add(Row.of(Tags.of("state", each.label()), count));
    }
    List<Row<?>> states = new ArrayList<>();
    List<Row<?>> left = new ArrayList<>();
    for (RuleState rule : report.rules()) {
      if (Arrays.asList(Treatment.ACTIVE, Treatment.CONFLICTING).contains(rule.treatment())) {
        Tags tags = Tags.of(RULE, rule.name());
        states.add(Row.of(tags.and("state", "held"), rule.held()));
        states.add(Row.of(tags.and("state", "released"), rule.released()));
        left.add(Row.of(tags, rule.omitted()));
      }
    }
    rules.register(treatments, true);
    nodes.register(states, true);
    omitted.register(left, true);
  }

  @Override
  public void tainted(String rule, boolean added) {
    Counter.builder("node_readiness_taint_operations_total")
        .description("Taints added to nodes and removed from them.")
        .tags(RULE, counted(rule), "operation", added ? "add" : "remove")
        .register(registry)
        .increment();
  }

  @Override
  public void bootstrapped(String rule) {
    Counter.builder("node_readiness_bootstrap_completed_total")
        .description("Nodes that completed their bootstrap.")
        .tags(RULE, counted(rule))
        .register(registry)
        .increment();
  }

  @Override
  public void failed(String rule, String reason) {
    Counter.builder("node_readiness_failures_total")
        .description("Failed writes to nodes.")
        .tags(RULE, counted(rule), "reason", reason)
        .register(registry)
        .increment();
  }

  private synchronized String counted(String rule) {
    return counted.contains(rule) || (counted.size() < MAX_RULES && counted.add(rule))
        ? rule
        : "other";
  }

  @Override
  public void records(EventCounts counts) {
    events.show(counts);
  }
}
