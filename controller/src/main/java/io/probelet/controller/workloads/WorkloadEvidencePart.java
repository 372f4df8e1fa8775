package io.probelet.controller.workloads;

import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import io.probelet.nodehealth.workloads.controller.EvidenceReport;
import io.probelet.nodehealth.workloads.controller.WorkloadEvidenceController;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.LeaderNote;
import io.probelet.web.part.Part;

/** Judges nodes by the workloads of trusted namespaces, as the leader. */
public final class WorkloadEvidencePart implements Part {
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
    return LeaderNote.of(
        work,
        leading -> leading.report().thenApply(EvidenceReport::problems),
        "workload evidence is not responding");
  }

  @Override
  public void close() {
    work.close();
  }
}
