package io.probelet.agent.cluster;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.PodListener;
import io.probelet.agent.run.WarmUp;
import io.probelet.probe.PodRef;
import java.util.Set;

/**
 * Lets the first pods wait until probing is warm (W-21), which it mostly is by the time that the
 * API server has listed them.
 *
 * @param warmUp takes 2 s at most
 */
record DeferredPodListener(PodListener listener, WarmUp warmUp) implements PodListener {
  @Override
  public void changed(ClusterPod pod) {
    warmUp.await();
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
