package io.probelet.agent.cluster.pods;

import io.probelet.probe.ProbedPod;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the memory for pods that do not run, per namespace. The kubelet limits running pods, but
 * any number of other pods may name the node in their spec or have failed there. A full namespace
 * affects no other namespace and none of its own running pods.
 *
 * <pre>
 *   runs                                     kept
 *   waits or has finished   within the room  kept
 *                           beyond           its identity is kept, and read anew once it runs
 *                           beyond MAX_PODS  not followed until it runs
 * </pre>
 *
 * Not safe for use by several threads.
 */
final class PodRoom {
  /** The characters that are kept of pods that do not run: hundreds of usual ones. */
  static final int MAX_CHARS = 1 << 20;

  /**
   * The pods of a namespace that do not run. Kubernetes' own limit is 12,500 finished ones of a
   * whole cluster.
   */
  static final int MAX_PODS = 2_000;

  /** What an identity takes. */
  private static final int LEAST_CHARS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(PodRoom.class);

  private final Map<String, Space> spaces = new HashMap<>();

  /** What is kept of the pods of one namespace that do not run. */
  private static final class Space {
    private final Map<String, Integer> chars = new HashMap<>();
    private final Set<String> reported = new HashSet<>();
    private int total;

    void forget(String name) {
      total -= chars.getOrDefault(name, 0);
      chars.remove(name);
    }
  }

  /**
   * Makes room for a pod.
   *
   * @return the pod, or its identity; null if there is no room at all
   */
  @Nullable ClusterPod admit(ClusterPod pod) {
    String namespace = pod.ref().namespace();
    String name = pod.ref().name();
    Space space = spaces.computeIfAbsent(namespace, _ -> new Space());
    space.forget(name);
    if (runs(pod.reported())) {
      removeIfEmpty(namespace, space);
      return pod;
    }
    // Probes of an annotation count as those of the spec do.
    int size = pod.probed().toString().length();
    if (space.chars.size() >= MAX_PODS) {
      report(space, namespace, "more than " + MAX_PODS + " pods: the others are not followed");
      return null;
    }
    boolean fits = size <= MAX_CHARS - space.total - LEAST_CHARS;
    if (!fits) {
      report(space, namespace, "more than " + MAX_CHARS + " characters: others are kept by name");
    }
    int kept = LEAST_CHARS + (fits ? size : 0);
    space.chars.put(name, kept);
    space.total += kept;
    return fits ? pod : identity(pod);
  }

  /** A pod is gone. */
  void forget(@Nullable String namespace, String name) {
    Space space = namespace == null ? null : spaces.get(namespace);
    if (space != null && namespace != null) {
      space.forget(name);
      removeIfEmpty(namespace, space);
    }
  }

  private void removeIfEmpty(String namespace, Space space) {
    if (space.chars.isEmpty()) {
      spaces.remove(namespace);
    }
  }

  /** Once for as long as the namespace has such pods. */
  private static void report(Space space, String namespace, String limit) {
    if (space.reported.add(limit)) {
      LOG.warn(
          "pods of this node left out until they run namespace={} limit=\"{}\"", namespace, limit);
    }
  }

  private static boolean runs(PodObservation pod) {
    return !pod.phase().terminal()
        && (pod.phase() == PodObservation.Phase.RUNNING
            || pod.containers().values().stream()
                .anyMatch(each -> each.state() == ContainerObservation.State.RUNNING));
  }

  /** What is known of a pod by its name alone: it is there, and in which phase. */
  static ClusterPod identity(ClusterPod pod) {
    ProbedPod probed = pod.probed();
    PodObservation reported = pod.reported();
    return new ClusterPod(
        pod.uid(),
        new ProbedPod(
            probed.ref(), probed.restartPolicy(), probed.terminationGracePeriod(), List.of()),
        new PodObservation(
            reported.pod(),
            reported.phase(),
            reported.deleting(),
            reported.ready(),
            List.of(),
            Map.of()),
        null,
        new GateState(pod.gate().declared(), pod.gate().status(), List.of()),
        pod.revision(),
        List.of(),
        List.of(),
        PodOwner.NONE);
  }
}
