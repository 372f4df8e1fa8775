package io.probelet.agent.cluster.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.restart.KeptRestarts.Why;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What of the same container's failing is counted. */
class KeptRestartsTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final KeptRestarts kept = new KeptRestarts(clock, (_, _, _) -> {});

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
      assertThat(kept.isNews(decision("a", grace), Why.OBSERVED)).isEqualTo(failed % 30 == 0);
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(kept.count(Why.OBSERVED)).isEqualTo(2);
    assertThat(kept.isNews(decision("its successor", grace), Why.OBSERVED)).isTrue();
    assertThat(kept.isNews(decision("its successor", grace), Why.GUARD)).isTrue();
  }

  @Test
  @DisplayName("containers are bounded, and so is the grace period that a pod's author chose")
  void bounded() {
    Duration forEver = Duration.ofSeconds(Long.MAX_VALUE / 2);
    for (int i = 0; i <= KeptRestarts.MAX_CONTAINERS; i++) {
      kept.isNews(decision("c" + i, forEver), Why.GUARD);
    }
    assertThat(kept.isNews(decision("c1", forEver), Why.GUARD)).isFalse();
    assertThat(kept.isNews(decision("c0", forEver), Why.GUARD)).as("forgotten").isTrue();
    clock.advance(Duration.ofDays(1));
    assertThat(kept.isNews(decision("c2", forEver), Why.GUARD)).isTrue();
  }
}
