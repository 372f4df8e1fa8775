package io.probelet.controller.clusterhealth;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ClusterHealthMetricsTest {
  private static final List<Condition> WELL =
      List.of(
          new Condition(
              "EveryNodeReady",
              ConditionStatus.TRUE,
              Instant.EPOCH,
              Instant.EPOCH,
              "AllReady",
              "",
              List.of()));

  private final MeterRegistry registry = new SimpleMeterRegistry();
  private final ClusterHealthMetrics metrics = new ClusterHealthMetrics(registry);

  @Test
  @DisplayName("CH-25 a round that outlasts its term is not shown, the next term's rounds are")
  void late() {
    ClusterHealthMetrics.OfTerm first = metrics.begin();
    first.roundEnded(WELL, List.of());
    assertThat(shown()).isTrue();

    first.close();
    first.roundEnded(WELL, List.of());
    assertThat(shown()).isFalse();

    metrics.begin().roundEnded(WELL, List.of());
    first.roundEnded(List.of(), List.of());
    assertThat(shown()).isTrue();
  }

  private boolean shown() {
    return registry.find("probelet_condition_status").gauge() != null;
  }
}
