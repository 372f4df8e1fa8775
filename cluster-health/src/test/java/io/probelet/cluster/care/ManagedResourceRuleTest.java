package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
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

  @ParameterizedTest
  @CsvSource({
    "SHOOT, '',",
    "SEED, '', garden istio-system",
    "GARDEN, '', garden istio-system",
    "SHOOT, shoot--a, shoot--a",
    "SEED, elsewhere, elsewhere",
  })
  @DisplayName("CH-27 ManagedResources count in Gardener's own namespaces, or in those named")
  void namespaces(ManagedResourceRule rule, String named, @Nullable String namespaces)
      throws JsonProcessingException {
    String list = named.isEmpty() ? "" : "\"" + named + "\"";
    JsonNode resource =
        new ObjectMapper()
            .readTree(
                "{\"spec\": {\"gardener\": {\"rule\": \"%s\", \"namespaces\": [%s]}}}"
                    .formatted(rule, list));
    ClusterHealthSpec spec =
        ClusterHealthReader.ofNew(NamedChecks.DEFAULTS).read(resource).spec().orElseThrow();
    assertThat(spec.gardener().namespaces())
        .isEqualTo(namespaces == null ? List.of() : List.of(namespaces.split(" ")));
  }
}
