package io.probelet.nodehealth.controller;

import io.probelet.kube.event.EventCounts;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Takes what happens to remediations, for metrics. Called on one thread; must be quick. */
public interface RemediationListener {
  /** Ignores all events. */
  RemediationListener NONE = new RemediationListener() {};

  /**
   * A NodeHealthCheck was planned for, or is gone, and this is how it stands now.
   *
   * @param heldBack how many nodes wait for which reason (RB-5)
   */
  default void stands(
      String check, Set<NodeUnderRemediation> ongoing, Map<String, Integer> heldBack) {}

  /** This replica became the leader. */
  default void records(EventCounts counts) {}

  /** This is not the leader any more, so nothing stands. */
  default void retired() {}

  /** A remediation has ended: its node is healthy or deleted, and its resource is deleted. */
  default void finished(NodeUnderRemediation remediation, Duration age) {}

  /** A remediation turned out to be older than two days. */
  default void grewOld(NodeUnderRemediation remediation) {}

  /**
   * What metrics call a remediation: by its node, however the resource itself is named.
   *
   * @param namespace the resource's; empty if it is in none
   */
  public record NodeUnderRemediation(String node, String namespace, String kind) {
    static NodeUnderRemediation of(String node, ObjectRef resource) {
      String namespace = resource.namespace();
      return new NodeUnderRemediation(node, namespace == null ? "" : namespace, resource.kind());
    }
  }
}
