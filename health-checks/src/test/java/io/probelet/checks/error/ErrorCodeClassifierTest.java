package io.probelet.checks.error;

import static io.probelet.checks.error.ErrorCode.ERR_CLEANUP_CLUSTER_RESOURCES;
import static io.probelet.checks.error.ErrorCode.ERR_CONFIGURATION_PROBLEM;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_DEPENDENCIES;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_QUOTA_EXCEEDED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_RATE_LIMITS_EXCEEDED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_UNAUTHENTICATED;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_UNAUTHORIZED;
import static io.probelet.checks.error.ErrorCode.ERR_RETRYABLE_INFRA_DEPENDENCIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 6 of the specification. */
class ErrorCodeClassifierTest {

  @ParameterizedTest
  @DisplayName("§6 the defaults know what infrastructures commonly answer")
  @CsvSource(
      delimiter = '|',
      value = {
        "foo |",
        "invalidauthenticationtokentenant | ERR_INFRA_UNAUTHENTICATED",
        "no sufficient permissions: AuthorizationFailed | ERR_INFRA_UNAUTHORIZED",
        "accessdenied | ERR_INFRA_UNAUTHORIZED",
        "limitexceeded | ERR_INFRA_QUOTA_EXCEEDED",
        "foolimitexceeded | ERR_INFRA_QUOTA_EXCEEDED",
        "equestlimitexceeded | ERR_INFRA_QUOTA_EXCEEDED",
        "subnetlimitexceeded | ERR_INFRA_QUOTA_EXCEEDED",
        "requestlimitexceeded | ERR_INFRA_RATE_LIMITS_EXCEEDED",
        "message=cannot get hosted zones: Throttling | ERR_INFRA_RATE_LIMITS_EXCEEDED",
        "pendingverification | ERR_INFRA_DEPENDENCIES",
        "Code=\"RetryableError\" Message=\"A retryable one | ERR_RETRYABLE_INFRA_DEPENDENCIES",
        "not available in the current hardware cluster | ERR_INFRA_RESOURCES_DEPLETED",
        "InvalidParameterValue | ERR_CONFIGURATION_PROBLEM",
        "Error during apply of object \"v1/ConfigMap\": x is invalid: y | ERR_CONFIGURATION_PROBLEM",
        "pdb is misconfigured and requires zero voluntary evictions"
            + " | ERR_RETRYABLE_CONFIGURATION_PROBLEM",
        "Throttling, then access denied | ERR_INFRA_UNAUTHORIZED ERR_INFRA_RATE_LIMITS_EXCEEDED",
      })
  void defaults(String message, String codes) {
    assertThat(
            ErrorCodeClassifier.DEFAULTS.classify(message).stream()
                .map(ErrorCode::name)
                .collect(Collectors.joining(" ")))
        .isEqualTo(codes == null ? "" : codes);
  }

  @ParameterizedTest
  @DisplayName("§6 a kubelet under pressure is a configuration problem")
  @CsvSource({
    "KubeletHasInsufficientMemory, true",
    "kubelethasdiskpressure, true",
    "KubeletHasInsufficientPID, true",
    "KubeletHasNoDiskPressure, false",
  })
  void nodePressure(String message, boolean recognized) {
    assertThat(ErrorCodeClassifier.NODE_PRESSURE.classify("node is bad: " + message))
        .isEqualTo(recognized ? List.of(ERR_CONFIGURATION_PROBLEM) : List.<ErrorCode>of());
  }

  @Test
  @DisplayName("§6 an author adds patterns; they come after ours")
  void extended() {
    ErrorCodeClassifier mine =
        ErrorCodeClassifier.DEFAULTS.and(
            ErrorPattern.of(ERR_CLEANUP_CLUSTER_RESOURCES, "objects? remain"));

    assertThat(mine.classify("3 objects remain, access denied"))
        .containsExactly(ERR_INFRA_UNAUTHORIZED, ERR_CLEANUP_CLUSTER_RESOURCES);
  }

  @Test
  @DisplayName("§6 a hostile message takes time in proportion to its length")
  void linearTime() {
    String hostile = "error during apply of object ".repeat(20_000);

    assertTimeout(
        Duration.ofMinutes(1),
        () -> assertThat(ErrorCodeClassifier.DEFAULTS.classify(hostile)).isEmpty());
  }

  @Test
  @DisplayName("§6 which codes are the user's, and which can be retried")
  void kinds() {
    Set<ErrorCode> notRetryable = EnumSet.allOf(ErrorCode.class);
    notRetryable.removeIf(ErrorCode::isRetryable);
    Set<ErrorCode> notTheUsers = EnumSet.allOf(ErrorCode.class);
    notTheUsers.removeIf(ErrorCode::isUserError);

    assertThat(notRetryable)
        .containsExactlyInAnyOrder(
            ERR_INFRA_UNAUTHENTICATED,
            ERR_INFRA_UNAUTHORIZED,
            ERR_INFRA_QUOTA_EXCEEDED,
            ERR_INFRA_DEPENDENCIES,
            ERR_CONFIGURATION_PROBLEM);
    assertThat(notTheUsers)
        .containsExactlyInAnyOrder(
            ERR_INFRA_RATE_LIMITS_EXCEEDED, ERR_RETRYABLE_INFRA_DEPENDENCIES);
    assertThat(ERR_INFRA_QUOTA_EXCEEDED.isUserError()).isTrue();
  }
}
