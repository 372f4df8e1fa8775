package io.probelet.probe;

/**
 * Names one probe on a node.
 *
 * @param pod the pod
 * @param container the container's name
 * @param kind what it decides
 */
public record ProbeSubject(PodRef pod, String container, ProbeKind kind) {}
