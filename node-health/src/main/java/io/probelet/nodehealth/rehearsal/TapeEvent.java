package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.tape.RecordedRemediation;
import java.time.Instant;
import java.util.Map;

/** An event of a tape, with exactly the data that columns need. */
sealed interface TapeEvent {
  /** All lines of one moment have been applied; the next ones are later. */
  record Moment(Instant at) implements TapeEvent {}

  /**
   * A node is new or has changed.
   *
   * @param remediated whether it has a recorded remediation
   * @param cordoned whether it is cordoned
   */
  record NodeIs(NodeFacts node, boolean remediated, boolean cordoned) implements TapeEvent {}

  /** A node is unchanged, but the NodeHealthChecks in force changed. */
  record NodeAgain(NodeFacts node, boolean remediated) implements TapeEvent {}

  /** A node was deleted. */
  record NodeIsGone(String node) implements TapeEvent {}

  /** A node gets known help (TP-6). */
  record NodeHelped(String node) implements TapeEvent {}

  /** A Maintenance is new or has changed; it applies to all columns. */
  record MaintenanceIs(Maintenance maintenance) implements TapeEvent {}

  /** A Maintenance was deleted. */
  record MaintenanceIsGone(String maintenance) implements TapeEvent {}

  /** A NodeHealthCheck in force is new or has changed. */
  record CheckIs(NodeHealthCheck check, Map<ObjectRef, TemplateLookup> templates)
      implements TapeEvent {}

  /** A NodeHealthCheck is no longer in force. */
  record CheckIsGone(String check) implements TapeEvent {}

  /**
   * A recorded remediation is new or has changed.
   *
   * @param existed whether it existed before the tape began
   * @param adopted whether the NodeHealthChecks in force start with it
   */
  record RemediationIs(RecordedRemediation remediation, boolean existed, boolean adopted)
      implements TapeEvent {}

  /** A recorded remediation was deleted. */
  record RemediationIsGone(String uid) implements TapeEvent {}
}
