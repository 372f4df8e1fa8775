package io.probelet.probe.runtime;

import io.probelet.probe.PodRef;
import java.util.List;
import java.util.Map;

/**
 * A snapshot of a pod.
 *
 * @param pod which pod
 * @param phase where it is in its life
 * @param deleting whether it is being deleted (it has a deletion timestamp)
 * @param ready whether it was reported Ready by an earlier life of the agent (W-9)
 * @param ips its addresses, the primary one first; empty when it has none yet
 * @param containers by container name; only the newest instance of each
 */
public record PodObservation(
    PodRef pod,
    Phase phase,
    boolean deleting,
    boolean ready,
    List<String> ips,
    Map<String, ContainerObservation> containers) {
  /** Keeps unmodifiable copies of the collections. */
  public PodObservation {
    ips = List.copyOf(ips);
    containers = Map.copyOf(containers);
  }

  /**
   * {@return a running pod that no earlier process has reported Ready}
   *
   * @param pod which pod
   * @param ip its address
   * @param containers by container name; only the newest instance of each
   */
  public static PodObservation running(
      PodRef pod, String ip, Map<String, ContainerObservation> containers) {
    return new PodObservation(pod, Phase.RUNNING, false, false, List.of(ip), containers);
  }

  /** The phases of a Kubernetes pod. */
  public enum Phase {
    /** Not all containers have been started yet. */
    PENDING,
    /** At least one container runs or will be restarted. */
    RUNNING,
    /** All containers ended with exit code 0 and will not be restarted. */
    SUCCEEDED,
    /** All containers ended, at least one of them in failure, and will not be restarted. */
    FAILED;

    /** {@return whether the pod has ended for good} */
    public boolean terminal() {
      return this == SUCCEEDED || this == FAILED;
    }
  }

  /** {@return the primary IP, empty when there is none} */
  public String primaryIp() {
    return ips.isEmpty() ? "" : ips.getFirst();
  }
}
