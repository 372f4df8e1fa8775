package io.probelet.fleet.advise;

import io.probelet.probe.ProbeKind;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the probes of a container have seen on all pods of its workload.
 *
 * @param probes by kind
 * @param role regular or sidecar
 * @param patchable kinds whose settings stand in the pod template, not in an annotation
 * @param restarts of the container on all pods
 * @param otherPods pods with other settings, such as those of an older revision; they do not count
 */
public record WorkloadEvidence(
    AdviceSubject subject,
    Map<ProbeKind, ProbeEvidence> probes,
    String role,
    Set<ProbeKind> patchable,
    int pods,
    int nodes,
    int restarts,
    int otherPods) {
  /** Keeps unmodifiable copies. */
  public WorkloadEvidence {
    probes = Map.copyOf(probes);
    patchable = Set.copyOf(patchable);
  }

  @Nullable ProbeEvidence probe(ProbeKind kind) {
    return probes.get(kind);
  }
}
