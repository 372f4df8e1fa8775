package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.runtime.Termination;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How an instance of a container ended.
 *
 * @param exitCode the exit code; 128 + n after signal n
 * @param signal the signal's name such as SIGKILL; null for none
 * @param reason one word such as Error, Completed or OOMKilled, possibly empty
 * @param message text of the runtime, or of the container itself; possibly empty, at most 1,024
 *     characters
 * @param finishedAt when it ended, RFC 3339 in UTC; null when that is unknown
 */
@JsonPropertyOrder({"exitCode", "signal", "reason", "message", "finishedAt"})
public record TerminationView(
    int exitCode,
    @Nullable String signal,
    String reason,
    String message,
    @Nullable String finishedAt) {
  /** Takes what another agent leaves out for empty. */
  public TerminationView {
    reason = JsonDefaults.text(reason);
    message = JsonDefaults.text(message);
  }

  /**
   * {@return how an instance ended}
   *
   * @param last as a runtime or kubelet reported it
   */
  public static TerminationView of(Termination last) {
    Instant finishedAt = last.finishedAt();
    return new TerminationView(
        last.exitCode(),
        last.signalName().orElse(null),
        last.reason(),
        last.message(),
        finishedAt == null ? null : Rfc3339.text(finishedAt));
  }

  /**
   * {@return the same end with another message}
   *
   * @param other the message
   */
  public TerminationView withMessage(String other) {
    return new TerminationView(exitCode, signal, reason, other, finishedAt);
  }
}
