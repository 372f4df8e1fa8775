package io.probelet.nodehealth.workloads;

import io.probelet.kube.workload.Workload;

/**
 * Pods that are alike: those of one owner with one template.
 *
 * @param workload the controller of the pods; a ReplicaSet has one template
 * @param hash the template of a DaemonSet's or StatefulSet's pod; empty if the owner sets none
 */
public record WorkloadRevision(Workload workload, String hash) {}
