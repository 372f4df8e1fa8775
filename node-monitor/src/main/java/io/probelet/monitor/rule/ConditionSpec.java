package io.probelet.monitor.rule;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A condition a monitor can set.
 *
 * @param type the condition's type, for example {@code ReadonlyFilesystem}
 * @param reason its reason while nothing is wrong
 * @param message its message while nothing is wrong
 * @param holdFor how long the last state stays when nothing can be observed any more (B-5)
 * @param flapCount how many changes within {@code flapWindow} are flapping, 2 or more; 0 for never
 *     (B-2)
 * @param flapWindow the time within which changes are counted
 * @param taint what the node is tainted with while the condition is true; null for nothing (B-11)
 */
public record ConditionSpec(
    String type,
    String reason,
    String message,
    Duration holdFor,
    int flapCount,
    Duration flapWindow,
    @Nullable TaintSpec taint) {
  /** How long an unobserved state stays unless a file says otherwise. */
  public static final Duration HOLD_FOR = Duration.ofMinutes(5);

  /** How many changes are flapping unless a file says otherwise. */
  public static final int FLAP_COUNT = 6;

  /** Within which time, unless a file says otherwise. */
  public static final Duration FLAP_WINDOW = Duration.ofMinutes(10);

  /**
   * {@return a condition with the usual times and no taint}
   *
   * @param reason its reason while nothing is wrong
   * @param message its message while nothing is wrong
   */
  public static ConditionSpec of(String type, String reason, String message) {
    return new ConditionSpec(type, reason, message, HOLD_FOR, FLAP_COUNT, FLAP_WINDOW, null);
  }
}
