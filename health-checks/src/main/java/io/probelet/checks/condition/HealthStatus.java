package io.probelet.checks.condition;

import io.probelet.checks.operation.LastOperation;
import io.probelet.checks.operation.OperationState;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.checks.operation.OperationType;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.util.Locale;

/** How an object is, in one word fit for a label, from best to worst (CH-39). */
public enum HealthStatus {
  /** All is well. */
  HEALTHY,
  /** Something is on its way. */
  PROGRESSING,
  /** Nobody could find out. */
  UNKNOWN,
  /** Something is wrong. */
  UNHEALTHY;

  /** The label that carries the word. */
  public static final String LABEL = "probelet.io/status";

  /** The label Gardener's dashboards and alerts read. */
  public static final String GARDENER_LABEL = "shoot.gardener.cloud/status";

  /**
   * {@return the worst of what an object's conditions and its last operation say}
   *
   * @param conditions all conditions, whoever wrote them; constraints do not count
   * @param operation the object's last operation
   */
  public static HealthStatus of(Iterable<Condition> conditions, OperationStatus operation) {
    LastOperation last = operation.lastOperation();
    if (last == null) {
      return HEALTHY;
    }
    HealthStatus errors = operation.lastErrors().isEmpty() ? HEALTHY : UNHEALTHY;
    boolean beingMade =
        last.type() == OperationType.CREATE && last.state() != OperationState.SUCCEEDED;
    if (beingMade || last.type() == OperationType.DELETE) {
      return errors; // CH-39: what is half there or half gone is not checked by its conditions
    }
    HealthStatus worst =
        switch (last.state()) {
          case PROCESSING -> errors;
          case SUCCEEDED -> HEALTHY;
          case ERROR, FAILED, PENDING, ABORTED -> UNHEALTHY;
        };
    for (Condition condition : conditions) {
      worst = worst.orWorse(of(condition.status()));
    }
    return worst;
  }

  /**
   * {@return what a condition of that status means for its object}
   *
   * @param status the condition's status
   */
  public static HealthStatus of(ConditionStatus status) {
    return switch (status) {
      case TRUE -> HEALTHY;
      case PROGRESSING -> PROGRESSING;
      case UNKNOWN -> UNKNOWN;
      case FALSE -> UNHEALTHY;
    };
  }

  /**
   * {@return the worse of the two}
   *
   * @param other what to compare with
   */
  public HealthStatus orWorse(HealthStatus other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** {@return the label's value, for example {@code healthy}} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
