package io.probelet.manifest.pod;

import io.probelet.document.tree.Position;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbedPod;
import io.probelet.runtime.process.LocalPod;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A valid pod and its source.
 *
 * @param kind the owner's kind: {@code Pod}, or the workload's kind, such as {@code Deployment}
 * @param document number of the document in the file, starting at 1
 * @param probed the data for the probe engine
 * @param local the data for running it; null unless in {@link Mode#STANDALONE_PROCESS}
 * @param enforcement the pod's chosen mode; null if it chooses none, or the choice does not apply
 */
public record PodSource(
    String kind,
    Path file,
    int document,
    Position at,
    ProbedPod probed,
    @Nullable LocalPod local,
    Map<ProbeKind, List<String>> extended,
    @Nullable Enforcement enforcement) {
  /** Keeps an unmodifiable copy of the map. */
  public PodSource {
    extended = Map.copyOf(extended);
  }

  /**
   * {@return the pod's identity; its uid is derived from the manifest's content, so that a changed
   * manifest is a new pod}
   */
  public PodRef ref() {
    return probed.ref();
  }

  /** {@return the number of its probes} */
  public int probeCount() {
    return probed.containers().stream().mapToInt(container -> container.probes().size()).sum();
  }
}
