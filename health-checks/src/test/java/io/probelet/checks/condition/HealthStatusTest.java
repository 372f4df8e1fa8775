package io.probelet.checks.condition;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.checks.operation.LastError;
import io.probelet.checks.operation.LastOperation;
import io.probelet.checks.operation.OperationState;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.checks.operation.OperationType;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthStatusTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @DisplayName("CH-39 the worst condition counts when the operation succeeded")
  @CsvSource({
    "'',                             healthy",
    "True,                           healthy",
    "True Progressing,               progressing",
    "Progressing Unknown True,       unknown",
    "True Progressing Unknown False, unhealthy",
  })
  void worst(String statuses, String expected) {
    assertThat(label(statuses, OperationType.RECONCILE, OperationState.SUCCEEDED, false))
        .isEqualTo(expected);
  }

  /** The expected label with conditions True and then with conditions False. */
  @ParameterizedTest
  @DisplayName("CH-39 CC-11 each combination of operation, state and errors")
  @CsvSource({
    "CREATE,    PROCESSING, false, healthy,   healthy",
    "CREATE,    PROCESSING, true,  unhealthy, unhealthy",
    "CREATE,    ERROR,      false, healthy,   healthy",
    "CREATE,    FAILED,     true,  unhealthy, unhealthy",
    "CREATE,    PENDING,    false, healthy,   healthy",
    "CREATE,    ABORTED,    true,  unhealthy, unhealthy",
    "CREATE,    SUCCEEDED,  false, healthy,   unhealthy",
    "CREATE,    SUCCEEDED,  true,  healthy,   unhealthy",
    "DELETE,    PROCESSING, false, healthy,   healthy",
    "DELETE,    PROCESSING, true,  unhealthy, unhealthy",
    "DELETE,    SUCCEEDED,  false, healthy,   healthy",
    "DELETE,    ERROR,      true,  unhealthy, unhealthy",
    "RECONCILE, PROCESSING, false, healthy,   unhealthy",
    "RECONCILE, PROCESSING, true,  unhealthy, unhealthy",
    "RECONCILE, SUCCEEDED,  true,  healthy,   unhealthy",
    "RECONCILE, ERROR,      false, unhealthy, unhealthy",
    "RECONCILE, FAILED,     true,  unhealthy, unhealthy",
    "RECONCILE, PENDING,    false, unhealthy, unhealthy",
    "RECONCILE, ABORTED,    false, unhealthy, unhealthy",
    "MIGRATE,   PROCESSING, false, healthy,   unhealthy",
    "RESTORE,   ERROR,      true,  unhealthy, unhealthy",
  })
  void operations(
      OperationType type, OperationState state, boolean errors, String whenTrue, String whenFalse) {
    assertThat(label("True", type, state, errors)).isEqualTo(whenTrue);
    assertThat(label("False", type, state, errors)).isEqualTo(whenFalse);
  }

  @Test
  @DisplayName("CH-39 no last operation → healthy")
  void noOperation() {
    assertThat(HealthStatus.of(conditions("False"), OperationStatus.NONE))
        .isEqualTo(HealthStatus.HEALTHY);
  }

  private static String label(
      String statuses, OperationType type, OperationState state, boolean errors) {
    return HealthStatus.of(
            conditions(statuses),
            new OperationStatus(
                new LastOperation(type, state, 0, "x", NOW),
                errors ? List.of(new LastError("x", null, List.of(), NOW)) : List.of(),
                null))
        .toString();
  }

  private static List<Condition> conditions(String statuses) {
    List<Condition> conditions = new ArrayList<>();
    for (String status : statuses.isEmpty() ? new String[0] : statuses.split(" ", -1)) {
      conditions.add(
          Condition.initial("C" + conditions.size(), NOW)
              .update(ConditionStatus.parse(status), "x", "x", List.of(), NOW));
    }
    return conditions;
  }
}
