package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import java.util.Set;

/**
 * What one run of a check found. Messages say the same as long as the same is wrong: a figure that
 * is another each time would make a condition news each time.
 */
public sealed interface NodeCheckResult {
  /** Nothing is wrong. */
  record Ok() implements NodeCheckResult {}

  /** Something is wrong. */
  record Problem(String message) implements NodeCheckResult {}

  /**
   * Devices were checked one by one. What was not seen may be in any state, and nothing is said of
   * it (B-15).
   *
   * @param problem what is wrong with others, for people; empty if nothing is
   * @param volumes what is wrong with volumes of pods, for the log: it is not the node's problem
   *     (B-21)
   */
  record Devices(Set<String> well, String problem, Set<String> volumes) implements NodeCheckResult {
    /** Keeps unmodifiable copies of the sets. */
    public Devices {
      well = Set.copyOf(well);
      volumes = Set.copyOf(volumes);
    }

    /**
     * Creates one of the node's own devices.
     *
     * @param problem what is wrong with others, for people; empty if nothing is
     */
    public Devices(Set<String> well, String problem) {
      this(well, problem, Set.of());
    }
  }

  /** It could not be found out (B-5). */
  record Unknown(String why) implements NodeCheckResult {}

  /** It cannot be found out as this program is installed (B-17). */
  record Unavailable(Obstacle obstacle, String why) implements NodeCheckResult {}

  /** Nothing is wrong. */
  NodeCheckResult OK = new Ok();
}
