package io.probelet.nodehealth.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of a request. */
public sealed interface Answer {
  /**
   * It was carried out.
   *
   * @param body what the API server sent back
   */
  record Done(JsonNode body) implements Answer {}

  /**
   * It was not carried out, and will not be.
   *
   * @param code the HTTP status, 400 to 499
   * @param why in the API server's words
   * @param retryAfter how long the API server wants to be left alone; null if it does not say
   */
  record Refused(int code, String why, @Nullable Duration retryAfter) implements Answer {}

  /**
   * It may have been carried out, or may still be.
   *
   * @param why what happened instead of an answer
   */
  record Unanswered(String why) implements Answer {}

  /**
   * Tells whether the object is not there.
   *
   * @return true if that is what the API server says
   */
  default boolean isNotFound() {
    return this instanceof Refused(int code, String _, Duration _) && code == 404;
  }

  /**
   * Tells whether the object is not as the request expects it, or is there already.
   *
   * @return true if that is what the API server says
   */
  default boolean isConflict() {
    return this instanceof Refused(int code, String _, Duration _) && code == 409;
  }

  /**
   * Tells whether a right is missing.
   *
   * @return true if that is what the API server says
   */
  default boolean isForbidden() {
    return this instanceof Refused(int code, String _, Duration _) && code == 403;
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
      case Unanswered(String why) -> "no answer: " + why;
    };
  }
}
