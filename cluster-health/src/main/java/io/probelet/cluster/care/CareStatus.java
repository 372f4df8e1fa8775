package io.probelet.cluster.care;

import io.probelet.checks.condition.HealthStatus;
import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.operation.LastError;
import io.probelet.checks.operation.LastOperation;
import io.probelet.checks.operation.OperationState;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.checks.operation.OperationType;
import io.probelet.checks.result.ConditionUpdate;
import io.probelet.cluster.constraint.Constraint;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.Conditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The status of a {@code ClusterHealth}, computed from the previous status and the findings of a
 * round. A round without news returns an equal status.
 *
 * @param generation generation of the spec that was checked; below 0 if there was none
 * @param checked our condition types, which are removed when the spec drops them
 * @param health the overall health in one word; empty before the first round
 * @param operation the last operation
 */
record CareStatus(
    long generation,
    List<String> checked,
    String health,
    Conditions conditions,
    Conditions constraints,
    OperationStatus operation) {

  /** The status of a resource that has not been read yet. */
  static final CareStatus NONE =
      new CareStatus(-1, List.of(), "", Conditions.NONE, Conditions.NONE, OperationStatus.NONE);

  /** The findings of a round. */
  record Round(
      long generation, Map<String, ConditionFinding> findings, List<Constraint> constraints) {}

  CareStatus {
    checked = List.copyOf(checked);
  }

  /** {@return the status after a round; equal to this one if it found nothing new} */
  CareStatus after(Round round, ThresholdPolicy thresholds, Instant now) {
    OperationStatus done = operationAfter(round.generation(), now);
    List<Condition> said = new ArrayList<>();
    round
        .findings()
        .forEach((type, finding) ->
            said.add(
                conditionOf(conditions.getOrInitial(type, now), finding, thresholds, done, now)));
    Set<String> noMoreAskedFor = new HashSet<>(checked);
    noMoreAskedFor.removeAll(round.findings().keySet());
    Conditions newConditions = conditions.without(noMoreAskedFor).merge(said);

    List<Condition> held = new ArrayList<>();
    Set<String> hidden = new HashSet<>();
    for (Constraint constraint : round.constraints()) {
      if (constraint.isShown()) {
        held.add(constraint.applyTo(constraints.getOrInitial(constraint.type(), now), done, now));
      } else {
        hidden.add(constraint.type());
      }
    }
    Conditions newConstraints = constraints.without(hidden).merge(held);

    return of(
        round.generation(),
        List.copyOf(round.findings().keySet()),
        newConditions,
        newConstraints,
        done);
  }

  private static CareStatus of(
      long generation,
      List<String> checked,
      Conditions conditions,
      Conditions constraints,
      OperationStatus operation) {
    String health = HealthStatus.of(conditions.list(), operation).toString();
    return new CareStatus(generation, checked, health, conditions, constraints, operation);
  }

  /**
   * {@return the status with this condition of the API server; it is only shown in metrics, because
   * it cannot be written (CH-47)}
   */
  CareStatus withApiServer(ConditionFinding finding, ThresholdPolicy thresholds, Instant now) {
    Condition said =
        conditionOf(
            conditions.getOrInitial(CareConditions.API_SERVER_AVAILABLE, now),
            finding,
            thresholds,
            operation,
            now);
    return of(generation, checked, conditions.merge(List.of(said)), constraints, operation);
  }

  /** {@return the status of a resource with an invalid spec; its conditions stay} */
  CareStatus refused(long generation, String error, Instant now) {
    LastOperation last = operation.lastOperation();
    if (last != null && last.state() == OperationState.ERROR && this.generation == generation) {
      return this;
    }
    OperationStatus failed =
        new OperationStatus(
            new LastOperation(
                OperationType.RECONCILE,
                OperationState.ERROR,
                0,
                "The spec cannot be applied.",
                now),
            List.of(new LastError(error, null, List.of(ErrorCode.ERR_CONFIGURATION_PROBLEM), now)),
            null);
    return of(generation, checked, conditions, constraints, failed);
  }

  private static Condition conditionOf(
      Condition old,
      ConditionFinding finding,
      ThresholdPolicy thresholds,
      OperationStatus operation,
      Instant now) {
    return switch (finding) {
      case ConditionFinding.Healthy(String reason, String message) ->
          thresholds.succeeded(old, reason, message, now);
      case ConditionFinding.Unhealthy(String reason, String message, List<String> codes) ->
          thresholds.failed(old, reason, message, codes, operation, now);
      case ConditionFinding.Unknown(String reason, String error) ->
          old.update(ConditionStatus.UNKNOWN, reason, error, List.of(), now);
      case ConditionFinding.Progressing underway -> progressing(old, underway, operation, now);
    };
  }

  private static Condition progressing(
      Condition old,
      ConditionFinding.Progressing underway,
      OperationStatus operation,
      Instant now) {
    if (underway.limit() == null) {
      return old.update(
          ConditionStatus.PROGRESSING,
          underway.reason(),
          underway.message(),
          underway.codes(),
          now);
    }
    Condition checked =
        new ConditionUpdate(
                ConditionStatus.PROGRESSING,
                underway.reason(),
                underway.message(),
                underway.codes().stream().map(ErrorCode::valueOf).toList(),
                underway.limit())
            .applyTo(old, now);
    // CH-29: a rollout past its limit is pardoned like any failure, whatever the previous status.
    return old.update(
        ThresholdPolicy.tolerated(checked.status(), operation),
        checked.reason(),
        checked.message(),
        checked.codes(),
        now);
  }

  /**
   * A new valid spec is an operation that succeeded. An operation of another controller, such as an
   * upgrade, is kept: it gives conditions the time of CH-28 and CH-29.
   */
  private OperationStatus operationAfter(long generation, Instant now) {
    LastOperation last = operation.lastOperation();
    boolean seen = this.generation == generation;
    if (last != null && (seen || !isOperationOurs())) {
      return operation;
    }
    return new OperationStatus(
        new LastOperation(
            OperationType.RECONCILE,
            OperationState.SUCCEEDED,
            100,
            "The cluster is checked as specified.",
            now),
        List.of(),
        null);
  }

  /** {@return whether the last operation is ours and not that of another controller} */
  boolean isOperationOurs() {
    LastOperation last = operation.lastOperation();
    return last != null
        && last.type() == OperationType.RECONCILE
        && last.state() != OperationState.PROCESSING;
  }
}
