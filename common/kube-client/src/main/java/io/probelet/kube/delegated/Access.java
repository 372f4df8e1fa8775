package io.probelet.kube.delegated;

/** What is to be done with a request, by the token that came with it. */
public sealed interface Access {
  /** It may be answered. */
  record Granted(String user) implements Access {}

  /** The API server does not know the token. */
  record Unauthenticated() implements Access {}

  /** The API server knows the token, but its user lacks the right. */
  record Forbidden(String user) implements Access {}

  /** The API server was asked about too many tokens of late, and is not asked about this one. */
  record Limited() implements Access {}

  /**
   * The API server gives no answer, so that nothing may be answered either.
   *
   * @param why for the log; nobody else's business
   */
  record Unavailable(String why) implements Access {}
}
