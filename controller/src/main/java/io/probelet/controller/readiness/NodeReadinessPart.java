package io.probelet.controller.readiness;

import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.nodehealth.readiness.controller.AdmissionReport;
import io.probelet.nodehealth.readiness.controller.NodeReadinessController;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Carries out NodeReadinessRules as the leader. */
public final class NodeReadinessPart implements Part {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);

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
    try {
      return String.join(
          "; ",
          work.ask(NodeReadinessController::report, REPORT_TIMEOUT)
              .map(AdmissionReport::problems)
              .orElse(List.of()));
    } catch (TimeoutException busy) {
      return "node readiness is not responding";
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  @Override
  public void close() {
    work.close();
  }
}
