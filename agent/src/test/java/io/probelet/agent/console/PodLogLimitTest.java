package io.probelet.agent.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How many lines a pod has. */
class PodLogLimitTest {
  private final PodLogLimit lines = new PodLogLimit();

  @Test
  @DisplayName("a pod's noise costs no other pod a line, and what was held back is told once")
  void bounded() {
    for (int i = 0; i < PodLogLimit.BURST; i++) {
      assertThat(lines.allow("tenant/noisy", 0)).isZero();
    }
    assertThat(lines.allow("tenant/noisy", 0)).isNegative();
    assertThat(lines.allow("tenant/noisy", 0)).isNegative();
    assertThat(lines.allow("shop/web", 0)).isZero();
    long later = Duration.ofSeconds(20).toNanos();
    assertThat(lines.allow("tenant/noisy", later)).isEqualTo(2);
    assertThat(lines.allow("tenant/noisy", later)).isZero();
    assertThat(lines.allow("tenant/noisy", later)).isNegative();
  }

  @Test
  @DisplayName("pods are bounded; the one told of longest ago is forgotten")
  void pods() {
    for (int i = 0; i <= PodLogLimit.BURST; i++) {
      lines.allow("tenant/noisy", 0);
    }
    for (int pod = 0; pod < PodLogLimit.MAX_PODS; pod++) {
      lines.allow("shop/" + pod, 0);
      if (pod == PodLogLimit.MAX_PODS / 2) {
        assertThat(lines.allow("tenant/noisy", 0)).as("remembered").isNegative();
      }
    }
    assertThat(lines.allow("tenant/noisy", 0)).as("remembered still").isNegative();
    for (int pod = 0; pod < PodLogLimit.MAX_PODS; pod++) {
      lines.allow("other/" + pod, 0);
    }
    assertThat(lines.allow("tenant/noisy", 0)).as("forgotten").isZero();
  }
}
