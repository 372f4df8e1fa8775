package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What of the same container's failing is counted. */
class SuppressedRestartsTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final SuppressedRestarts kept = new SuppressedRestarts(clock, (_, _, _) -> {});

  private static RestartDecision decision(String id, Duration grace) {
    PodRef pod = new PodRef("shop", "p", "u");
    return new RestartDecision(
        new ProbeSubject(pod, "web", ProbeKind.LIVENESS),
        Targets.of(pod, "web", id),
        grace,
        new ProbeEvent("Normal", "Killing", "stopped"),
        "failed");
  }

  @Test
  @DisplayName("a container that a kubelet is stopping meanwhile counts once for its grace period")
  void oncePerGracePeriod() {
    Duration grace = Duration.ofSeconds(30);
    for (int failed = 0; failed < 60; failed++) {
      assertThat(kept.isNews(decision("a", grace), Why.OBSERVED)).isEqualTo(failed == 0);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(kept.count(Why.OBSERVED)).isEqualTo(2);
    assertThat(kept.isNews(decision("its successor", grace), Why.OBSERVED)).isTrue();
    assertThat(kept.isNews(decision("its successor", grace), Why.GUARD)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 30})
  @DisplayName(
      "L-1 one that is kept on is reported at growing intervals, whatever its grace period")
  void growingIntervals(long grace) {
    List<Integer> reported = new ArrayList<>();
    for (int second = 0; second < 3600; second++) {
      if (kept.isNews(decision("a", Duration.ofSeconds(grace)), Why.GUARD)) {
        reported.add(second);
      }
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(reported).containsExactly(0, 60, 180, 420, 900, 1860);
  }

  @Test
  @DisplayName("L-1 one that was not to be stopped for 10 minutes is reported at once")
  void anotherTime() {
    Duration grace = Duration.ofSeconds(1);
    assertThat(kept.isNews(decision("a", grace), Why.GUARD)).isTrue();
    clock.advance(Duration.ofSeconds(61));
    assertThat(kept.isNews(decision("a", grace), Why.GUARD)).isTrue();
    clock.advance(Duration.ofMinutes(1));
    assertThat(kept.isNews(decision("a", grace), Why.GUARD)).isFalse();
    clock.advance(Duration.ofMinutes(10));
    assertThat(kept.isNews(decision("a", grace), Why.GUARD)).isTrue();
  }

  @Test
  @DisplayName("containers are bounded, and so is the grace period that a pod's author chose")
  void bounded() {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE / 2);
    for (int i = 0; i <= SuppressedRestarts.MAX_CONTAINERS; i++) {
      kept.isNews(decision("c" + i, forEver), Why.GUARD);
    }
    assertThat(kept.isNews(decision("c1", forEver), Why.GUARD)).isFalse();
    assertThat(kept.isNews(decision("c0", forEver), Why.GUARD)).as("forgotten").isTrue();
    clock.advance(Duration.ofDays(1));
    assertThat(kept.isNews(decision("c2", forEver), Why.GUARD)).isTrue();
  }
}
