package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.tape.RecordedRemediation;
import java.time.Instant;
import java.util.Map;

/** What a line of a tape means to the columns: all that they have to know, and no more. */
sealed interface TapeEvent {
  /** The lines of one moment have all been taken; the next ones are of a later moment. */
  record Moment(Instant at) implements TapeEvent {}

  /**
   * A node is new or has changed.
   *
   * @param remediated whether it has a recorded remediation
   * @param cordoned whether somebody has cordoned it
   */
  record NodeIs(NodeFacts node, boolean remediated, boolean cordoned) implements TapeEvent {}

  /** A node is what it was, but the NodeHealthChecks in force are not. */
  record NodeAgain(NodeFacts node, boolean remediated) implements TapeEvent {}

  /** A node was deleted. */
  record NodeIsGone(String node) implements TapeEvent {}

  /** Somebody works on a node (TP-6). */
  record NodeHelped(String node) implements TapeEvent {}

  /** A NodeHealthCheck in force is new or has changed. */
  record CheckIs(NodeHealthCheck check, Map<ObjectRef, TemplateLookup> templates)
      implements TapeEvent {}

  /** A NodeHealthCheck is in force no more. */
  record CheckIsGone(String check) implements TapeEvent {}

  /**
   * A recorded remediation is new or has changed.
   *
   * @param existed whether it was there before the tape began
   * @param adopted whether the NodeHealthChecks in force begin with it
   */
  record RemediationIs(RecordedRemediation remediation, boolean existed, boolean adopted)
      implements TapeEvent {}

  /** A recorded remediation is gone. */
  record RemediationIsGone(String uid) implements TapeEvent {}
}
