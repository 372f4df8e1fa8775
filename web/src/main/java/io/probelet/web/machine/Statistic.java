package io.probelet.web.machine;

import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.util.Map;

/**
 * One statistic of the machine.
 *
 * @param counter whether it only grows, until the next boot
 */
record Statistic(String name, boolean counter, Values values) {
  /** Reads a statistic. */
  @FunctionalInterface
  interface Values {
    /** {@return the value of each series; none if the kernel does not have it} */
    Map<Labels, Double> read() throws IOException;
  }

  static Statistic counter(String name, Values values) {
    return new Statistic(name, true, values);
  }

  static Statistic gauge(String name, Values values) {
    return new Statistic(name, false, values);
  }
}
