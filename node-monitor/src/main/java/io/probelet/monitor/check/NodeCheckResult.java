package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import java.util.Set;

/**
 * The result of one run of a check. A message stays the same while the problem stays the same: a
 * changing figure would make each run a new condition.
 */
public sealed interface NodeCheckResult {
  /** No problem. */
  record Ok() implements NodeCheckResult {}

  /** A problem. */
  record Problem(String message) implements NodeCheckResult {}

  /**
   * Devices were checked one by one. Unseen devices may be in any state and are not reported
   * (B-15).
   *
   * @param problem the problem of the other devices, for people; empty if there is none
   * @param volumes problems of pod volumes, for the log: they are not node problems (B-21)
   */
  record Devices(Set<String> well, String problem, Set<String> volumes) implements NodeCheckResult {
    /** Keeps unmodifiable copies of the sets. */
    public Devices {
      well = Set.copyOf(well);
      volumes = Set.copyOf(volumes);
    }

    /**
     * Creates a result for the node's own devices.
     *
     * @param problem the problem of the other devices, for people; empty if there is none
     */
    public Devices(Set<String> well, String problem) {
      this(well, problem, Set.of());
    }
  }

  /** The state could not be determined (B-5). */
  record Unknown(String why) implements NodeCheckResult {}

  /** This installation cannot determine the state (B-17). */
  record Unavailable(Obstacle obstacle, String why) implements NodeCheckResult {}

  /** No problem. */
  NodeCheckResult OK = new Ok();
}
