package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Merges the conditions that other controllers report for one condition type; the worst wins
 * (CH-26).
 */
final class ContributionReview {
  private @Nullable ConditionFinding worst;
  private boolean reported;

  void add(HasMetadata object, Condition condition) {
    reported = true;
    String kind = object.getKind();
    String subject = subject(object);
    if (condition.status() == ConditionStatus.FALSE
        || condition.status() == ConditionStatus.UNKNOWN) {
      bad(
          kind,
          Sentence.ended(
              subject
                  + " reports "
                  + condition.status()
                  + (condition.message().isBlank() ? "" : ": " + condition.message())),
          condition.codes());
    } else if (condition.status() == ConditionStatus.PROGRESSING && worst == null) {
      // Its controller has a threshold of its own.
      worst =
          new ConditionFinding.Progressing(
              kind + condition.reason(),
              Sentence.ended(
                  subject + (condition.message().isBlank() ? "" : ": " + condition.message())),
              condition.codes(),
              null);
    }
  }

  /** Records a condition whose status is invalid. */
  void unreadable(HasMetadata object, String status) {
    reported = true;
    bad(
        object.getKind(),
        subject(object) + " reports \"" + status + "\", which is not a valid condition status.",
        List.of());
  }

  /** Records that the conditions are stale, or may be. */
  void silent(ConditionFinding.Unknown why) {
    reported = true;
    worst = why;
  }

  private void bad(String kind, String message, List<String> codes) {
    if (!(worst instanceof ConditionFinding.Unhealthy)
        && !(worst instanceof ConditionFinding.Unknown)) {
      worst = new ConditionFinding.Unhealthy(kind + "UnhealthyReport", message, codes);
    }
  }

  private static String subject(HasMetadata object) {
    return object.getKind() + " \"" + ComponentReview.name(object) + "\"";
  }

  /** {@return the finding if there is a problem, else empty} */
  Optional<ConditionFinding> trouble() {
    return Optional.ofNullable(worst);
  }

  /** {@return whether any condition was reported} */
  boolean isReported() {
    return reported;
  }
}
