package io.probelet.checks.operation;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last or current operation of a controller on an object (CH-38).
 *
 * @param type the type
 * @param state the state
 * @param progress percent done, 0 to 100
 * @param description a sentence for people
 * @param lastUpdateTime wall time of the last change; null if it is unknown
 */
public record LastOperation(
    OperationType type,
    OperationState state,
    int progress,
    String description,
    @Nullable Instant lastUpdateTime) {

  /**
   * Checks the progress.
   *
   * @throws IllegalArgumentException if it is not between 0 and 100
   */
  public LastOperation {
    if (progress < 0 || progress > 100) {
      throw new IllegalArgumentException("progress is " + progress + "; it is 0 to 100 percent");
    }
  }
}
