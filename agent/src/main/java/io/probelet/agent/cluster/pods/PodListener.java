package io.probelet.agent.cluster.pods;

import java.util.List;

/** Takes what the API server says of the node's pods. Calls come one at a time. */
public interface PodListener {
  /**
   * These are all pods there are; those known and not among them are gone.
   *
   * @param pods each once
   */
  void listed(List<ClusterPod> pods);

  /**
   * A pod is new or different.
   *
   * @param pod as it is now
   */
  void changed(ClusterPod pod);

  /**
   * A pod is gone.
   *
   * @param pod as it was last
   */
  void removed(ClusterPod pod);
}
