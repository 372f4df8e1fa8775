package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.tape.RecordedRemediation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the remediations that are on the tape, and knows at any time which nodes have one. What is
 * unhealthy is what the NodeHealthChecks in force call so.
 */
final class Recorded {
  private final Play inForce;
  private final Spells spells = new Spells(Duration.ofDays(366)); // the tape needs no estimate
  private final AtOnce atOnce = new AtOnce();
  private final Map<String, RecordedRemediation> open = new HashMap<>();
  private long givenUp;

  Recorded(Play inForce) {
    this.inForce = inForce;
  }

  /** Whether somebody is known to work on a node. */
  boolean has(String node) {
    return atOnce.has(node);
  }

  void node(NodeFacts node) {
    spells.node(node, inForce.checks(), inForce.now(), has(node.name()));
  }

  void nodeGone(String node) {
    spells.gone(node, inForce.now());
  }

  void helped(String node) {
    spells.helped(node);
  }

  /**
   * Takes a remediation as it is now.
   *
   * @param existed whether it was there before the tape began, and so counts only as being there
   */
  void remediation(RecordedRemediation remediation, boolean existed) {
    RecordedRemediation before = open.put(remediation.uid(), remediation);
    if (before == null) {
      atOnce.begins(remediation.node());
      if (!existed) {
        Duration time =
            inForce.time(remediation.check(), remediation.ref().kind(), remediation.template());
        spells.remediated(
            remediation.node(), remediation.ref().kind(), remediation.check(), inForce.now(), time);
      }
      spells.helped(remediation.node());
    }
    boolean news = before == null || before.timedOut().isEmpty();
    if (news && !existed && !remediation.timedOut().isEmpty()) {
      givenUp++;
    }
  }

  void remediationGone(String uid) {
    RecordedRemediation gone = open.remove(uid);
    if (gone != null) {
      atOnce.ends(gone.node());
    }
  }

  Tally finish(Instant end) {
    spells.finish(end);
    return Play.tally("recorded", spells, givenUp, atOnce, Map.of());
  }
}
