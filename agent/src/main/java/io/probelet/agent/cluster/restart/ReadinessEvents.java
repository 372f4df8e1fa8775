package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;

/** Takes what becomes of readiness gates, as events of pods. */
@FunctionalInterface
public interface ReadinessEvents {
  /**
   * Records one.
   *
   * @param reason one word in UpperCamelCase
   */
  void report(ClusterPod pod, String reason, String message);
}
