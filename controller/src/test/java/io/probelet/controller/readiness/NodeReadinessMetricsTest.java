package io.probelet.controller.readiness;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.nodehealth.readiness.controller.AdmissionReport;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.RuleState;
import io.probelet.nodehealth.readiness.controller.AdmissionReport.Treatment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The metrics of node admission, with the original's names. */
class NodeReadinessMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final NodeReadinessMetrics metrics = new NodeReadinessMetrics(registry);

  @Test
  void showsRulesAndTheirNodes() {
    metrics.stands(
        new AdmissionReport(
            List.of(),
            List.of(
                new RuleState("network", Treatment.ACTIVE, 3, 7, 2),
                new RuleState("bad", Treatment.INVALID, 0, 0, 0))));
    assertThat(registry.scrape())
        .contains(
            "node_readiness_rule_nodes{rule=\"network\",state=\"held\"} 3.0",
            "node_readiness_rule_nodes{rule=\"network\",state=\"released\"} 7.0",
            "probelet_node_readiness_rules{state=\"active\"} 1.0",
            "probelet_node_readiness_rules{state=\"invalid\"} 1.0",
            "probelet_node_readiness_status_omitted_nodes{rule=\"network\"} 2.0")
        .doesNotContain("rule=\"bad\"");
    metrics.retired();
    assertThat(registry.scrape()).doesNotContain("network");
  }

  @Test
  void countsWritesByRuleUpToALimit() {
    metrics.tainted("network", true);
    metrics.tainted("network", false);
    metrics.bootstrapped("network");
    metrics.failed("network", "AddTaintError");
    for (int i = 0; i < 1_000; i++) {
      metrics.bootstrapped("rule-" + i);
    }
    assertThat(registry.scrape())
        .contains(
            "node_readiness_taint_operations_total{operation=\"add\",rule=\"network\"} 1.0",
            "node_readiness_taint_operations_total{operation=\"remove\",rule=\"network\"} 1.0",
            "node_readiness_failures_total{reason=\"AddTaintError\",rule=\"network\"} 1.0",
            "node_readiness_bootstrap_completed_total{rule=\"network\"} 1.0",
            "node_readiness_bootstrap_completed_total{rule=\"other\"} 501.0");
  }
}
