package io.probelet.checks.error;

import java.util.Arrays;
import java.util.List;

/** The kinds of trouble a failed check or operation can be in. */
public enum ErrorCode {
  /** The infrastructure does not know who is asking. */
  ERR_INFRA_UNAUTHENTICATED(true, false),
  /** The infrastructure does not allow what is asked. */
  ERR_INFRA_UNAUTHORIZED(true, false),
  /** The account has used up what it may have. */
  ERR_INFRA_QUOTA_EXCEEDED(true, false),
  /** The infrastructure asks for patience. */
  ERR_INFRA_RATE_LIMITS_EXCEEDED(false, true),
  /** Something else in the account is in the way and will stay there. */
  ERR_INFRA_DEPENDENCIES(true, false),
  /** Something in the infrastructure is in the way and may go. */
  ERR_RETRYABLE_INFRA_DEPENDENCIES(false, true),
  /** The infrastructure has run out of what is asked for. */
  ERR_INFRA_RESOURCES_DEPLETED(true, true),
  /** Objects in the cluster stay although they were deleted. */
  ERR_CLEANUP_CLUSTER_RESOURCES(true, true),
  /** The user's configuration is wrong and stays wrong until changed. */
  ERR_CONFIGURATION_PROBLEM(true, false),
  /** The user's configuration is wrong in a way that may pass. */
  ERR_RETRYABLE_CONFIGURATION_PROBLEM(true, true),
  /** An admission webhook stands in the way of the cluster's own components. */
  ERR_PROBLEMATIC_WEBHOOK(true, true);

  private final boolean userError;
  private final boolean retryable;

  ErrorCode(boolean userError, boolean retryable) {
    this.userError = userError;
    this.retryable = retryable;
  }

  /**
   * {@return the codes of these names, each once; names of codes we do not know are left out}
   *
   * @param names as they stand in an object
   */
  public static List<ErrorCode> known(List<String> names) {
    return names.stream()
        .flatMap(name -> Arrays.stream(values()).filter(code -> code.name().equals(name)))
        .distinct()
        .toList();
  }

  /** {@return whether the owner of the cluster has to act, not its operator} */
  public boolean isUserError() {
    return userError;
  }

  /** {@return whether trying the same again can succeed} */
  public boolean isRetryable() {
    return retryable;
  }
}
