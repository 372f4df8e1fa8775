package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class StatusPausesTest {
  private static final Duration APART = Duration.ofSeconds(1);
  private static final Done DONE = new Done(MissingNode.getInstance());

  private final ManualClock time = new ManualClock(Instant.EPOCH);
  private final StatusPauses pauses = new StatusPauses(time, new Random(1), APART);

  private static Refused refused(int code) {
    return new Refused(code, "refused", null);
  }

  @Test
  @DisplayName("RB-2 writes of one status are apart, also after a conflict")
  void apart() {
    assertThat(pauses.remaining("a")).isZero();
    pauses.sent("a");
    assertThat(pauses.remaining("a")).isEqualTo(APART);
    assertThat(pauses.remaining("b")).isZero();
    time.advance(Duration.ofMillis(400));
    assertThat(pauses.answered("a", DONE)).isFalse();
    assertThat(pauses.answered("a", refused(409))).isFalse();
    assertThat(pauses.remaining("a")).isEqualTo(Duration.ofMillis(600));
  }

  @Test
  @DisplayName("failures in a row make the next write wait longer, up to a minute and a half")
  void failures() {
    Duration longest = Duration.ZERO;
    for (int i = 0; i < 20; i++) {
      pauses.sent("a");
      pauses.answered("a", refused(500));
      longest = pauses.remaining("a");
      time.advance(longest);
    }
    assertThat(longest).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(90));
    pauses.sent("a");
    pauses.answered("a", DONE);
    assertThat(pauses.remaining("a")).isEqualTo(APART);
    pauses.answered("a", refused(500));
    assertThat(pauses.remaining("a")).isLessThan(Duration.ofSeconds(2));
  }

  @Test
  @DisplayName("a failure is reported once, until another one or a success")
  void reported() {
    pauses.sent("a");
    assertThat(pauses.answered("a", refused(500))).isTrue();
    assertThat(pauses.answered("a", refused(500))).isFalse();
    assertThat(pauses.answered("a", refused(503))).isTrue();
    assertThat(pauses.answered("a", DONE)).isFalse();
    assertThat(pauses.answered("a", refused(503))).isTrue();
  }
}
