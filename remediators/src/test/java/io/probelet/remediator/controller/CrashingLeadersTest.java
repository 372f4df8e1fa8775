package io.probelet.remediator.controller;

import io.probelet.health.RandomCase;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CrashingLeadersTest {
  private static final int CASES = 12;
  private static final int STEPS = 120;

  @Test
  @DisplayName(
      "ACT-3, ACT-2, ACT-7: leaders may crash between any two writes: one remediation of a node at a"
          + " time, nothing over begins again, and at the end the node is as it was")
  void nothingHarmfulIsRepeated() {
    RandomCase.tries(
        CASES,
        chance -> {
          try (CrashingLeaders cluster = new CrashingLeaders(chance)) {
            for (int step = 0; step < STEPS; step++) {
              cluster.step();
            }
            cluster.settle();
          } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
          }
        });
  }
}
