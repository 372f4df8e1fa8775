package io.probelet.web.scrape;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The token in a request's Authorization header (RFC 6750). */
final class BearerToken {
  /** A service account's has about one kilobyte, others some more. */
  static final int MAX_LENGTH = 12 * 1024;

  private static final String SCHEME = "bearer ";
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]++=*+");

  private BearerToken() {}

  /**
   * {@return the token; empty if there is none, or nothing that could be one}
   *
   * @param headers the values of all Authorization headers
   */
  static Optional<String> of(List<String> headers) {
    if (headers.size() != 1) {
      return Optional.empty();
    }
    String header = headers.getFirst();
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    String token = header.substring(SCHEME.length()).strip();
    return token.length() <= MAX_LENGTH && TOKEN.matcher(token).matches()
        ? Optional.of(token)
        : Optional.empty();
  }
}
