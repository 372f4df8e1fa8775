package io.probelet.agent.cluster.pods;

import io.probelet.probe.PodRef;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The last known state of each pod of the node from the API server. A pod author may write any uid
 * into the annotation of static pods, so a lookup by uid must match namespace and name too.
 * Thread-safe.
 */
public final class KnownPods {
  private final Map<PodRef, ClusterPod> pods = new ConcurrentHashMap<>();

  /** Creates an empty collection. */
  public KnownPods() {}

  /**
   * Finds a pod.
   *
   * @return the pod; empty if the API server has none
   */
  public Optional<ClusterPod> find(PodRef ref) {
    return Optional.ofNullable(pods.get(ref));
  }

  /**
   * Finds the pod of a cgroup, which has no namespace and name. A uid from the API server is
   * unique. A uid that only an annotation claims is accepted from the one pod whose status lists
   * that container, and rejected if several pods claim it.
   *
   * @param containerId a container of that pod; empty if the kernel named none
   * @return the pod; empty if it is not known or not certain
   */
  public Optional<ClusterPod> ofCgroup(String uid, String containerId) {
    List<ClusterPod> claiming =
        pods.values().stream().filter(pod -> pod.ref().uid().equals(uid)).toList();
    Optional<ClusterPod> own = claiming.stream().filter(pod -> pod.uid().equals(uid)).findFirst();
    if (own.isPresent()) {
      return own;
    }
    List<ClusterPod> certain =
        claiming.stream()
            .filter(pod -> containerId.isEmpty() || pod.hasContainer(containerId))
            .toList();
    return certain.size() == 1 ? Optional.of(certain.getFirst()) : Optional.empty();
  }

  /**
   * Finds the pod of a name.
   *
   * @return the pod; empty if the API server has none on this node
   */
  public Optional<ClusterPod> named(String namespace, String name) {
    return pods.values().stream()
        .filter(pod -> pod.ref().namespace().equals(namespace) && pod.ref().name().equals(name))
        .findFirst();
  }

  /**
   * {@return the controller of a pod, such as {@code StatefulSet/web}; the pod itself if there is
   * none}
   *
   * @param pod which
   */
  public String workload(PodRef pod) {
    return find(pod)
        .flatMap(known -> known.owner().workload())
        .map(workload -> workload.kind() + "/" + workload.name())
        .orElse("Pod/" + pod.name());
  }

  /**
   * {@return whether a pod is being deleted}
   *
   * @param pod which
   */
  public boolean isDeleting(PodRef pod) {
    return find(pod).map(known -> known.reported().deleting()).orElse(false);
  }

  /** {@return whether a pod reports a container of this id} */
  public boolean hasContainer(String containerId) {
    return pods.values().stream().anyMatch(pod -> pod.hasContainer(containerId));
  }

  /** {@return how many pods are known} */
  public int size() {
    return pods.size();
  }

  /** Keeps a pod and returns what was known of it before, null if nothing was. */
  @Nullable ClusterPod put(ClusterPod pod) {
    return pods.put(pod.ref(), pod);
  }

  /**
   * Forgets a pod; returns whether it was known. A recreated mirror pod of a static pod is another
   * object of the API server, and stays.
   */
  boolean remove(ClusterPod pod) {
    ClusterPod known = pods.get(pod.ref());
    return known != null && known.uid().equals(pod.uid()) && pods.remove(pod.ref(), known);
  }

  Iterable<ClusterPod> all() {
    return List.copyOf(pods.values());
  }
}
