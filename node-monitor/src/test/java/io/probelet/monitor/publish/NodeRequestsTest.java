package io.probelet.monitor.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeRequestsTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

  @Test
  @DisplayName("C2 written conditions fit the agents' admission policy")
  void bounds() {
    Condition said =
        new Condition(
            "DiskFull",
            ConditionStatus.TRUE,
            NOW,
            NOW,
            "R".repeat(5_000),
            "one\ntwo\u001b[2J" + "x".repeat(5_000),
            List.of());
    JsonNode written =
        NodeRequests.statusPatch(List.of(said), List.of(), NOW).at("/status/conditions/0");
    assertThat(written.path("reason").asText()).hasSize(NodeRequests.MAX_REASON);
    assertThat(written.path("message").asText())
        .startsWith("one twoxxx")
        .hasSize(NodeRequests.MAX_MESSAGE);
    assertThat(NodeRequests.MAX_REASON).isEqualTo(128);
    assertThat(NodeRequests.MAX_MESSAGE).isEqualTo(1024);
  }
}
