package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TermClockTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  @DisplayName("ACT-8: setting the clock does not change a deadline")
  void clockIsSet() {
    ManualClock clock = new ManualClock(START);
    TermClock term = new TermClock(clock);
    clock.advance(Duration.ofSeconds(5));
    clock.stepWallClock(Duration.ofHours(3));
    assertThat(term.now()).isEqualTo(START.plusSeconds(5));
  }
}
