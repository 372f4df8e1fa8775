package io.probelet.agent.cluster.pods;

import java.util.Set;

/** Takes what the API server says of the node's pods. Calls come one at a time. */
public interface PodListener {
  /**
   * All pods there are have been told; those known and not among them are gone.
   *
   * @param uids under which the runtime knows those there are
   */
  void listed(Set<String> uids);

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
