package io.probelet.controller.remediators;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.remediator.controller.RemediatorReport;
import io.probelet.remediator.controller.RemediatorReport.KindState;
import io.probelet.remediator.controller.RemediatorReport.Standing;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemediatorMetricsTest {
  private static final RemediatorReport REPORT =
      new RemediatorReport(
          List.of(
              new KindState(RemediationKind.DRAIN, ""),
              new KindState(RemediationKind.HOOK, "the API server does not serve it")),
          List.of(
              new Standing(
                  RemediationKind.DRAIN,
                  "fix",
                  "n1",
                  "n1",
                  RemediationPhase.DRAINING,
                  Instant.parse("2026-03-01T12:00:00Z"),
                  "",
                  "1 pod is left: web/a"),
              held("n2", "NodeBusy", "NodeBusy: node n1 is remediated"),
              held("n3", "", "<script>: x")));

  private static Standing held(String name, String reason, String message) {
    return new Standing(
        RemediationKind.DRAIN, "fix", name, "n1", RemediationPhase.HELD, null, reason, message);
  }

  @Test
  void metrics() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RemediatorMetrics metrics = new RemediatorMetrics(registry);
    metrics.stands(REPORT);
    metrics.finished(RemediationKind.DRAIN, true, Duration.ofSeconds(42));
    metrics.acted(RemediationKind.DRAIN, "Evict", false);
    assertThat(registry.scrape())
        .contains(
            "probelet_remediator_remediations{kind=\"DrainRemediation\",phase=\"Draining\"} 1.0",
            "probelet_remediator_held{reason=\"NodeBusy\"} 1.0",
            "probelet_remediator_held{reason=\"Other\"} 1.0",
            "probelet_remediator_kind_up{kind=\"HookRemediation\"} 0.0",
            "probelet_remediator_duration_seconds_count{kind=\"DrainRemediation\",result=\"succeeded\"}"
                + " 1",
            "probelet_remediator_actions_total{action=\"Evict\",kind=\"DrainRemediation\",result=\"refused\"}"
                + " 1.0");
    metrics.retired();
    assertThat(registry.scrape()).doesNotContain("phase=\"Draining\"");
  }
}
