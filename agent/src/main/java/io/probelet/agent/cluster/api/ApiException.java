package io.probelet.agent.cluster.api;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The API server refused, or could not be asked. */
public final class ApiException extends Exception {
  private static final long serialVersionUID = 1;
  private static final int UNREACHED = 0;

  private final int code;
  private final @Nullable Duration retryAfter;

  /**
   * An answer that is no success.
   *
   * @param code the HTTP status, or that of the server's Status object
   * @param message what was asked and what the server said
   * @param retryAfter how long the server wants to be left alone; null when it did not say
   */
  public ApiException(int code, String message, @Nullable Duration retryAfter) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }

  /**
   * No answer at all.
   *
   * @param message what was asked and what went wrong
   * @param cause what went wrong underneath; may be null
   */
  public ApiException(String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = UNREACHED;
    this.retryAfter = null;
  }

  /** {@return whether the server did not answer, so that nobody knows what it did} */
  public boolean unreached() {
    return code == UNREACHED;
  }

  /** {@return whether the resource version or continue token is too old} */
  public boolean gone() {
    return code == 410;
  }

  /** {@return whether there is no such object} */
  public boolean notFound() {
    return code == 404;
  }

  /** {@return whether another state of the object is in the way, or it exists already} */
  public boolean conflict() {
    return code == 409;
  }

  /** {@return whether the service account lacks a right} */
  public boolean forbidden() {
    return code == 403;
  }

  /** {@return whether the same request will never do: it is malformed or not allowed} */
  public boolean hopeless() {
    return code >= 400 && code < 500 && code != 401 && code != 403 && code != 408 && code != 429;
  }

  /** {@return how long the server wants to be left alone, if it said so} */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
