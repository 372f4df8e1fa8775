package io.probelet.checks;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.error.ErrorCodeClassifier;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Progressing;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;

/** One line of a registration: which condition a check feeds, when, and how it is classified. */
record RegisteredCheck<T>(
    String conditionType,
    Logger logger,
    Predicate<CheckRun<T>> preCheck,
    HealthCheck<T> check,
    ErrorCodeClassifier codes) {

  /** Never throws but for an interrupt: what a check throws is its result. */
  CheckResult execute(CheckRun<T> run) throws InterruptedException {
    try {
      // CH-6: not for this object, so nothing is wrong
      return preCheck.test(run) ? coded(check.check(run)) : CheckResult.healthy();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return CheckResult.notExecuted(why(e));
    }
  }

  /** What the author says of it, and what the API server said to him, if that is not in it. */
  private static String why(Exception e) {
    String said = e.getMessage();
    if (said == null || said.isBlank() || e instanceof KubernetesClientException) {
      return ApiErrorText.of(e);
    }
    String cause = e.getCause() == null ? said : ApiErrorText.of(e.getCause());
    return said.contains(cause) ? said : said + ": " + cause;
  }

  private CheckResult coded(CheckResult result) {
    return switch (result) {
      case Unhealthy(String detail, List<ErrorCode> found) ->
          new Unhealthy(detail, joined(found, detail));
      case Progressing progressing ->
          new Progressing(
              progressing.detail(),
              joined(progressing.codes(), progressing.detail()),
              progressing.threshold());
      default -> result;
    };
  }

  private List<ErrorCode> joined(List<ErrorCode> found, String detail) {
    return Stream.concat(found.stream(), codes.classify(detail).stream()).distinct().toList();
  }
}
