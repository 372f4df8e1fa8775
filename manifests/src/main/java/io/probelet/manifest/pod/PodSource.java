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
 * A valid pod and where it came from.
 *
 * @param kind whose pod it is: {@code Pod}, or the workload's kind, such as {@code Deployment}
 * @param document which document of the file, 1 for the first
 * @param probed what the probe engine needs of it
 * @param local what running it takes; null unless in {@link Mode#STANDALONE_PROCESS}
 * @param enforcement what the pod says of itself being restarted; null when it says nothing, or
 *     when nobody asks
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
   * {@return which pod; the uid is made from the manifest's content, so that a changed manifest is
   * a new pod}
   */
  public PodRef ref() {
    return probed.ref();
  }

  /** {@return how many probes it has} */
  public int probeCount() {
    return probed.containers().stream().mapToInt(container -> container.probes().size()).sum();
  }
}
