package io.probelet.agent.cluster;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.PodListener;
import io.probelet.probe.PodRef;
import java.util.Set;

/**
 * Lets the first pods wait until probing is warm (W-21), which it mostly is by the time that the
 * API server has listed them.
 *
 * @param warmUp waits for that, 2 s at most
 */
record DeferredPodListener(PodListener listener, Runnable warmUp) implements PodListener {
  @Override
  public void changed(ClusterPod pod) {
    warmUp.run();
    listener.changed(pod);
  }

  @Override
  public void removed(ClusterPod pod) {
    listener.removed(pod);
  }

  @Override
  public void listed(Set<PodRef> there) {
    listener.listed(there);
  }
}
