package io.probelet.controller.workloads;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.nodehealth.workloads.Finding;
import io.probelet.nodehealth.workloads.controller.EvidenceReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The metrics of the evidence by workloads. */
class WorkloadEvidenceMetricsTest {
  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final WorkloadEvidenceMetrics metrics = new WorkloadEvidenceMetrics(registry);

  @Test
  void showsNodesByReasonWhileLeading() {
    metrics.stands(
        new EvidenceReport(
            List.of("one", "two"), Map.of(Finding.FAILING, 1, Finding.WORKING, 7), 40, 3));
    metrics.failed();
    assertThat(registry.scrape())
        .contains(
            "probelet_workload_evidence_nodes{reason=\"WorkloadsFailing\"} 1.0",
            "probelet_workload_evidence_nodes{reason=\"WorkloadsWorking\"} 7.0",
            "probelet_workload_evidence_nodes{reason=\"TooManyNodes\"} 0.0",
            "probelet_workload_evidence_pods 40.0",
            "probelet_workload_evidence_held_nodes 3.0",
            "probelet_workload_evidence_problems 2.0",
            "probelet_workload_evidence_failures_total 1.0");
    metrics.retired();
    assertThat(registry.scrape())
        .doesNotContain("probelet_workload_evidence_nodes{", "probelet_workload_evidence_pods 40");
  }
}
