package io.probelet.controller.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.probelet.nodehealth.controller.RemediationListener.NodeUnderRemediation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RemediationMetricsTest {
  private static final NodeUnderRemediation REBOOT =
      new NodeUnderRemediation("n1", "remedies", "Reboot");

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final RemediationMetrics metrics = new RemediationMetrics(registry);

  @Test
  @DisplayName("remediation spec 3: names and labels that dashboards know")
  void names() {
    metrics.stands("nhc", Set.of(REBOOT), Map.of());
    metrics.grewOld(REBOOT);
    metrics.finished(REBOOT, Duration.ofSeconds(100));
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
  @DisplayName("MW-10 the nodes in maintenance are exported, until they no longer are")
  void maintenance() {
    metrics.inMaintenance(Set.of("n1", "n2"));
    metrics.inMaintenance(Set.of("n2"));
    assertThat(registry.scrape().lines().filter(line -> line.startsWith("probelet_node_m")))
        .containsExactly("probelet_node_maintenance{node=\"n2\"} 1.0");
    metrics.retired();
    assertThat(registry.scrape()).doesNotContain("probelet_node_maintenance{");
  }

  @Test
  @DisplayName("remediation spec 3: what is over stays, as 0, and begins anew as 1")
  void over() {
    String series =
        "nodehealthcheck_ongoing_remediation{name=\"n1\",namespace=\"remedies\",remediation=\"Reboot\"}";
    metrics.stands("nhc", Set.of(REBOOT), Map.of());
    metrics.stands("nhc", Set.of(), Map.of());
    assertThat(registry.scrape().lines()).contains(series + " 0.0");
    metrics.stands("nhc", Set.of(REBOOT), Map.of());
    assertThat(registry.scrape().lines()).contains(series + " 1.0");
  }

  @Test
  @DisplayName("remediation spec 3: of what is over no more than 1,000 stay, the newest")
  void bounded() {
    metrics.stands("nhc", many("old", 1000), Map.of());
    metrics.stands("nhc", many("new", 400), Map.of());
    metrics.stands("nhc", Set.of(), Map.of());
    List<String> over =
        registry
            .scrape()
            .lines()
            .filter(line ->
                line.startsWith("nodehealthcheck_ongoing_remediation{") && line.endsWith(" 0.0"))
            .toList();
    assertThat(over).hasSize(1000);
    assertThat(over).filteredOn(line -> line.contains("new")).hasSize(400);
  }

  private static Set<NodeUnderRemediation> many(String name, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new NodeUnderRemediation(name + i, "remedies", "Reboot"))
        .collect(Collectors.toSet());
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
