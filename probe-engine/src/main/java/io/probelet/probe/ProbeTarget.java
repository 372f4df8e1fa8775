package io.probelet.probe;

/**
 * The running container a probe is aimed at.
 *
 * @param pod the pod
 * @param container its specification: ports and environment
 * @param containerId the runtime's id
 * @param podIp the pod's primary IP, empty when it has none: then a handler without a host of its
 *     own is a prober error, never a probe of our own loopback
 */
public record ProbeTarget(PodRef pod, ContainerSpec container, String containerId, String podIp) {}
