package io.probelet.web.http;

import com.fasterxml.jackson.core.JacksonException;
import io.probelet.health.FailureReason;
import io.probelet.web.http.Resource.BadRequest;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/**
 * Why there is no answer, for who asked. The text of a bug, which may have names of classes and
 * files, is for the log only.
 */
public final class AnswerFailure {
  private AnswerFailure() {}

  /**
   * {@return the reason in words for people}
   *
   * @param failure whose message is shown only if this program wrote it
   */
  public static String of(Throwable failure) {
    return switch (failure) {
      case JacksonException _ -> "unexpected response";
      case TimeoutException late when late.getMessage() != null -> late.getMessage();
      case BadRequest wrong when wrong.getMessage() != null -> wrong.getMessage();
      case IOException unable -> FailureReason.of(unable);
      default -> "internal error";
    };
  }
}
