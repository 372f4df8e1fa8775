package io.probelet.checks.result;

import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.NoOpinion;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Progressing;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ShortText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes one update of a condition out of the results of all checks that feed a condition type
 * (CH-7).
 */
public final class CheckAggregator {

  /** No {@code metav1.Condition} may be longer. */
  private static final int LONGEST = 32_768;

  private final List<String> notExecuted = new ArrayList<>();
  private final List<String> failed = new ArrayList<>();
  private final List<String> progressing = new ArrayList<>();
  private final List<String> silent = new ArrayList<>();
  private final List<Duration> thresholds = new ArrayList<>();
  private final Set<ErrorCode> codes = new LinkedHashSet<>();
  private final int checks;

  private CheckAggregator(List<CheckResult> results) {
    checks = results.size();
    results.forEach(this::add);
  }

  /**
   * {@return what the checks of one condition type come to}
   *
   * @param results one result per check, in the order of registration
   * @throws IllegalArgumentException if there is none
   */
  public static ConditionUpdate aggregate(List<CheckResult> results) {
    if (results.isEmpty()) {
      throw new IllegalArgumentException("a condition needs at least one check");
    }
    return new CheckAggregator(results).update();
  }

  /**
   * {@return what a condition becomes when not a single check could be started (CH-10)}
   *
   * @param error why not
   */
  public static ConditionUpdate notExecuted(String error) {
    return new ConditionUpdate(
        ConditionStatus.UNKNOWN,
        ConditionUpdate.ERROR,
        "unable to execute any health check: " + error,
        List.of(),
        null);
  }

  /**
   * {@return what every condition of a hibernated object says (CH-6)}
   *
   * @param kind the object's kind
   */
  public static ConditionUpdate hibernated(String kind) {
    return new ConditionUpdate(
        ConditionStatus.TRUE, ConditionUpdate.SUCCESSFUL, kind + " is hibernated", List.of(), null);
  }

  private void add(CheckResult result) {
    switch (result) {
      case Healthy() -> {}
      case NoOpinion(String detail) -> silent.add(detail);
      case NotExecuted(String detail) -> notExecuted.add(detail);
      case Unhealthy(String detail, List<ErrorCode> found) -> {
        failed.add(detail);
        codes.addAll(found);
      }
      case Progressing(String detail, List<ErrorCode> found, Duration limit) -> {
        progressing.add(detail);
        codes.addAll(found);
        if (limit != null) {
          thresholds.add(limit);
        }
      }
    }
  }

  // CH-7: what could not be executed outranks what failed, and that what is on its way.
  private ConditionUpdate update() {
    String details = Details.of(notExecuted, failed, progressing);
    if (!notExecuted.isEmpty()) {
      int errors = notExecuted.size();
      return updateTo(
          ConditionStatus.UNKNOWN,
          ConditionUpdate.ERROR,
          "failed to execute " + errors + " health " + Details.checks(errors) + ": " + details);
    }
    if (!failed.isEmpty()) {
      return updateTo(ConditionStatus.FALSE, ConditionUpdate.UNSUCCESSFUL, details);
    }
    if (!progressing.isEmpty()) {
      return updateTo(ConditionStatus.PROGRESSING, ConditionUpdate.PROGRESSING, details);
    }
    if (silent.size() == checks) { // CH-54: nothing was found, neither good nor bad
      return updateTo(
          ConditionStatus.UNKNOWN,
          ConditionUpdate.NO_OPINION,
          "no health check has an opinion: " + Details.of(List.of(), silent, List.of()));
    }
    String without = silent.isEmpty() ? "" : ", " + silent.size() + " without an opinion";
    return updateTo(
        ConditionStatus.TRUE,
        ConditionUpdate.SUCCESSFUL,
        "(" + (checks - silent.size()) + "/" + checks + ") Health checks successful" + without);
  }

  private ConditionUpdate updateTo(ConditionStatus status, String reason, String message) {
    return new ConditionUpdate(
        status,
        reason,
        ShortText.of(message, LONGEST),
        List.copyOf(codes),
        status == ConditionStatus.PROGRESSING ? smallestThreshold() : null);
  }

  private @Nullable Duration smallestThreshold() {
    return thresholds.stream().min(Comparator.naturalOrder()).orElse(null);
  }
}
