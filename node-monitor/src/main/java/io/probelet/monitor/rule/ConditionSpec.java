package io.probelet.monitor.rule;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A condition a monitor can set.
 *
 * @param type the condition's type, for example {@code ReadonlyFilesystem}
 * @param reason its reason while healthy
 * @param message its message while healthy
 * @param holdFor how long the last state stays when nothing can be observed any more (B-5)
 * @param flapCount how many changes within {@code flapWindow} count as flapping, 2 or more; 0
 *     disables it (B-2)
 * @param flapWindow the time within which changes are counted
 * @param taint the node's taint while the condition is true; null for none (B-11)
 */
public record ConditionSpec(
    String type,
    String reason,
    String message,
    Duration holdFor,
    int flapCount,
    Duration flapWindow,
    @Nullable TaintSpec taint) {
  /** The kubelet's conditions; taking them over would break the cluster. */
  private static final Set<String> KUBELETS =
      Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

  /** The default time for which an unobserved state stays. */
  public static final Duration HOLD_FOR = Duration.ofMinutes(5);

  /** The default number of changes that count as flapping. */
  public static final int FLAP_COUNT = 6;

  /** The default window of these changes. */
  public static final Duration FLAP_WINDOW = Duration.ofMinutes(10);

  /**
   * {@return whether a condition belongs to the kubelet, so that no monitor may set it}
   *
   * @param type any type
   */
  public static boolean isKubelets(String type) {
    return KUBELETS.contains(type);
  }

  /**
   * {@return a condition with default times and no taint}
   *
   * @param reason its reason while healthy
   * @param message its message while healthy
   */
  public static ConditionSpec of(String type, String reason, String message) {
    return new ConditionSpec(type, reason, message, HOLD_FOR, FLAP_COUNT, FLAP_WINDOW, null);
  }
}
