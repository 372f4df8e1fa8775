package io.probelet.cluster;

import io.probelet.cluster.check.CheckResult;
import io.probelet.cluster.check.CheckResult.Progressing;
import io.probelet.cluster.check.CheckResult.Unhealthy;
import io.probelet.cluster.error.ErrorCode;
import io.probelet.cluster.error.ErrorCodeClassifier;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** One line of a registration: which condition a check feeds, when, and how it is classified. */
record RegisteredCheck<T>(
    String conditionType,
    Predicate<CheckRun<T>> preCheck,
    HealthCheck<T> check,
    ErrorCodeClassifier codes) {

  /** Never throws but for an interrupt: what a check throws is its result. */
  CheckResult execute(CheckRun<T> run) throws InterruptedException {
    try {
      return preCheck.test(run) ? coded(check.check(run)) : CheckResult.healthy(); // CH-6
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return CheckResult.notExecuted(e.getMessage() == null ? e.toString() : e.getMessage());
    }
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
