package io.probelet.system.hostile;

import static io.probelet.system.hostile.HostileAgent.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.PodRef;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tenant whose pods make as much noise as they can, beside an honest pod. */
class NoisyTenantTest {
  private static final int PODS = 120;

  /** Far below the minutes that it took when all pods had one budget and one queue. */
  private static final Duration SOON = Duration.ofSeconds(90);

  @TempDir Path home;

  private static String noisy(int pod, String annotation) {
    PodRef ref = new PodRef("tenant", "noisy-" + pod, "noisy-uid-" + pod);
    return HostilePods.pod(
        ref,
        ref.uid(),
        "\"probelet.io/probes\": \"" + annotation + "\"",
        HostilePods.refused(),
        "c-" + pod);
  }

  @Test
  @DisplayName("it costs the honest pod neither its events nor its log lines")
  void noise() throws Exception {
    try (HostileAgent shared = new HostileAgent(home, "none")) {
      for (int pod = 0; pod < PODS; pod++) {
        shared.api.put(noisy(pod, "web: {liveness: 7"));
      }
      for (int edit = 0; edit < 300; edit++) {
        shared.api.put(noisy(0, "web: {liveness: {period: " + edit + "x}}"));
      }
      patiently()
          .until(() ->
              shared.events("tenant", "noisy-" + (PODS - 1), "Unhealthy").size() > 0
                  || shared.api.writes("/namespaces/tenant/events").size() >= 50);
      PodRef honest = new PodRef("shop", "honest", "honest-uid");
      shared.api.put(HostilePods.pod(honest, honest.uid(), "", HostilePods.refused(), "c-honest"));

      patiently()
          .atMost(SOON)
          .untilAsserted(() -> {
            assertThat(shared.events("shop", "honest", "Unhealthy")).isNotEmpty();
            assertThat(shared.events("shop", "honest", "Evicting")).isNotEmpty();
          });
      assertThat(shared.agent.lines())
          .anyMatch(line -> line.contains("shop/honest/web liveness failed 1/3"))
          .anyMatch(line -> line.contains("shop/honest/web evicting"));
      assertThat(shared.agent.lines().stream().filter(line -> line.contains("noisy-0")))
          .as("300 edits")
          .hasSizeLessThan(250);
      String metrics = shared.agent.get("/metrics");
      assertThat(metrics)
          .contains("probelet_events_waiting{")
          .contains("probelet_events_dropped_total{")
          .contains("probelet_log_lines_held_back_total");

      int before = shared.api.writes("/namespaces/tenant/events").size();
      shared.agent.signal("TERM");
      assertThat(shared.agent.exitCode()).isZero();
      assertThat(shared.api.writes("/namespaces/tenant/events"))
          .as("what waited is written at the end, whatever the budgets, while there is time")
          .hasSizeGreaterThan(before + 20);
    }
  }
}
