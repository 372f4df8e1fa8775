package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes over what other controllers say about one condition type; the worst counts (CH-26). */
final class ContributionReview {
  private @Nullable Finding worst;
  private boolean heard;

  void add(HasMetadata object, Condition condition) {
    heard = true;
    String kind = object.getKind();
    String subject = kind + " \"" + ComponentReview.name(object) + "\"";
    if (condition.status() == ConditionStatus.FALSE
        || condition.status() == ConditionStatus.UNKNOWN) {
      if (!(worst instanceof Finding.Bad)) {
        worst =
            new Finding.Bad(
                kind + "UnhealthyReport",
                subject + " reports " + condition.status() + ": " + condition.message(),
                condition.codes());
      }
    } else if (condition.status() == ConditionStatus.PROGRESSING && worst == null) {
      // Its controller has a threshold of its own.
      worst =
          new Finding.Underway(
              kind + condition.reason(),
              subject + ": " + condition.message(),
              condition.codes(),
              null);
    }
  }

  /** {@return what is to be said if anything is wrong, else empty} */
  Optional<Finding> trouble() {
    return Optional.ofNullable(worst);
  }

  /** {@return whether anybody said anything} */
  boolean heard() {
    return heard;
  }
}
