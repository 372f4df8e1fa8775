package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.rehearsal.TapeEvent.CheckIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.CheckIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.MaintenanceIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.MaintenanceIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.Moment;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeAgain;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeHelped;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.NodeIsGone;
import io.probelet.nodehealth.rehearsal.TapeEvent.RemediationIs;
import io.probelet.nodehealth.rehearsal.TapeEvent.RemediationIsGone;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.tape.RecordedRemediation;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the remediations on the tape. The NodeHealthChecks in force define which nodes are
 * unhealthy.
 *
 * <p>Not thread-safe.
 */
final class Recorded implements Column {
  private final UnhealthyIntervals spells =
      new UnhealthyIntervals(Duration.ofDays(366)); // a recorded remediation needs no estimate
  private final Map<String, NodeHealthCheck> checks = new HashMap<>();
  private final ActiveRemediations atWork = new ActiveRemediations();
  private Instant now;
  private long givenUp;

  Recorded(Instant start) {
    this.now = start;
  }

  @Override
  public void take(TapeEvent cue) {
    switch (cue) {
      case Moment(Instant at) -> now = at;
      case NodeIs(NodeFacts node, boolean remediated, _) ->
          spells.node(node, checks.values(), now, remediated);
      case NodeAgain(NodeFacts node, boolean remediated) ->
          spells.node(node, checks.values(), now, remediated);
      case NodeIsGone(String node) -> spells.gone(node, now);
      case NodeHelped(String node) -> spells.helped(node);
      case CheckIs(NodeHealthCheck check, _) -> checks.put(check.name(), check);
      case CheckIsGone(String check) -> checks.remove(check);
      case RemediationIs(RecordedRemediation remediation, boolean existed, _) ->
          remediation(remediation, existed);
      case RemediationIsGone(String uid) -> atWork.remove(uid);
      case MaintenanceIs _, MaintenanceIsGone _ -> {} // what was done in one is recorded
    }
  }

  /** A remediation from before the tape began only counts as present. */
  private void remediation(RecordedRemediation remediation, boolean existed) {
    RecordedRemediation before = atWork.put(remediation);
    if (before == null) {
      if (!existed) {
        String kind = remediation.ref().kind();
        Duration time =
            RehearsalRun.time(checks.get(remediation.check()), kind, remediation.template());
        spells.remediated(remediation.node(), kind, remediation.check(), now, time);
      }
      spells.helped(remediation.node());
    }
    boolean news = before == null || before.timedOut().isEmpty();
    if (news && !existed && !remediation.timedOut().isEmpty()) {
      givenUp++;
    }
  }

  @Override
  public RehearsalTotals finish(Instant end) {
    spells.finish(end);
    return RehearsalRun.tally("recorded", spells, givenUp, atWork.atOnce(), Map.of());
  }
}
