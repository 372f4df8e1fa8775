package io.probelet.monitor.rule;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What follows from a rule that holds. */
public sealed interface Consequence {
  /** {@return one word in UpperCamelCase for programs} */
  String reason();

  /** {@return how much evidence it takes} */
  EvidenceThreshold patience();

  /** An event and nothing that lasts: a temporary rule. */
  record EventOnly(String reason, EvidenceThreshold patience) implements Consequence {}

  /**
   * A condition becomes true: a permanent rule.
   *
   * @param reason the condition's reason while this rule holds
   * @param patience how much evidence it takes, and what ends it
   */
  record OnCondition(String type, String reason, EvidenceThreshold patience)
      implements Consequence {}

  /**
   * How much evidence makes a rule hold, and what makes it stop (B-1, B-2).
   *
   * @param minCount how many matches within {@code window} it takes, 1 or more
   * @param window how far apart the first and the last of them may be; zero when one is enough
   * @param debounce how long evidence must speak one way before it counts, in both directions
   * @param clearAfter after how long without another match it holds no more; null for never
   */
  record EvidenceThreshold(
      int minCount, Duration window, Duration debounce, @Nullable Duration clearAfter) {
    /** One match is enough, at once and for good. */
    public static final EvidenceThreshold NONE =
        new EvidenceThreshold(1, Duration.ZERO, Duration.ZERO, null);

    /**
     * Checks that it makes sense.
     *
     * @throws IllegalArgumentException if it does not
     */
    public EvidenceThreshold {
      if (minCount < 1 || (minCount > 1 && !window.isPositive()) || debounce.isNegative()) {
        throw new IllegalArgumentException(
            "minCount %d, window %s, debounce %s: a count above 1 needs a window"
                .formatted(minCount, window, debounce));
      }
    }

    /**
     * {@return the same with another debounce}
     *
     * @param wanted how long evidence must speak one way
     */
    public EvidenceThreshold withDebounce(Duration wanted) {
      return new EvidenceThreshold(minCount, window, wanted, clearAfter);
    }
  }
}
