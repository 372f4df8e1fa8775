package io.probelet.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How many lines a pod has. */
class PodLogLimitTest {
  private final PodLogLimit lines = new PodLogLimit();

  @Test
  @DisplayName("a noisy pod costs no other pod a line, and suppressed lines are counted once")
  void bounded() {
    for (int i = 0; i < PodLogLimit.BURST; i++) {
      assertThat(lines.allow("tenant/noisy", 0)).hasValue(0);
    }
    assertThat(lines.allow("tenant/noisy", 0)).isEmpty();
    assertThat(lines.allow("tenant/noisy", 0)).isEmpty();
    assertThat(lines.allow("shop/web", 0)).hasValue(0);
    long later = Duration.ofSeconds(20).toNanos();
    assertThat(lines.allow("tenant/noisy", later)).hasValue(2);
    assertThat(lines.allow("tenant/noisy", later)).hasValue(0);
    assertThat(lines.allow("tenant/noisy", later)).isEmpty();
  }

  @Test
  @DisplayName("the number of pods is limited; the least recently logged one is dropped")
  void pods() {
    for (int i = 0; i <= PodLogLimit.BURST; i++) {
      lines.allow("tenant/noisy", 0);
    }
    for (int pod = 0; pod < PodLogLimit.MAX_PODS; pod++) {
      lines.allow("shop/" + pod, 0);
      if (pod == PodLogLimit.MAX_PODS / 2) {
        assertThat(lines.allow("tenant/noisy", 0)).as("remembered").isEmpty();
      }
    }
    assertThat(lines.allow("tenant/noisy", 0)).as("remembered still").isEmpty();
    for (int pod = 0; pod < PodLogLimit.MAX_PODS; pod++) {
      lines.allow("other/" + pod, 0);
    }
    assertThat(lines.allow("tenant/noisy", 0)).as("forgotten").hasValue(0);
  }
}
