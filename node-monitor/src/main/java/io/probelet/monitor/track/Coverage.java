package io.probelet.monitor.track;

import java.util.Set;

/**
 * How far a check can see, and so what it may contradict: one that sees every device speaks for the
 * whole condition, one that sees some of them speaks for those.
 *
 * @param whole whether nothing of the condition is out of sight
 * @param well the devices that were seen and are well, by the names logs have for them; empty if
 *     {@code whole}
 */
public record Coverage(boolean whole, Set<String> well) {
  /** Nothing is out of sight. */
  public static final Coverage WHOLE = new Coverage(true, Set.of());

  /** Keeps an unmodifiable copy of the set. */
  public Coverage {
    well = Set.copyOf(well);
  }

  /**
   * {@return the coverage of a check that sees devices one by one}
   *
   * @param well the devices that were seen and are well
   */
  public static Coverage of(Set<String> well) {
    return new Coverage(false, well);
  }
}
