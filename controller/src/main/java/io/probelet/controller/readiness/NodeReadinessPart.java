package io.probelet.controller.readiness;

import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.nodehealth.readiness.controller.AdmissionReport;
import io.probelet.nodehealth.readiness.controller.NodeReadinessController;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.LeaderNote;
import io.probelet.web.part.Part;

/** Carries out NodeReadinessRules as the leader. */
public final class NodeReadinessPart implements Part {
  private final LeaderTask<NodeReadinessController> work;

  /** Starts as a candidate for leader. */
  public NodeReadinessPart(ControllerContext context) {
    NodeReadinessMetrics metrics = new NodeReadinessMetrics(context.metrics());
    work =
        context.lead(
            NodeReadinessController.LEASE,
            ElectionTiming.DEFAULT,
            (api, term) ->
                NodeReadinessController.start(
                    api, context.identity(), context.time(), context.random(), metrics, term));
  }

  @Override
  public String name() {
    return "node-readiness";
  }

  /** {@inheritDoc} Another replica would be no better off, so this one stays ready. */
  @Override
  public String note() {
    return LeaderNote.of(
        work,
        leading -> leading.report().thenApply(AdmissionReport::problems),
        "node readiness is not responding");
  }

  @Override
  public void close() {
    work.close();
  }
}
