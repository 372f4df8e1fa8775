package io.probelet.web.incident;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.web.api.JsonDefaults;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A probe that failed.
 *
 * @param kind startup, readiness or liveness
 * @param handler httpGet, tcpSocket, exec, grpc, allOf or anyOf
 * @param port the TCP port it connects to; 0 if it connects to none, or to several
 * @param timeoutMs how long one attempt may take, in milliseconds
 * @param periodMs the time between two probes, in milliseconds
 * @param threshold failures in a row that decide
 * @param hasStartup whether the container has a startup probe
 * @param succeededBefore whether it ever succeeded with an earlier instance of the pod's container,
 *     since the agent's start
 * @param succeeded whether it ever succeeded with this instance
 * @param usualMs the median latency of recent successes in milliseconds; null without one
 * @param startMs the longest time from a start to the first success, in milliseconds; null if none
 *     was seen
 * @param certificateExpiry the earliest expiry of the certificates seen last, RFC 3339; null
 *     without TLS
 * @param outcomes the last outcomes, oldest first, at most {@link #MAX_OUTCOMES}
 */
@JsonInclude(Include.NON_NULL)
@JsonPropertyOrder({
  "kind",
  "handler",
  "port",
  "timeoutMs",
  "periodMs",
  "threshold",
  "hasStartup",
  "succeededBefore",
  "succeeded",
  "usualMs",
  "startMs",
  "certificateExpiry",
  "outcomes"
})
public record ProbeFacts(
    String kind,
    String handler,
    int port,
    long timeoutMs,
    long periodMs,
    int threshold,
    boolean hasStartup,
    boolean succeededBefore,
    boolean succeeded,
    @Nullable Double usualMs,
    @Nullable Long startMs,
    @Nullable String certificateExpiry,
    List<OutcomeFacts> outcomes) {
  /** Most outcomes that are kept of a probe. */
  public static final int MAX_OUTCOMES = 10;

  /** Takes what another agent leaves out for empty. */
  public ProbeFacts {
    kind = JsonDefaults.text(kind);
    handler = JsonDefaults.text(handler);
    outcomes = JsonDefaults.list(outcomes);
  }

  /** {@return the same facts without messages} */
  ProbeFacts withoutTexts() {
    return new ProbeFacts(
        kind,
        handler,
        port,
        timeoutMs,
        periodMs,
        threshold,
        hasStartup,
        succeededBefore,
        succeeded,
        usualMs,
        startMs,
        certificateExpiry,
        outcomes.stream()
            .map(each ->
                new OutcomeFacts(
                    each.time(),
                    each.result(),
                    each.cause(),
                    each.definite(),
                    each.code(),
                    each.latencyMs(),
                    each.connected(),
                    ""))
            .toList());
  }

  /**
   * One outcome.
   *
   * @param time when the probe ended
   * @param result failed or error; successes end the list
   * @param cause what kind of trouble: timeout, connect, status, …; of an error its reason
   * @param definite whether the server or its kernel gave a definite answer
   * @param code the HTTP status or the exit code; 0 for none
   * @param latencyMs how long it took, in milliseconds
   * @param connected whether a connection was made
   * @param message what the target said or the problem, at most 256 characters; a stranger's text
   */
  @JsonPropertyOrder({
    "time",
    "result",
    "cause",
    "definite",
    "code",
    "latencyMs",
    "connected",
    "message"
  })
  public record OutcomeFacts(
      String time,
      String result,
      String cause,
      boolean definite,
      int code,
      double latencyMs,
      boolean connected,
      String message) {
    /** The result of a failure. */
    public static final String FAILED = "failed";

    /** The result of a probe that could not run. */
    public static final String ERROR = "error";

    /** Takes what another agent leaves out for empty. */
    public OutcomeFacts {
      time = JsonDefaults.text(time);
      result = JsonDefaults.text(result);
      cause = JsonDefaults.text(cause);
      message = JsonDefaults.text(message);
    }
  }
}
