package io.probelet.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RemediationMetricsTest {
  private static final ObjectRef REBOOT = new ObjectRef("e/v1", "Reboot", "remedies", "n1");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final RemediationMetrics metrics = new RemediationMetrics(registry);

  @Test
  @DisplayName("remediation spec 3: names and labels that dashboards know")
  void names() {
    metrics.stands("nhc", Set.of(REBOOT), Map.of());
    metrics.grewOld(REBOOT);
    metrics.deleted(REBOOT, Duration.ofSeconds(100));
    assertThat(registry.scrape().lines())
        .contains(
            "nodehealthcheck_ongoing_remediation{name=\"n1\",namespace=\"remedies\",remediation=\"Reboot\"}"
                + " 1.0",
            "nodehealthcheck_old_remediation_cr{name=\"n1\",namespace=\"remedies\"} 1.0",
            "nodehealthcheck_unhealthy_node_duration_seconds_bucket{name=\"n1\",namespace=\"remedies\",remediation=\"Reboot\",le=\"60.0\"}"
                + " 0",
            "nodehealthcheck_unhealthy_node_duration_seconds_bucket{name=\"n1\",namespace=\"remedies\",remediation=\"Reboot\",le=\"120.0\"}"
                + " 1");
  }

  @Test
  @DisplayName("RB-5 how many nodes wait for which reason, until they do not")
  void heldBack() {
    metrics.stands("nhc", Set.of(), Map.of("Excluded", 2));
    assertThat(registry.scrape())
        .contains(
            "probelet_remediation_held_back_nodes{nodehealthcheck=\"nhc\",reason=\"Excluded\"} 2");
    metrics.stands("nhc", Set.of(), Map.of());
    assertThat(registry.scrape()).doesNotContain("Excluded");
    metrics.stands("nhc", Set.of(REBOOT), Map.of());
    metrics.retired();
    assertThat(registry.scrape()).doesNotContain("Reboot");
  }
}
