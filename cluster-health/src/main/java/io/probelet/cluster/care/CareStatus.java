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
 * The status of a {@code ClusterHealth}, made of the status before and of what a round found. A
 * round that finds nothing new leaves it equal to what it was.
 *
 * @param generation that of the spec it was written for; below 0 if there was none
 * @param checked the condition types that are ours, so that they can go when the spec drops them
 * @param health how the cluster is, in one word; empty if that was not said yet
 * @param operation what was done last
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

  /** What a round found. */
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
   * {@return the status as it would be with this of the API server; it is shown by us, as the API
   * server cannot take it (CH-47)}
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

  /** {@return the status of a resource that asks for what cannot be done; conditions stay} */
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
    // CH-29: a rollout past its limit is tolerated as any failure, from what the condition was.
    return old.update(
        ThresholdPolicy.tolerated(checked.status(), operation),
        checked.reason(),
        checked.message(),
        checked.codes(),
        now);
  }

  /**
   * A new spec that could be carried out is an operation that succeeded. One that somebody else, an
   * upgrade say, keeps here is his: it gives conditions the time of CH-28 and CH-29.
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

  /** {@return whether the last operation is ours, not an upgrade that somebody else keeps here} */
  boolean isOperationOurs() {
    LastOperation last = operation.lastOperation();
    return last != null
        && last.type() == OperationType.RECONCILE
        && last.state() != OperationState.PROCESSING;
  }
}
