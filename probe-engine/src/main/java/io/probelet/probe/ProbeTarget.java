package io.probelet.probe;

/**
 * The running container a probe is sent to.
 *
 * @param pod the pod
 * @param container its specification: ports and environment
 * @param containerId the runtime's id
 * @param podIp the pod's primary IP, empty if it has none; a handler without host then ends with a
 *     prober error and never probes the agent's own loopback
 * @param further charges what the probe sends beyond its first request
 */
public record ProbeTarget(
    PodRef pod, ContainerSpec container, String containerId, String podIp, RedirectBudget further) {
  /**
   * A target whose probes have no redirect budget.
   *
   * @param pod the pod
   * @param container its specification: ports and environment
   * @param containerId the runtime's id
   * @param podIp the pod's primary IP, possibly empty
   */
  public ProbeTarget(PodRef pod, ContainerSpec container, String containerId, String podIp) {
    this(pod, container, containerId, podIp, RedirectBudget.UNCHARGED);
  }
}
