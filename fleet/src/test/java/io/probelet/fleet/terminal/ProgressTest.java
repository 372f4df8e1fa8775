package io.probelet.fleet.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final StringWriter err = new StringWriter();
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-22T12:00:00Z"));

  private Progress progress(boolean shown) {
    return new Progress(new PrintWriter(err), shown, clock);
  }

  @Test
  @DisplayName("updates one line at most four times a second, and erases it")
  void rewritten() {
    try (Progress progress = progress(true)) {
      progress.show(() -> "1 of 9");
      clock.advance(Duration.ofMillis(249));
      progress.show(() -> {
        throw new AssertionError("made although it is not shown");
      });
      clock.advance(Duration.ofMillis(1));
      progress.show(() -> "3 of\n9\u001b[2J");
      assertThat(err.toString())
          .isEqualTo(
              "\r\u001b[?7l1 of 9\u001b[K\u001b[?7h"
                  + "\r\u001b[?7l3 of 9\\u001b[2J\u001b[K\u001b[?7h");
      err.getBuffer().setLength(0);
    }
    assertThat(err.toString()).isEqualTo("\r\u001b[K");
  }

  @Test
  @DisplayName("writes nothing to a file, nor before the first progress")
  void silent() {
    try (Progress progress = progress(false)) {
      progress.show(() -> "1 of 9");
    }
    progress(true).close();
    assertThat(err.toString()).isEmpty();
  }
}
