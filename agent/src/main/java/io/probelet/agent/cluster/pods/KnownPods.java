package io.probelet.agent.cluster.pods;

import io.probelet.probe.PodRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the API server said last of each pod of the node. Safe for use by several threads. */
public final class KnownPods {
  private final Map<String, ClusterPod> pods = new ConcurrentHashMap<>();

  /** Creates an empty collection. */
  public KnownPods() {}

  /**
   * Finds a pod.
   *
   * @param ref under the uid that the runtime knows
   * @return the pod; empty if the API server has none, or none any more
   */
  public Optional<ClusterPod> find(PodRef ref) {
    return find(ref.uid());
  }

  /**
   * Finds a pod.
   *
   * @param uid the uid that the runtime knows it by
   * @return the pod; empty if the API server has none, or none any more
   */
  public Optional<ClusterPod> find(String uid) {
    return Optional.ofNullable(pods.get(uid));
  }

  /** Keeps a pod and returns what was known of it before, null if nothing was. */
  @Nullable ClusterPod put(ClusterPod pod) {
    return pods.put(pod.ref().uid(), pod);
  }

  /** Forgets a pod and tells whether it was known. */
  boolean remove(ClusterPod pod) {
    return pods.remove(pod.ref().uid()) != null;
  }

  Iterable<ClusterPod> all() {
    return List.copyOf(pods.values());
  }
}
