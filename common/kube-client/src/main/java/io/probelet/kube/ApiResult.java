package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What came of a request. */
public sealed interface ApiResult {
  /** The most characters that are kept of what the API server says; the rest is left out. */
  int MAX_WHY = 2048;

  /** It was carried out. */
  record Done(JsonNode body) implements ApiResult {}

  /**
   * It was not carried out, and will not be.
   *
   * @param code the HTTP status, 400 to 499
   * @param why in the API server's words, and which right is missing if that is it
   * @param retryAfter how long the API server wants to be left alone; null if it does not say
   */
  record Refused(int code, String why, @Nullable Duration retryAfter) implements ApiResult {
    /** Makes the words one line: the API server quotes webhooks and what others wrote. */
    public Refused {
      why = OneLine.of(why, MAX_WHY);
    }
  }

  /**
   * It may have been carried out, or may still be.
   *
   * @param why what happened instead of an answer
   * @param retryAfter how long the API server wants to be left alone; null if it does not say
   * @param kind what came instead
   */
  record Unanswered(String why, @Nullable Duration retryAfter, Kind kind) implements ApiResult {
    /** What came instead of an answer that says whether the request was carried out. */
    public enum Kind {
      /** Nothing, or nothing that can be read. */
      NOTHING,
      /** An answer without end had begun, and nothing came any more. */
      SILENCE,
      /** An error of the server. */
      SERVER_ERROR
    }

    /** Makes the words one line: the API server quotes webhooks and what others wrote. */
    public Unanswered {
      why = OneLine.of(why, MAX_WHY);
    }

    /**
     * Nothing was said of when to ask again.
     *
     * @param why what happened instead of an answer
     */
    public Unanswered(String why) {
      this(why, null, Kind.NOTHING);
    }

    /**
     * There was no answer, but maybe a word on when to ask again.
     *
     * @param why what happened instead of an answer
     * @param retryAfter how long the API server wants to be left alone; null if it does not say
     */
    public Unanswered(String why, @Nullable Duration retryAfter) {
      this(why, retryAfter, Kind.NOTHING);
    }

    /**
     * An answer had begun, and fell silent.
     *
     * @param length how long nothing came
     */
    public static Unanswered silence(Duration length) {
      return new Unanswered("idle for " + length.toSeconds() + " s", null, Kind.SILENCE);
    }
  }

  /**
   * Takes what is no success.
   *
   * @param code the HTTP status, or that of a Status object
   * @param retryAfter how long the API server wants to be left alone; null if it does not say
   * @return that the request was refused; of any code but 400 to 499, that nobody knows, as what an
   *     API server answers with 5xx it may have done all the same
   */
  static ApiResult failure(int code, String why, @Nullable Duration retryAfter) {
    return code >= 400 && code < 500
        ? new Refused(code, why, retryAfter)
        : new Unanswered(code + " " + why, retryAfter, Unanswered.Kind.SERVER_ERROR);
  }

  /**
   * Returns whether the object is not there.
   *
   * @return true if that is what the API server says
   */
  default boolean isNotFound() {
    return this instanceof Refused(int code, String _, Duration _) && code == 404;
  }

  /**
   * Returns whether the object is not as the request expects it, or is there already.
   *
   * @return true if that is what the API server says
   */
  default boolean isConflict() {
    return this instanceof Refused(int code, String _, Duration _) && code == 409;
  }

  /**
   * Returns whether a right is missing.
   *
   * @return true if that is what the API server says
   */
  default boolean isForbidden() {
    return this instanceof Refused(int code, String _, Duration _) && code == 403;
  }

  /**
   * Returns whether an answer without end fell silent, as it does if there is nothing to say.
   *
   * @return true if nothing else is known to have happened
   */
  default boolean isSilence() {
    return this instanceof Unanswered unanswered && unanswered.kind() == Unanswered.Kind.SILENCE;
  }

  /**
   * Returns whether it is the authorizer that says so: admission refuses with the same code.
   *
   * @return true if a right is missing that somebody could grant
   */
  default boolean isMissingPermission() {
    return this instanceof Refused(int code, String why, Duration _)
        && code == 403
        && why.contains(" cannot ");
  }

  /**
   * Returns whether the same request will never do: it is malformed, or what it is about is not
   * there or not as it expects.
   *
   * @return false also for what was done, and for what may be allowed later
   */
  default boolean isPermanentRefusal() {
    return this instanceof Refused(int code, String _, Duration _)
        && !Set.of(401, 403, 408, 429).contains(code);
  }

  /**
   * Returns how long the API server wants to be left alone.
   *
   * @return empty if it does not say
   */
  default Optional<Duration> requestedWait() {
    return switch (this) {
      case Done _ -> Optional.empty();
      case Refused(int _, String _, Duration retryAfter) -> Optional.ofNullable(retryAfter);
      case Unanswered(String _, Duration retryAfter, var _) -> Optional.ofNullable(retryAfter);
    };
  }

  /**
   * Says it in a line for a log.
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
