package io.probelet.remediator.resource;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RemediationPhaseTest {
  @ParameterizedTest
  @DisplayName("ACT-2: what each phase means, and its word in the API")
  @CsvSource({
    "PENDING, Pending, false, false, false",
    "HELD, Held, false, false, false",
    "EVIDENCE, Evidence, true, false, false",
    "DRAINING, Draining, true, true, false",
    "ORDERED, Ordered, true, true, false",
    "WAITING, Waiting, true, true, false",
    "DONE, Done, false, false, true",
    "FAILED, Failed, false, false, true"
  })
  void phases(
      RemediationPhase phase, String word, boolean inForce, boolean acting, boolean terminal) {
    assertThat(phase.label()).isEqualTo(word);
    assertThat(RemediationPhase.parse(word)).contains(phase);
    assertThat(phase.isInForce()).isEqualTo(inForce);
    assertThat(phase.isActing()).isEqualTo(acting);
    assertThat(phase.isTerminal()).isEqualTo(terminal);
  }
}
