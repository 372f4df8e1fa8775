package io.probelet.agent.diagnose;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.monitor.evidence.EvidenceCollector;
import io.probelet.monitor.evidence.EvidenceOutput;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.ProbeView;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** How the probes of each container went last. */
record ProbesPart(EvidenceQuery<List<ContainerView>> containers) implements EvidenceCollector {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FAILURE = "Failure";
  private static final Set<String> BAD = Set.of("failed", "error");

  @Override
  public void collect(EvidenceOutput out) throws IOException, InterruptedException {
    for (ContainerView each : containers.get()) {
      boolean more = out.json(JSON.valueToTree(each));
      for (ProbeView probe : each.probes()) {
        if (fails(probe)) {
          out.highlight(
              "%s/%s %s %s failed: %s"
                  .formatted(
                      each.namespace(),
                      each.pod(),
                      each.container(),
                      probe.kind(),
                      probe.message()));
        }
      }
      if (!more) {
        return;
      }
    }
  }

  /** Readiness is a failure before the first probe, which says nothing yet. */
  private static boolean fails(ProbeView probe) {
    List<OutcomeView> history = probe.outcomes();
    return probe.lastProbe() != null
        && (probe.result().equals(FAILURE)
            || (!history.isEmpty() && BAD.contains(history.getLast().result())));
  }
}
