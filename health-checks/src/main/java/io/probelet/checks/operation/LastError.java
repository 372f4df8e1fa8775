package io.probelet.checks.operation;

import io.probelet.checks.error.ErrorCode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An error the last operation left (CH-38).
 *
 * @param description what went wrong
 * @param taskId which task of the operation it was; null if it had no tasks
 * @param codes error codes, possibly none
 * @param lastUpdateTime wall time at which it was last seen; null if that is unknown
 */
public record LastError(
    String description,
    @Nullable String taskId,
    List<ErrorCode> codes,
    @Nullable Instant lastUpdateTime) {

  /** Keeps an unmodifiable copy of the codes. */
  public LastError {
    codes = List.copyOf(codes);
  }
}
