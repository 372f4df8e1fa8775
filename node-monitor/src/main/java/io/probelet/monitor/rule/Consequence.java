package io.probelet.monitor.rule;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The consequence of a rule that holds. */
public sealed interface Consequence {
  /** {@return the reason in UpperCamelCase} */
  String reason();

  /** {@return how much evidence is required} */
  EvidenceThreshold threshold();

  /** An event only: a temporary rule. */
  record EventOnly(String reason, EvidenceThreshold threshold) implements Consequence {}

  /**
   * A condition becomes true: a permanent rule.
   *
   * @param reason the condition's reason while this rule holds
   * @param threshold how much evidence is required, and what ends it
   */
  record OnCondition(String type, String reason, EvidenceThreshold threshold)
      implements Consequence {}

  /**
   * How much evidence makes a rule hold, and what makes it stop (B-1, B-2).
   *
   * @param minCount the required matches within {@code window}, 1 or more
   * @param window the longest time between the first and the last of them; zero if one is enough
   * @param debounce how long evidence must be consistent before it counts, in both directions
   * @param clearAfter how long without another match until it ends; null for never
   */
  record EvidenceThreshold(
      int minCount, Duration window, Duration debounce, @Nullable Duration clearAfter) {
    /** One match is enough, immediately and without end. */
    public static final EvidenceThreshold NONE =
        new EvidenceThreshold(1, Duration.ZERO, Duration.ZERO, null);

    /**
     * Validates the values.
     *
     * @throws IllegalArgumentException if they are inconsistent
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
     * @param wanted how long evidence must be consistent
     */
    public EvidenceThreshold withDebounce(Duration wanted) {
      return new EvidenceThreshold(minCount, window, wanted, clearAfter);
    }
  }
}
