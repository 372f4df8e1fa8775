package io.probelet.kube.delegated;

/** The decision about a request, by its token. */
public sealed interface Access {
  /** The request is allowed. */
  record Granted(String user) implements Access {}

  /** The API server does not know the token. */
  record Unauthenticated() implements Access {}

  /** The API server knows the token, but its user lacks the right. */
  record Forbidden(String user) implements Access {}

  /** Too many reviews were requested recently, so the API server was not asked about this token. */
  record Limited() implements Access {}

  /**
   * The API server does not answer, so the request is denied.
   *
   * @param why for the log only
   */
  record Unavailable(String why) implements Access {}
}
