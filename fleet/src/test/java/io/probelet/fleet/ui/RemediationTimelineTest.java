package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.FleetView;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.nodehealth.simulation.Timeline.Turn;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What of a cluster's remediations is drawn from when to when. */
class RemediationTimelineTest {
  private static String name(int node) {
    return "worker-%05d.eu-central-1.compute.internal".formatted(node);
  }

  @Test
  @DisplayName("from the first remediation to now: steps, where they were given up, and what waits")
  void timeline() {
    Timeline timeline = RemediationTimeline.of(TestFleet.busy(20, 6, ""));
    Duration now = Duration.ofMinutes(20);
    Duration since = now.minusSeconds(252);
    assertThat(timeline.length()).isEqualTo(now);
    assertThat(timeline.spans())
        .containsExactlyInAnyOrder(
            new Span(name(0), "", since, now),
            new Span(name(1), "", since, now),
            new Span(name(2), "", since, now),
            new Span(name(2), "RebootRemediation", Duration.ZERO, Duration.ofSeconds(599)),
            new Span(name(2), "ReplaceRemediation", Duration.ofMinutes(10), now));
    assertThat(timeline.turns())
        .containsExactly(new Turn(name(2), "RebootRemediation", Duration.ofSeconds(599), false));
    assertThat(timeline.holds())
        .containsExactly(
            new Hold(
                name(0), "TooFewHealthy", "Waiting: 4 of 6 healthy nodes required ", since, now));
  }

  @Test
  @DisplayName("where nothing happens it is a minute long and empty")
  void quiet() {
    FleetView quiet = TestFleet.of(List.of());
    Timeline timeline = RemediationTimeline.of(quiet);
    assertThat(timeline.length()).isEqualTo(Duration.ofMinutes(1));
    assertThat(timeline.spans()).isEmpty();
  }
}
