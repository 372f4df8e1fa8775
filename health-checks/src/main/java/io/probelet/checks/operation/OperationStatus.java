package io.probelet.checks.operation;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of an object's status that describes its last operation.
 *
 * @param lastOperation the operation; null if there never was one
 * @param lastErrors the errors it left, possibly none
 * @param retryCycle since when it has been tried; null unless it goes on or was given up
 */
public record OperationStatus(
    @Nullable LastOperation lastOperation,
    List<LastError> lastErrors,
    @Nullable RetryCycle retryCycle) {

  /** The status of an object nothing was done to yet. */
  public static final OperationStatus NONE = new OperationStatus(null, List.of(), null);

  /** Keeps an unmodifiable copy of the errors. */
  public OperationStatus {
    lastErrors = List.copyOf(lastErrors);
  }

  /**
   * The attempts to do one thing: a changed spec or another operation begins a new cycle.
   *
   * @param type the operation
   * @param generation the object's {@code metadata.generation} it works for
   * @param start wall time of the first attempt
   */
  public record RetryCycle(OperationType type, long generation, Instant start) {}
}
