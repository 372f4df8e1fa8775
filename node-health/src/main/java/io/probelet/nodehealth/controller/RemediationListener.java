package io.probelet.nodehealth.controller;

import io.probelet.kube.event.EventCounts;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Receives changes of remediations, for metrics. Called on one thread; must return quickly. */
public interface RemediationListener {
  /** Ignores all events. */
  RemediationListener NONE = new RemediationListener() {};

  /**
   * A NodeHealthCheck was planned or deleted; this is its current state.
   *
   * @param heldBack number of nodes that are held back, by reason (RB-5)
   */
  default void stands(
      String check, Set<NodeUnderRemediation> ongoing, Map<String, Integer> heldBack) {}

  /**
   * Other nodes are in maintenance than before.
   *
   * @param nodes all that are; valid only during the call
   */
  default void inMaintenance(Set<String> nodes) {}

  /** This replica became the leader. */
  default void records(EventCounts counts) {}

  /** This replica is no longer the leader, so all values are gone. */
  default void retired() {}

  /** A remediation has ended: its node is healthy or deleted, and its resource is deleted. */
  default void finished(NodeUnderRemediation remediation, Duration age) {}

  /** A remediation was found to be older than two days. */
  default void grewOld(NodeUnderRemediation remediation) {}

  /**
   * The labels of a remediation in metrics: its node, whatever the resource's own name.
   *
   * @param namespace the resource's; empty if it is cluster-scoped
   */
  public record NodeUnderRemediation(String node, String namespace, String kind) {
    static NodeUnderRemediation of(String node, ObjectRef resource) {
      String namespace = resource.namespace();
      return new NodeUnderRemediation(node, namespace == null ? "" : namespace, resource.kind());
    }
  }
}
