package io.probelet.checks.operation;

import io.probelet.checks.operation.OperationStatus.RetryCycle;
import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps {@code lastOperation} and {@code lastErrors} of an object (CH-38).
 *
 * <pre>
 *   begin ──► Processing ──► Succeeded                      errors cleared
 *                 │
 *                 └── fail ─► Error ──(12 h, or hopeless)──► Failed
 *                               └── begin ──► Processing    same cycle, errors kept
 *   Failed ── begin ──► Failed, or Processing for another generation or operation
 *   Failed ── retry ──► Processing                          new cycle, errors kept
 * </pre>
 */
public final class OperationRecorder {

  /** Default time for which errors are retried. */
  public static final Duration DEFAULT_RETRY_DURATION = Duration.ofHours(12);

  private final Duration retryDuration;
  private final TimeSource time;

  /**
   * Creates a recorder.
   *
   * @param retryDuration how long a failing operation is retried before it is given up, at least 0
   * @param time the clock
   * @throws IllegalArgumentException if the duration is negative
   */
  public OperationRecorder(Duration retryDuration, TimeSource time) {
    if (retryDuration.isNegative()) {
      throw new IllegalArgumentException("retryDuration is " + retryDuration + "; use 0 or more");
    }
    this.retryDuration = retryDuration;
    this.time = time;
  }

  /**
   * {@return the status of an operation that starts or is retried. If it has {@code Failed} and the
   * desired state is unchanged, the status stays as it is}
   *
   * @param status the status before
   * @param type the operation
   * @param generation the object's generation it works for
   * @param description a sentence for people
   */
  public OperationStatus begin(
      OperationStatus status, OperationType type, long generation, String description) {
    RetryCycle cycle = status.retryCycle();
    boolean sameCycle = cycle != null && cycle.type() == type && cycle.generation() == generation;
    if (sameCycle && hasFailed(status)) {
      return status; // CH-38: given up, until something else is wanted
    }
    return new OperationStatus(
        operation(type, OperationState.PROCESSING, 0, description),
        status.lastErrors(),
        sameCycle ? cycle : new RetryCycle(type, generation, time.wallTime()));
  }

  /**
   * {@return the status of an operation that has failed for good and is tried again on request, for
   * example because a user has set an annotation; the retry duration begins anew. As it is if it
   * has not failed}
   *
   * @param status the status before
   * @param generation the object's generation it works for
   * @param description a sentence for people
   * @throws IllegalStateException if no operation was begun
   */
  public OperationStatus retry(OperationStatus status, long generation, String description) {
    LastOperation last = begun(status);
    return hasFailed(status)
        ? new OperationStatus(
            operation(last.type(), OperationState.PROCESSING, 0, description),
            status.lastErrors(),
            new RetryCycle(last.type(), generation, time.wallTime()))
        : status;
  }

  /**
   * {@return the status with new progress; a newer operation is not overwritten}
   *
   * @param status the status before
   * @param percent 0 to 100
   * @param description a sentence for people
   * @throws IllegalStateException if no operation was begun
   */
  public OperationStatus progress(OperationStatus status, int percent, String description) {
    LastOperation last = begun(status);
    Instant update = last.lastUpdateTime();
    if ((update != null && update.isAfter(time.wallTime())) || hasFailed(status)) {
      return status;
    }
    return new OperationStatus(
        operation(last.type(), OperationState.PROCESSING, percent, description),
        status.lastErrors(),
        status.retryCycle());
  }

  /**
   * {@return the status without the errors of a task that has succeeded}
   *
   * @param status the status before
   * @param taskId the task
   */
  public OperationStatus taskSucceeded(OperationStatus status, String taskId) {
    return new OperationStatus(
        status.lastOperation(),
        status.lastErrors().stream()
            .filter(error -> !Objects.equals(error.taskId(), taskId))
            .toList(),
        status.retryCycle());
  }

  /**
   * {@return the status of a succeeded operation: 100 percent, no errors}
   *
   * @param status the status before
   * @param description a sentence for people
   * @throws IllegalStateException if no operation was begun
   */
  public OperationStatus succeed(OperationStatus status, String description) {
    return new OperationStatus(
        operation(begun(status).type(), OperationState.SUCCEEDED, 100, description),
        List.of(),
        null);
  }

  /**
   * {@return the status of a failed operation: {@code Error} if it will be retried, otherwise
   * {@code Failed}}
   *
   * @param status the status before
   * @param description a sentence for people
   * @param errors what went wrong, replacing the errors of before
   * @throws IllegalStateException if no operation was begun
   */
  public OperationStatus fail(OperationStatus status, String description, List<LastError> errors) {
    LastOperation last = begun(status);
    if (hasFailed(status) || isPermanentRefusal(errors) || isOverdue(status.retryCycle())) {
      return new OperationStatus(
          operation(last.type(), OperationState.FAILED, last.progress(), description),
          errors,
          status.retryCycle());
    }
    return new OperationStatus(
        operation(
            last.type(),
            OperationState.ERROR,
            last.progress(),
            description + " Operation will be retried."),
        errors,
        status.retryCycle());
  }

  /**
   * {@return the status of an operation that waits to start; unchanged if there already is a last
   * operation}
   *
   * @param status the status before
   * @param type the operation
   * @param description what it waits for
   */
  public OperationStatus pend(OperationStatus status, OperationType type, String description) {
    return status.lastOperation() != null
        ? status
        : new OperationStatus(
            operation(type, OperationState.PENDING, 0, description), List.of(), null);
  }

  /**
   * {@return the status of a canceled operation}
   *
   * @param status the status before
   * @param description why
   * @throws IllegalStateException if no operation was begun
   */
  public OperationStatus abort(OperationStatus status, String description) {
    LastOperation last = begun(status);
    return new OperationStatus(
        operation(last.type(), OperationState.ABORTED, last.progress(), description),
        status.lastErrors(),
        null);
  }

  private static boolean hasFailed(OperationStatus status) {
    return status.lastOperation() != null
        && status.lastOperation().state() == OperationState.FAILED;
  }

  // CH-38: an error that cannot go away by itself is not retried.
  private static boolean isPermanentRefusal(List<LastError> errors) {
    return errors.stream()
        .flatMap(error -> error.codes().stream())
        .anyMatch(code -> !code.isRetryable());
  }

  // CH-38: retried until the retry duration is over; without a known start it is over.
  private boolean isOverdue(@Nullable RetryCycle cycle) {
    return cycle == null || !time.wallTime().isBefore(cycle.start().plus(retryDuration));
  }

  private LastOperation operation(
      OperationType type, OperationState state, int progress, String description) {
    Instant now = time.wallTime();
    return new LastOperation(type, state, progress, description, now);
  }

  private static LastOperation begun(OperationStatus status) {
    LastOperation last = status.lastOperation();
    if (last == null) {
      throw new IllegalStateException("no operation was started on this object");
    }
    return last;
  }
}
