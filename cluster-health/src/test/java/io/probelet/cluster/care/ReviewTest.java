package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made of all components, nodes and ManagedResources of one condition type. */
class ReviewTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
  private static final ManagedResourceHealth HOUR =
      new ManagedResourceHealth(Duration.ofHours(1), NOW);

  @Test
  @DisplayName("CH-46 a selection that nothing answers to says so")
  void nothingSelected() {
    assertThat(new ComponentReview().finding())
        .isEqualTo(
            new ConditionFinding.Healthy(
                "NoComponents", "Nothing was checked: no component matches."));
  }

  @Test
  @DisplayName("CH-8 what others ended with a full stop ends with one")
  void dots() {
    ComponentReview review = new ComponentReview();
    review.add("dns", CheckResult.unhealthy("no answer.. "));
    review.add("api", CheckResult.unhealthy("gone."));
    assertThat(((ConditionFinding.Unhealthy) review.finding()).message())
        .isEqualTo("Check \"dns\" is unhealthy: no answer; Check \"api\" is unhealthy: gone.");
    ComponentReview errors = new ComponentReview();
    errors.unreadable("Pods cannot be listed: not allowed.");
    assertThat(((ConditionFinding.Unknown) errors.finding()).error())
        .isEqualTo("Pods cannot be listed: not allowed.");
  }

  @Test
  @DisplayName("CH-48 what is wrong with a component is classified, unless it brings its codes")
  void codes() {
    ComponentReview review = new ComponentReview();
    review.add("a", CheckResult.unhealthy("exceeded quota: cpu"));
    review.add("b", CheckResult.unhealthy("too many requests", ErrorCode.ERR_INFRA_DEPENDENCIES));
    assertThat(((ConditionFinding.Unhealthy) review.finding()).codes())
        .containsExactly("ERR_INFRA_QUOTA_EXCEEDED", "ERR_INFRA_DEPENDENCIES");
  }

  @Test
  @DisplayName("CH-45 a preserved node is told when nothing else is wrong, with what it is")
  void preserved() {
    NodeReview known = new NodeReview(0);
    known.add(verdict("a", "False", "True"));
    known.add(verdict("b", "True", "False"));
    assertThat(known.finding())
        .isInstanceOfSatisfying(
            ConditionFinding.Unhealthy.class,
            bad ->
                assertThat(bad.message())
                    .isEqualTo(
                        "Node \"a\" is unhealthy: condition \"Ready\" has invalid status False"
                            + " (expected True) (node and backing machine are preserved)."));
    known.add(verdict("c", "Unknown", "False"));
    assertThat(((ConditionFinding.Unhealthy) known.finding()).message())
        .startsWith("Node \"c\"")
        .endsWith(").");
  }

  @Test
  @DisplayName("CH-46 no node is told, too few are a failure")
  void fewNodes() {
    assertThat(new NodeReview(0).finding())
        .isEqualTo(new ConditionFinding.Healthy("NoNodes", "No node is registered."));
    NodeReview two = new NodeReview(2);
    two.add(verdict("a", "True", "False"));
    assertThat(two.finding())
        .isEqualTo(
            new ConditionFinding.Unhealthy(
                "MissingNodes", "Not enough nodes are registered (1/2)."));
  }

  @ParameterizedTest
  @DisplayName("CH-43 a ManagedResource: applied, healthy, and rolled out within the threshold")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "2 | True  | True | False | 0  |",
        "1 | True  | True | False | 0  | observed generation outdated (1/2)",
        "3 | True  | True | False | 0  | observed generation outdated (3/2)",
        "1 | False | True | False | 0  | condition \"ResourcesApplied\" is False: said so",
        "2 | Progressing | True | False | 0 |",
        "2 | Unknown | True | False | 0 | condition \"ResourcesApplied\" is Unknown: said so",
        "2 | True  | False | True | 99 | condition \"ResourcesHealthy\" is False: said so",
        "2 | True  | True | True  | 59 |",
        "2 | True  | True | True  | 60 | progressing for more than 1h0m0s: said so",
        "2 | True  | True | Unknown | 0 | condition \"ResourcesProgressing\" is Unknown: said so",
        "2 | True  | -    | False | 0  | conditions not reported yet: ResourcesHealthy",
        "2 | -     | -    | -     | 0  |"
            + " conditions not reported yet: ResourcesApplied, ResourcesHealthy, ResourcesProgressing",
      })
  void managedResource(
      int observed,
      @Nullable String applied,
      @Nullable String healthy,
      @Nullable String progressing,
      int minutes,
      @Nullable String message) {
    List<Map<String, String>> conditions = new ArrayList<>();
    add(conditions, "ResourcesApplied", applied, minutes);
    add(conditions, "ResourcesHealthy", healthy, minutes);
    add(conditions, "ResourcesProgressing", progressing, minutes);
    GenericKubernetesResource object =
        new GenericKubernetesResourceBuilder()
            .withApiVersion("resources.gardener.cloud/v1alpha1")
            .withKind("ManagedResource")
            .withNewMetadata()
            .withGeneration(2L)
            .endMetadata()
            .addToAdditionalProperties(
                "status", Map.of("observedGeneration", observed, "conditions", conditions))
            .build();
    assertThat(HOUR.check(object))
        .isEqualTo(message == null ? CheckResult.healthy() : CheckResult.unhealthy(message));
    object.getMetadata().setAnnotations(Map.of("probelet.io/skip-health-check", "true"));
    assertThat(HOUR.check(object)).isEqualTo(CheckResult.healthy());
  }

  private static void add(
      List<Map<String, String>> conditions, String type, @Nullable String status, int minutes) {
    if (status != null) {
      conditions.add(
          Map.of(
              "type",
              type,
              "status",
              status,
              "reason",
              "ApplyFailed",
              "message",
              "said so",
              "lastTransitionTime",
              NOW.minus(Duration.ofMinutes(minutes)).toString()));
    }
  }

  private static ObjectVerdict verdict(String name, String ready, String preserved) {
    return ObjectVerdict.of(node(name, ready, preserved));
  }

  private static Node node(String name, String ready, String preserved) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .endCondition()
        .addNewCondition()
        .withType("Preserved")
        .withStatus(preserved)
        .endCondition()
        .endStatus()
        .build();
  }
}
