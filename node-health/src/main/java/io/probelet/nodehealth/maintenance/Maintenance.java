package io.probelet.nodehealth.maintenance;

import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.policy.Blackout;
import java.time.Instant;

/**
 * A Maintenance with its nodes and its time.
 *
 * @param uid its unique identifier; empty outside of a cluster
 * @param selector its nodes; all nodes if the selector could not be read
 */
public record Maintenance(String name, String uid, LabelSelector selector, Plan plan) {
  /** Its group and version. */
  public static final String API_VERSION = "probelet.io/v1alpha1";

  /** Its kind. */
  public static final String KIND = "Maintenance";

  /** The plural name of its kind in paths. */
  public static final String PLURAL = "maintenances";

  /**
   * {@return whether it ended so long ago that no condition counts from its end any more (MW-3)}
   */
  public boolean isPast(Instant now) {
    return plan instanceof Planned planned && NodeMaintenance.isPast(planned.time().until(), now);
  }

  /** What is planned. */
  public sealed interface Plan {}

  /**
   * A valid plan.
   *
   * @param time when the nodes are in maintenance
   * @param reason why, in the administrator's words; possibly empty
   */
  public record Planned(Blackout time, String reason) implements Plan {}

  /**
   * An invalid spec, whose time is unknown (MW-5).
   *
   * @param problem the error
   */
  public record Unreadable(String problem) implements Plan {}
}
