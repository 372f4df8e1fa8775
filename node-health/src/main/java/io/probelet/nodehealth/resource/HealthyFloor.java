package io.probelet.nodehealth.resource;

import java.util.OptionalInt;

/**
 * How many nodes must be healthy before an unhealthy one is remediated; a user gives one of two.
 */
public sealed interface HealthyFloor {
  /**
   * Computes the floor.
   *
   * @param total how many nodes are selected
   * @return the least number of healthy nodes; empty if more may be unhealthy than there are
   */
  OptionalInt required(int total);

  /**
   * At least so many are healthy.
   *
   * @param count how many
   */
  record MinHealthy(NodeCount count) implements HealthyFloor {
    @Override
    public OptionalInt required(int total) {
      return OptionalInt.of(count.of(total));
    }

    @Override
    public String toString() {
      return "minHealthy " + count;
    }
  }

  /**
   * At most so many are unhealthy.
   *
   * @param count how many
   */
  record MaxUnhealthy(NodeCount count) implements HealthyFloor {
    @Override
    public OptionalInt required(int total) {
      int tolerated = count.of(total);
      // as a floor
      return tolerated > total ? OptionalInt.empty() : OptionalInt.of(total - tolerated);
    }

    @Override
    public String toString() {
      return "maxUnhealthy " + count;
    }
  }
}
