package io.probelet.probe;

/**
 * The running container a probe is sent to.
 *
 * @param pod the pod
 * @param container its specification: ports and environment
 * @param containerId the runtime's id
 * @param podIp the pod's primary IP, empty when it has none: then a handler without a host of its
 *     own is a prober error, never a probe of our own loopback
 * @param further charges what the probe sends beyond its first request
 */
public record ProbeTarget(
    PodRef pod, ContainerSpec container, String containerId, String podIp, RedirectBudget further) {
  /**
   * A target whose probes nobody counts.
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
