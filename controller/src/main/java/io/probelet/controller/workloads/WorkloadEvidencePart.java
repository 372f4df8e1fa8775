package io.probelet.controller.workloads;

import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import io.probelet.nodehealth.workloads.controller.EvidenceReport;
import io.probelet.nodehealth.workloads.controller.WorkloadEvidenceController;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** Judges nodes by the workloads of trusted namespaces, as the leader. */
public final class WorkloadEvidencePart implements Part {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);

  private final LeaderTask<WorkloadEvidenceController> work;

  /** Starts as a candidate for leader. */
  public WorkloadEvidencePart(ControllerContext context, WorkloadSettings settings) {
    WorkloadEvidenceMetrics metrics = new WorkloadEvidenceMetrics(context.metrics());
    work =
        context.lead(
            WorkloadEvidenceController.LEASE,
            ElectionTiming.DEFAULT,
            (api, term) ->
                WorkloadEvidenceController.start(
                    api,
                    settings,
                    context.identity(),
                    context.time(),
                    context.random(),
                    metrics,
                    term));
  }

  @Override
  public String name() {
    return "workload-evidence";
  }

  /** {@inheritDoc} Another replica would be no better off, so this one stays ready. */
  @Override
  public String note() {
    try {
      return String.join(
          "; ",
          work.ask(WorkloadEvidenceController::report, REPORT_TIMEOUT)
              .map(EvidenceReport::problems)
              .orElse(List.of()));
    } catch (TimeoutException busy) {
      return "workload evidence is not responding";
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
