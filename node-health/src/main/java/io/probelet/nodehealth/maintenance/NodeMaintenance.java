package io.probelet.nodehealth.maintenance;

import io.probelet.kube.MaintenanceNote;
import io.probelet.nodehealth.policy.WindowLength;
import java.time.Duration;
import java.time.Instant;

/** What the Maintenances of a cluster say about one node. */
public sealed interface NodeMaintenance {
  /**
   * After a window, agents check their nodes again and nodes report again; until then nothing is
   * unhealthy (MW-2).
   */
  Duration RECHECK = Duration.ofMinutes(1);

  /**
   * After a window, a NodeHealthCheck first decides whether its remediation is still wanted; until
   * then none that waited begins (MW-7).
   */
  Duration DECIDED = RECHECK.multipliedBy(2);

  /** {@return whether a window ended so long ago that no condition counts from its end (MW-3)} */
  static boolean isPast(Instant until, Instant now) {
    return until.isBefore(now.minus(WindowLength.MOST));
  }

  /**
   * The node is in maintenance, or was.
   *
   * @param name of the Maintenance that ends last
   * @param reason its reason; possibly empty
   * @param until the first moment after the maintenance; in the past if it is over, because
   *     conditions count from then (MW-3)
   */
  record Window(String name, String reason, Instant until) implements NodeMaintenance {
    /** {@return whether the node is in maintenance at a moment after the window began} */
    public boolean isOnAt(Instant now) {
      return now.isBefore(until);
    }

    /** {@return what to write on the node (MW-8)} */
    public MaintenanceNote note() {
      return new MaintenanceNote(until, name);
    }
  }

  /**
   * Whether the node is in maintenance is unknown (MW-5).
   *
   * @param why the reason, for people
   */
  record Unclear(String why) implements NodeMaintenance {}
}
