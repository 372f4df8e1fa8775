package io.probelet.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.MaintenanceNote;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.MaintenanceView;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A node in maintenance, as the agent shows it. */
class MaintenanceViewTest {
  private static final NodeView NODE =
      new NodeView(
              List.of(new ConditionView("DiskFull", "True", "DiskFull", "/", "")),
              List.of(),
              List.of(),
              List.of(),
              "",
              null)
          .with(Optional.of(new MaintenanceNote(Instant.parse("2026-12-02T02:30:00Z"), "rack-7")));

  @Test
  @DisplayName("MW-11 the maintenance is named first, and what is wrong stays wrong")
  void verdict() {
    NodeVerdict verdict = NodeVerdict.of(List.of(), NODE);
    assertThat(verdict.text())
        .isEqualTo("in maintenance until 2026-12-02T02:30:00Z (rack-7); no containers; DiskFull");
    assertThat(verdict.severity()).isEqualTo(Severity.UNHEALTHY);
  }

  @Test
  @DisplayName("MW-11 the maintenance is in the JSON, and read back")
  void json() throws Exception {
    ObjectMapper json = new ObjectMapper();
    String text = json.writeValueAsString(NODE);
    assertThat(text)
        .contains("\"maintenance\":{\"name\":\"rack-7\",\"until\":\"2026-12-02T02:30:00Z\"}");
    assertThat(json.readValue(text, NodeView.class).maintenance())
        .isEqualTo(new MaintenanceView("rack-7", "2026-12-02T02:30:00Z"));
    assertThat(json.writeValueAsString(NodeView.NONE)).doesNotContain("maintenance");
  }
}
