package io.probelet.runtime.confine;

import org.jspecify.annotations.Nullable;

/**
 * The resource limits of a container.
 *
 * @param memoryBytes above zero; null means no limit
 * @param cpuMillis thousandths of a CPU, above zero; null means no limit
 */
public record Limits(@Nullable Long memoryBytes, @Nullable Long cpuMillis) {
  /** No limits. */
  public static final Limits NONE = new Limits(null, null);

  /**
   * Checks the amounts.
   *
   * @throws IllegalArgumentException if one is zero or negative
   */
  public Limits {
    if ((memoryBytes != null && memoryBytes <= 0) || (cpuMillis != null && cpuMillis <= 0)) {
      throw new IllegalArgumentException(
          "limits must be greater than zero: memory %s bytes, cpu %sm"
              .formatted(memoryBytes, cpuMillis));
    }
  }

  /** {@return whether there is any limit} */
  public boolean any() {
    return memoryBytes != null || cpuMillis != null;
  }
}
