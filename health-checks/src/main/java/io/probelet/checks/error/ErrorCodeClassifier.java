package io.probelet.checks.error;

import static io.probelet.checks.error.ErrorCode.ERR_CONFIGURATION_PROBLEM;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_DEPENDENCIES;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_QUOTA_EXCEEDED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_RATE_LIMITS_EXCEEDED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_RESOURCES_DEPLETED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_UNAUTHENTICATED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_UNAUTHORIZED;
import static io.probelet.checks.error.ErrorCode.ERR_RETRYABLE_CONFIGURATION_PROBLEM;
import static io.probelet.checks.error.ErrorCode.ERR_RETRYABLE_INFRA_DEPENDENCIES;

import java.util.List;
import java.util.stream.Stream;

/**
 * Finds the error codes in a message by ordered patterns.
 *
 * @param patterns the patterns, in the order in which their codes are reported
 */
public record ErrorCodeClassifier(List<ErrorPattern> patterns) {

  /** Finds nothing. */
  public static final ErrorCodeClassifier NONE = new ErrorCodeClassifier(List.of());

  /** Recognizes what infrastructures commonly answer; meant to be added to. */
  public static final ErrorCodeClassifier DEFAULTS =
      new ErrorCodeClassifier(
          List.of(
              ErrorPattern.of(
                  ERR_INFRA_UNAUTHENTICATED,
                  "authentication ?failed|InvalidAuthenticationTokenTenant|AuthFailure"
                      + "|invalid ?(access ?key ?id|secret ?(access ?)?key)"),
              ErrorPattern.of(
                  ERR_INFRA_UNAUTHORIZED,
                  "unauthorized|Authorization ?Failed|access ?denied|Operation ?Not ?Allowed"
                      + "|InvalidClientTokenId|SignatureDoesNotMatch"),
              ErrorPattern.of(
                      ERR_INFRA_QUOTA_EXCEEDED,
                      "limit ?exceeded|quota[^.;]* exceeded|exceeded quota|QUOTA_EXCEEDED"
                          + "|quota has been met")
                  .unless("request ?limit ?exceeded"),
              ErrorPattern.of(
                  ERR_INFRA_RATE_LIMITS_EXCEEDED,
                  "request ?limit ?exceeded|throttling|too many requests"),
              ErrorPattern.of(
                  ERR_INFRA_DEPENDENCIES,
                  "PendingVerification|dependency ?violation|OptInRequired"),
              ErrorPattern.of(ERR_RETRYABLE_INFRA_DEPENDENCIES, "RetryableError"),
              ErrorPattern.of(
                  ERR_INFRA_RESOURCES_DEPLETED,
                  "not available in the current hardware cluster|Insufficient ?Instance ?Capacity"
                      + "|out of stock"),
              ErrorPattern.of(
                  ERR_CONFIGURATION_PROBLEM,
                  "Invalid ?Parameter|error during apply of object .*is invalid:"),
              ErrorPattern.of(
                  ERR_RETRYABLE_CONFIGURATION_PROBLEM,
                  "is misconfigured and requires zero voluntary evictions")));

  /** Recognizes what a kubelet says of a node that is too small for its load. */
  public static final ErrorCodeClassifier NODE_PRESSURE =
      new ErrorCodeClassifier(
          List.of(
              ErrorPattern.of(
                  ERR_CONFIGURATION_PROBLEM,
                  "KubeletHas(InsufficientMemory|DiskPressure|InsufficientPID)")));

  /** Keeps an unmodifiable copy of the list. */
  public ErrorCodeClassifier {
    patterns = List.copyOf(patterns);
  }

  /**
   * {@return this classifier with more patterns after its own}
   *
   * @param more the patterns to add
   */
  public ErrorCodeClassifier and(ErrorPattern... more) {
    return new ErrorCodeClassifier(Stream.concat(patterns.stream(), Stream.of(more)).toList());
  }

  /**
   * {@return the codes of all patterns found in the message, each once, in the patterns' order}
   *
   * @param message any text
   */
  public List<ErrorCode> classify(String message) {
    return patterns.stream()
        .filter(pattern -> pattern.foundIn(message))
        .map(ErrorPattern::code)
        .distinct()
        .toList();
  }
}
