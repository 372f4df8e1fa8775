package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManagedResourceRuleTest {

  @ParameterizedTest
  @CsvSource({
    "SHOOT, false, , SystemComponentsHealthy",
    "SHOOT, false, ControlPlaneHealthy, SystemComponentsHealthy",
    "SHOOT, true, , ControlPlaneHealthy",
    "SHOOT, true, '', ControlPlaneHealthy",
    "SHOOT, true, ObservabilityComponentsHealthy, ObservabilityComponentsHealthy",
    "SEED, true, , SeedSystemComponentsHealthy",
    "SEED, true, ControlPlaneHealthy, SeedSystemComponentsHealthy",
    "SEED, false, , ",
    "GARDEN, true, , RuntimeComponentsHealthy",
    "GARDEN, false, , VirtualComponentsHealthy",
    "GARDEN, true, VirtualComponentsHealthy, VirtualComponentsHealthy",
    "GARDEN, false, ObservabilityComponentsHealthy, ObservabilityComponentsHealthy",
    "GARDEN, true, SomethingElse, RuntimeComponentsHealthy"
  })
  @DisplayName("CH-27 a ManagedResource counts to a condition by its class and label")
  void grouping(
      ManagedResourceRule rule,
      boolean hasClass,
      @Nullable String label,
      @Nullable String conditionType) {
    assertThat(rule.conditionType(hasClass, label).orElse(null)).isEqualTo(conditionType);
  }
}
