package io.probelet.checks.condition;

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

/**
 * Gives a failed check time before it is called a failure (CH-28), and more while something is
 * being built (CH-29).
 *
 * <pre>
 *   True ──fails──► Progressing ──threshold over──► False
 *    ▲                  │                             │
 *    └──────────────────┴──────── succeeds ───────────┘
 * </pre>
 *
 * @param thresholds per condition type, how long it may be Progressing; a type without one gets no
 *     time
 */
public record ThresholdPolicy(Map<String, Duration> thresholds) {

  /**
   * Checks the thresholds, and keeps an unmodifiable copy.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public ThresholdPolicy {
    thresholds = Map.copyOf(thresholds);
    thresholds.forEach((type, threshold) -> {
      if (threshold.isNegative()) {
        throw new IllegalArgumentException(
            "threshold of " + type + " is " + threshold + "; use 0 or more");
      }
    });
  }

  /**
   * {@return the condition after its check has succeeded: True at once}
   *
   * @param old the condition as it is
   * @param reason one UpperCamelCase word
   * @param message a sentence
   * @param now the wall time
   */
  public Condition succeeded(Condition old, String reason, String message, Instant now) {
    return old.update(ConditionStatus.TRUE, reason, message, List.of(), now);
  }

  /**
   * {@return the condition after its check has failed: Progressing or False}
   *
   * @param old the condition as it is
   * @param reason one UpperCamelCase word
   * @param message a sentence
   * @param codes error codes, possibly none
   * @param operation what is being done to the cluster
   * @param now the wall time
   */
  public Condition failed(
      Condition old,
      String reason,
      String message,
      List<String> codes,
      OperationStatus operation,
      Instant now) {
    ConditionStatus status = afterFailure(old, reason, operation.lastOperation(), now);
    return old.update(tolerated(status, operation), reason, message, codes, now);
  }

  /**
   * {@return the condition after its check could not be carried out: Unknown at once}
   *
   * @param old the condition as it is
   * @param error why not
   * @param now the wall time
   */
  public Condition notChecked(Condition old, String error, Instant now) {
    return old.update(ConditionStatus.UNKNOWN, "ConditionCheckError", error, List.of(), now);
  }

  /**
   * {@return Progressing in place of False while a create or delete operation has not succeeded, or
   * any operation is under way without errors (CH-29); else the status as it is}
   *
   * @param status the status before mercy
   * @param operation what is being done to the cluster
   */
  public static ConditionStatus tolerated(ConditionStatus status, OperationStatus operation) {
    LastOperation last = operation.lastOperation();
    if (status != ConditionStatus.FALSE || last == null) {
      return status;
    }
    boolean unfinished =
        (last.type() == OperationType.CREATE || last.type() == OperationType.DELETE)
            && last.state() != OperationState.SUCCEEDED;
    boolean underWay =
        last.state() == OperationState.PROCESSING && operation.lastErrors().isEmpty();
    return unfinished || underWay ? ConditionStatus.PROGRESSING : status;
  }

  private ConditionStatus afterFailure(
      Condition old, String reason, @Nullable LastOperation last, Instant now) {
    Duration threshold = thresholds.get(old.type());
    if (threshold == null) {
      return ConditionStatus.FALSE; // CH-28: no threshold, no grace
    }
    boolean grace =
        switch (old.status()) {
          case TRUE -> true;
          case PROGRESSING ->
              succeededWithin(threshold, last, now)
                  || isWithin(threshold, old.lastTransitionTime(), now);
          case FALSE -> succeededWithin(threshold, last, now) || !reason.equals(old.reason());
          case UNKNOWN -> false;
        };
    return grace ? ConditionStatus.PROGRESSING : ConditionStatus.FALSE;
  }

  private static boolean succeededWithin(
      Duration threshold, @Nullable LastOperation last, Instant now) {
    return last != null
        && last.state() == OperationState.SUCCEEDED
        && last.lastUpdateTime() != null
        && isWithin(threshold, last.lastUpdateTime(), now);
  }

  private static boolean isWithin(Duration threshold, Instant since, Instant now) {
    return !since.plus(threshold).isBefore(now);
  }
}
