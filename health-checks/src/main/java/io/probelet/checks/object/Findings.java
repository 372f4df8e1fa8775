package io.probelet.checks.object;

import io.probelet.checks.result.CheckResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The words and figures several checks share. */
final class Findings {

  private Findings() {}

  static int orZero(@Nullable Integer number) {
    return number == null ? 0 : number;
  }

  static Optional<String> outdated(@Nullable Long observed, @Nullable Long generation) {
    long seen = observed == null ? 0 : observed;
    long wanted = generation == null ? 0 : generation;
    return seen < wanted ? Optional.of(outdatedText(seen, wanted)) : Optional.empty();
  }

  static String outdatedText(long seen, long wanted) {
    return "observed generation outdated (" + seen + "/" + wanted + ")";
  }

  static String why(String reason, String message) {
    if (reason.isEmpty()) {
      return message.isEmpty() ? "" : ": " + message;
    }
    return " due to " + reason + (message.isEmpty() ? "" : ": " + message);
  }

  static Optional<String> tooFewReady(@Nullable Integer ready, int wanted) {
    return orZero(ready) < wanted
        ? Optional.of("not enough ready replicas (" + orZero(ready) + "/" + wanted + ")")
        : Optional.empty();
  }

  static CheckResult unhealthyIf(Optional<String> finding) {
    return finding.map(CheckResult::unhealthy).orElseGet(CheckResult::healthy);
  }
}
