package io.probelet.web.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.web.api.NodeView.ConditionView;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DegradedConditionTest {
  private static ConditionView condition(String type, String status, int changes) {
    return new ConditionView(
        type, status, "Reason", "message", "2026-11-27T12:00:00Z", changes, List.of(), null);
  }

  private static NodeVerdict verdict(ConditionView... conditions) {
    return NodeVerdict.of(
        List.of(),
        new NodeView(
            Arrays.asList(conditions),
            List.of(),
            List.of(),
            List.of(),
            "2026-11-27T12:00:00Z",
            null));
  }

  @ParameterizedTest
  @CsvSource({
    "DiskSlow, True, 0, UNHEALTHY",
    "degraded.probelet.io/DiskSlow, True, 0, WARNING",
    "degraded.probelet.io/DiskSlow, Unknown, 0, UNKNOWN",
    "degraded.probelet.io/DiskSlow, False, 0, HEALTHY",
    "degraded.probelet.io/DiskSlow, False, 9, WARNING",
    "sub.degraded.probelet.io/DiskSlow, True, 0, UNHEALTHY",
  })
  @DisplayName("B-26 a degraded condition is a warning")
  void severity(String type, String status, int changes, Severity severity) {
    assertThat(condition(type, status, changes).severity()).isEqualTo(severity);
  }

  @Test
  @DisplayName("B-26 the line about the node names degraded conditions after problems")
  void verdict() {
    assertThat(
            verdict(
                condition("degraded.probelet.io/DiskSlow", "True", 0),
                condition("degraded.probelet.io/Flaps", "False", 9),
                condition("KubeletUnhealthy", "True", 0)))
        .isEqualTo(
            new NodeVerdict(
                Severity.UNHEALTHY,
                "no containers; KubeletUnhealthy; degraded: degraded.probelet.io/DiskSlow;"
                    + " flapping: degraded.probelet.io/Flaps"));
    assertThat(verdict(condition("degraded.probelet.io/DiskSlow", "True", 0)).severity())
        .isEqualTo(Severity.WARNING);
  }
}
