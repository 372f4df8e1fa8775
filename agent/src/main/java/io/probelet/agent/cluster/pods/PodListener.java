package io.probelet.agent.cluster.pods;

import io.probelet.probe.PodRef;
import java.util.Set;

/** Receives the node's pods from the API server, one call at a time. */
public interface PodListener {
  /** All pods that exist have been reported; those known and not among them are gone. */
  void listed(Set<PodRef> there);

  /** A pod is new or different. */
  void changed(ClusterPod pod);

  /**
   * A pod is gone.
   *
   * @param pod as it was last
   */
  void removed(ClusterPod pod);
}
