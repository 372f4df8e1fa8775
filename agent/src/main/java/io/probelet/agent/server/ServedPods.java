package io.probelet.agent.server;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.NodePods;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ProbeEngine;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The pods that clients have handed over, within bounds. Safe for use by several threads. */
final class ServedPods {
  /** Far more than a kubelet runs. */
  static final int MAX_PODS = 500;

  static final int MAX_CONTAINERS = 2_000;

  /** Bytes of all pods as JSON: what is kept of a pod is no larger. */
  static final int MAX_BYTES = 16 << 20;

  private final KnownPods known;
  private final NodePods pods;

  /** What each pod takes, in the order in which pods came. */
  private final Map<PodRef, Share> shares = new LinkedHashMap<>();

  private record Share(int containers, int bytes) {}

  ServedPods(KnownPods known, ProbeEngine engine) {
    this.known = known;
    pods = new NodePods(engine, known, _ -> {}, _ -> {}, _ -> {}, false);
  }

  /** {@return whether a pod is from a client} */
  boolean has(PodRef pod) {
    return known.find(pod).isPresent();
  }

  /** {@return all of them, in the order in which they came} */
  synchronized List<PodRef> all() {
    return List.copyOf(shares.keySet());
  }

  /**
   * Takes a new or changed pod.
   *
   * @param bytes its length as JSON
   * @return why there is no room for it; empty if it is probed from now on
   */
  synchronized Optional<String> put(ClusterPod pod, int bytes) {
    PodRef ref = pod.ref();
    int more = pod.probed().containers().size();
    int others = 0;
    int otherBytes = 0;
    for (Map.Entry<PodRef, Share> each : shares.entrySet()) {
      if (!each.getKey().equals(ref)) {
        others += each.getValue().containers();
        otherBytes += each.getValue().bytes();
      }
    }
    if (!shares.containsKey(ref) && shares.size() >= MAX_PODS) {
      return Optional.of("too many pods: the server takes " + MAX_PODS);
    }
    if (others + more > MAX_CONTAINERS) {
      return Optional.of(
          "too many containers: the server takes %d, has %d, and the pod has %d"
              .formatted(MAX_CONTAINERS, others, more));
    }
    if (otherBytes + bytes > MAX_BYTES) {
      return Optional.of(
          "pods are too large: the server takes %d bytes, has %d, and the pod has %d"
              .formatted(MAX_BYTES, otherBytes, bytes));
    }
    shares.put(ref, new Share(more, bytes));
    pods.changed(pod);
    return Optional.empty();
  }

  /** {@return whether there was such a pod, which is not probed any more} */
  synchronized boolean remove(PodRef ref) {
    Optional<ClusterPod> pod = known.find(ref);
    pod.ifPresent(pods::removed);
    shares.remove(ref);
    return pod.isPresent();
  }
}
