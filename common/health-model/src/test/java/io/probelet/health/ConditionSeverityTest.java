package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConditionSeverityTest {
  @ParameterizedTest
  @CsvSource({
    "ReadonlyFilesystem, critical",
    "degraded.probelet.io/DiskSlow, degraded",
    "Degraded.probelet.io/DiskSlow, critical",
    "probelet.io/DiskSlow, critical",
    "'', critical",
  })
  @DisplayName("B-26 the type of a condition says how bad it is")
  void ofItsType(String type, String severity) {
    assertThat(ConditionSeverity.of(type)).hasToString(severity);
  }
}
