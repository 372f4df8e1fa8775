package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TapeProgressTest {
  @ParameterizedTest
  @CsvSource({"0, 100, 0", "505, 1000, 50", "10, 10, 100", "11, 10, 100", "5, 0, 100"})
  void percent(long bytes, long size, int percent) {
    assertThat(TapeSimulation.progressed(7, bytes, size))
        .isEqualTo("probelet simulate: " + percent + " % played, 7 lines");
  }
}
