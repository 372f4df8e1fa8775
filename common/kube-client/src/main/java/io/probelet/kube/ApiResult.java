package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The result of a request. */
public sealed interface ApiResult {
  /** The most characters kept of the API server's message; longer messages are truncated. */
  int MAX_WHY = 2048;

  /** The request succeeded. */
  record Done(JsonNode body) implements ApiResult {}

  /**
   * The request was rejected and has no effect.
   *
   * @param code the HTTP status, 400 to 499
   * @param why the API server's message, with the missing permission if that is the cause
   * @param retryAfter the wait requested by the API server; null if it requests none
   */
  record Refused(int code, String why, @Nullable Duration retryAfter) implements ApiResult {
    /** Converts the text to one line: the API server quotes webhooks and text of others. */
    public Refused {
      why = OneLine.of(why, MAX_WHY);
    }
  }

  /**
   * The result is unknown: the request may have succeeded, or may still succeed.
   *
   * @param why what happened instead of a response
   * @param retryAfter the wait requested by the API server; null if it requests none
   * @param kind the kind of failure
   */
  record Unanswered(String why, @Nullable Duration retryAfter, Kind kind) implements ApiResult {
    /** What happened instead of a conclusive response. */
    public enum Kind {
      /** No response, or an unreadable one. */
      NOTHING,
      /** A streaming response stopped sending. */
      SILENCE,
      /** A server error. */
      SERVER_ERROR
    }

    /** Converts the text to one line: the API server quotes webhooks and text of others. */
    public Unanswered {
      why = OneLine.of(why, MAX_WHY);
    }

    /**
     * Creates a result without a requested wait.
     *
     * @param why what happened instead of a response
     */
    public Unanswered(String why) {
      this(why, null, Kind.NOTHING);
    }

    /**
     * Creates a result with an optional requested wait.
     *
     * @param why what happened instead of a response
     * @param retryAfter the wait requested by the API server; null if it requests none
     */
    public Unanswered(String why, @Nullable Duration retryAfter) {
      this(why, retryAfter, Kind.NOTHING);
    }

    /**
     * Creates a result for a streaming response that stopped sending.
     *
     * @param length the time without data
     */
    public static Unanswered silence(Duration length) {
      return new Unanswered("idle for " + length.toSeconds() + " s", null, Kind.SILENCE);
    }
  }

  /**
   * Converts an error status.
   *
   * @param code the HTTP status, or that of a Status object
   * @param retryAfter the wait requested by the API server; null if it requests none
   * @return {@link Refused} for codes 400 to 499, else {@link Unanswered}: after a 5xx response the
   *     API server may have carried out the request
   */
  static ApiResult failure(int code, String why, @Nullable Duration retryAfter) {
    return code >= 400 && code < 500
        ? new Refused(code, why, retryAfter)
        : new Unanswered(code + " " + why, retryAfter, Unanswered.Kind.SERVER_ERROR);
  }

  /**
   * Returns whether the object does not exist.
   *
   * @return true if the API server says so
   */
  default boolean isNotFound() {
    return this instanceof Refused(int code, String _, Duration _) && code == 404;
  }

  /**
   * Returns whether the object differs from what the request expects, or already exists.
   *
   * @return true if the API server says so
   */
  default boolean isConflict() {
    return this instanceof Refused(int code, String _, Duration _) && code == 409;
  }

  /**
   * Returns whether the request is forbidden.
   *
   * @return true if the API server says so
   */
  default boolean isForbidden() {
    return this instanceof Refused(int code, String _, Duration _) && code == 403;
  }

  /**
   * Returns whether a streaming response stopped sending, as it does without events.
   *
   * @return true if there was no other failure
   */
  default boolean isSilence() {
    return this instanceof Unanswered unanswered && unanswered.kind() == Unanswered.Kind.SILENCE;
  }

  /**
   * Returns whether the authorizer refused the request; admission uses the same status code.
   *
   * @return true if a grantable permission is missing
   */
  default boolean isMissingPermission() {
    return this instanceof Refused(int code, String why, Duration _)
        && code == 403
        && why.contains(" cannot ");
  }

  /**
   * Returns whether the same request can never succeed: it is invalid, or its object does not exist
   * or differs from what it expects.
   *
   * @return false also for success, and for requests that may be allowed later
   */
  default boolean isPermanentRefusal() {
    return this instanceof Refused(int code, String _, Duration _)
        && !Set.of(401, 403, 408, 429).contains(code);
  }

  /**
   * Returns the wait requested by the API server.
   *
   * @return empty if it requests none
   */
  default Optional<Duration> requestedWait() {
    return switch (this) {
      case Done _ -> Optional.empty();
      case Refused(int _, String _, Duration retryAfter) -> Optional.ofNullable(retryAfter);
      case Unanswered(String _, Duration retryAfter, var _) -> Optional.ofNullable(retryAfter);
    };
  }

  /**
   * Describes the result for a log.
   *
   * @return one line
   */
  default String summary() {
    return switch (this) {
      case Done _ -> "done";
      case Refused(int code, String why, Duration _) -> code + " " + why;
      case Unanswered(String why, Duration _, var kind) ->
          kind == Unanswered.Kind.SERVER_ERROR ? why : "request failed: " + why;
    };
  }
}
