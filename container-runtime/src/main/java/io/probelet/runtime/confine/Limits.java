package io.probelet.runtime.confine;

import org.jspecify.annotations.Nullable;

/**
 * What a container may use at most.
 *
 * @param memoryBytes above zero; null means as much as there is
 * @param cpuMillis thousandths of a processor, above zero; null means as much as there is
 */
public record Limits(@Nullable Long memoryBytes, @Nullable Long cpuMillis) {
  /** As much as there is. */
  public static final Limits NONE = new Limits(null, null);

  /**
   * Checks the amounts.
   *
   * @throws IllegalArgumentException if one is zero or negative
   */
  public Limits {
    if ((memoryBytes != null && memoryBytes <= 0) || (cpuMillis != null && cpuMillis <= 0)) {
      throw new IllegalArgumentException(
          "limits must be above zero: memory %s bytes, cpu %sm".formatted(memoryBytes, cpuMillis));
    }
  }

  /** {@return whether there is any} */
  public boolean any() {
    return memoryBytes != null || cpuMillis != null;
  }
}
