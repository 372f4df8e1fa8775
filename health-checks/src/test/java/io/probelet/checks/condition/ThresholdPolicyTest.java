package io.probelet.checks.condition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.checks.operation.LastError;
import io.probelet.checks.operation.LastOperation;
import io.probelet.checks.operation.OperationState;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.checks.operation.OperationType;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThresholdPolicyTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final String WITH = "SystemComponentsHealthy";
  private static final String WITHOUT = "EveryNodeReady";
  private final ThresholdPolicy policy = new ThresholdPolicy(Map.of(WITH, Duration.ofMinutes(1)));

  /**
   * Columns: status and its age in seconds; age of the last operation's success, if any; new
   * reason; what becomes of it with a threshold of 60 s, and without one.
   */
  @ParameterizedTest
  @DisplayName("CH-28 CC-7 every cell of the threshold machine, on a failed check")
  @CsvSource({
    "True,        999, ,    foo, Progressing",
    "Progressing, 30,  ,    foo, Progressing",
    "Progressing, 60,  ,    foo, Progressing",
    "Progressing, 61,  ,    foo, False",
    "Progressing, 30,  ,    bar, Progressing",
    "Progressing, 61,  ,    bar, False",
    "Progressing, 999, 0,   foo, Progressing",
    "Progressing, 999, 60,  foo, Progressing",
    "Progressing, 999, 61,  foo, False",
    "False,       1,   ,    foo, False",
    "False,       999, 60,  foo, Progressing",
    "False,       999, 61,  foo, False",
    "False,       1,   ,    bar, Progressing",
    "False,       999, 61,  bar, Progressing",
    "Unknown,     1,   ,    foo, False",
    "Unknown,     1,   0,   foo, False",
    "Unknown,     1,   ,    bar, False",
  })
  void failure(
      String status, int age, @Nullable Integer successAge, String reason, String expected) {
    OperationStatus operation =
        successAge == null
            ? OperationStatus.NONE
            : operation(OperationType.RECONCILE, OperationState.SUCCEEDED, successAge);

    assertThat(fail(condition(WITH, status, age), reason, operation).status())
        .hasToString(expected);
    assertThat(fail(condition(WITHOUT, status, age), reason, operation).status())
        .as("without a threshold")
        .isEqualTo(ConditionStatus.FALSE);
  }

  @ParameterizedTest
  @DisplayName("CH-28 success is True immediately, from any status")
  @CsvSource({"True", "Progressing", "False", "Unknown"})
  void success(String status) {
    assertThat(policy.succeeded(condition(WITH, status, 1), "Fine", "All well.", NOW).status())
        .isEqualTo(ConditionStatus.TRUE);
  }

  @Test
  @DisplayName("CH-28 another reason while Progressing does not restart the clock")
  void clockGoesOn() {
    Condition progressing = condition(WITH, "Progressing", 30);

    assertThat(fail(progressing, "bar", OperationStatus.NONE).lastTransitionTime())
        .isEqualTo(progressing.lastTransitionTime());
  }

  @Test
  @DisplayName("CH-28 True → Progressing → False over the threshold → True")
  void wholeLife() {
    Condition healthy = condition(WITH, "True", 999);
    Condition first = fail(healthy, "foo", OperationStatus.NONE);
    Condition later =
        policy.failed(first, "foo", "x", List.of(), OperationStatus.NONE, NOW.plusSeconds(60));
    Condition overdue =
        policy.failed(later, "foo", "x", List.of(), OperationStatus.NONE, NOW.plusSeconds(61));
    Condition again = policy.succeeded(overdue, "Fine", "All well.", NOW.plusSeconds(62));

    assertThat(List.of(first, later, overdue, again))
        .extracting(condition -> condition.status().toString())
        .containsExactly("Progressing", "Progressing", "False", "True");
    assertThat(overdue.lastTransitionTime()).isEqualTo(NOW.plusSeconds(61));
  }

  @ParameterizedTest
  @DisplayName("CH-29 False is tolerated while being made or gone, or under way without errors")
  @CsvSource({
    "CREATE,    PROCESSING, false, Progressing",
    "CREATE,    PROCESSING, true,  Progressing",
    "CREATE,    ERROR,      true,  Progressing",
    "CREATE,    FAILED,     true,  Progressing",
    "CREATE,    SUCCEEDED,  false, False",
    "DELETE,    PROCESSING, true,  Progressing",
    "DELETE,    ERROR,      true,  Progressing",
    "DELETE,    SUCCEEDED,  false, False",
    "RECONCILE, PROCESSING, false, Progressing",
    "RECONCILE, PROCESSING, true,  False",
    "RECONCILE, ERROR,      true,  False",
    "RECONCILE, SUCCEEDED,  false, False",
    "RESTORE,   PROCESSING, false, Progressing",
    "MIGRATE,   PENDING,    false, False",
  })
  void pardon(OperationType type, OperationState state, boolean errors, String expected) {
    OperationStatus operation = operation(type, state, 999);
    if (errors) {
      operation =
          new OperationStatus(
              operation.lastOperation(), List.of(new LastError("x", null, List.of(), NOW)), null);
    }

    Condition old = condition(WITHOUT, "Unknown", 1);
    assertThat(fail(old, "foo", operation).status()).hasToString(expected);
    for (ConditionStatus other : ConditionStatus.values()) {
      if (other != ConditionStatus.FALSE) {
        assertThat(ThresholdPolicy.tolerated(other, operation)).isEqualTo(other);
      }
    }
  }

  @Test
  @DisplayName("CH-29 a cluster nobody operates on is not tolerated")
  void noOperationNoPardon() {
    assertThat(ThresholdPolicy.tolerated(ConditionStatus.FALSE, OperationStatus.NONE))
        .isEqualTo(ConditionStatus.FALSE);
  }

  @Test
  @DisplayName("CH-29 a tolerated condition keeps its transition time")
  void pardonKeepsTime() {
    Condition old = condition(WITHOUT, "Progressing", 999);

    Condition tolerated =
        fail(old, "foo", operation(OperationType.CREATE, OperationState.PROCESSING, 999));

    assertThat(tolerated.lastTransitionTime()).isEqualTo(old.lastTransitionTime());
  }

  @Test
  @DisplayName("CH-37 a check that cannot run → Unknown, ConditionCheckError")
  void notChecked() {
    Condition unknown = policy.notChecked(condition(WITH, "True", 1), "API is away", NOW);

    assertThat(unknown.status()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(unknown.reason()).isEqualTo("ConditionCheckError");
    assertThat(unknown.message()).isEqualTo("API is away");
  }

  @Test
  void aNegativeThresholdIsRefused() {
    assertThatThrownBy(() -> new ThresholdPolicy(Map.of("A", Duration.ofSeconds(-1))))
        .hasMessage("threshold of A is PT-1S; use 0 or more");
  }

  private Condition fail(Condition old, String reason, OperationStatus operation) {
    return policy.failed(old, reason, "something is wrong", List.of(), operation, NOW);
  }

  private static Condition condition(String type, String status, int age) {
    Instant since = NOW.minusSeconds(age);
    return Condition.initial(type, since)
        .update(ConditionStatus.parse(status), "foo", "before", List.of(), since);
  }

  private static OperationStatus operation(OperationType type, OperationState state, int age) {
    return new OperationStatus(
        new LastOperation(type, state, 50, "x", NOW.minusSeconds(age)), List.of(), null);
  }
}
