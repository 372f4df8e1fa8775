package io.probelet.agent.cluster.restart;

import io.probelet.kube.workload.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pods of this node that this agent, or one before it, has entered as restarting (D-9), and
 * those that are to be taken out. Times are nanoseconds of the monotonic clock. Not safe for use by
 * several threads.
 */
final class RestartingPods {
  private final Map<Workload, Map<String, Pod>> entered = new LinkedHashMap<>();
  private final Map<Workload, Set<String>> leaving = new LinkedHashMap<>();

  /** A pod that restarts; of each of its containers the instance that was stopped. */
  private record Pod(long since, Map<String, String> stopped) {}

  /** Whether a pod is entered. */
  boolean has(Workload workload, String pod) {
    return entered.getOrDefault(workload, Map.of()).containsKey(pod);
  }

  /** Records that an instance of a container is stopped. */
  void stopped(Workload workload, String pod, String container, String id, long now) {
    entered
        .computeIfAbsent(workload, _ -> new LinkedHashMap<>())
        .computeIfAbsent(pod, _ -> new Pod(now, new LinkedHashMap<>()))
        .stopped()
        .put(container, id);
    forget(leaving, workload, pod);
  }

  /**
   * Records that an agent before this one has entered a pod: which container was stopped nobody
   * knows any more, so that any of them that is well will do.
   */
  void adopted(Workload workload, String pod, long now) {
    if (!leaving.getOrDefault(workload, Set.of()).contains(pod)) {
      entered
          .computeIfAbsent(workload, _ -> new LinkedHashMap<>())
          .putIfAbsent(pod, new Pod(now, new LinkedHashMap<>()));
    }
  }

  /** Records that an instance of a container is well, or null for that nobody asks any more. */
  void recovered(Workload workload, String pod, String container, @Nullable String id) {
    Pod found = entered.getOrDefault(workload, Map.of()).get(pod);
    if (found == null || (id != null && id.equals(found.stopped().get(container)))) {
      return;
    }
    found.stopped().remove(container);
    if (found.stopped().isEmpty()) {
      gone(workload, pod);
    }
  }

  /** Records that a pod is to be taken out, whatever its containers do. */
  void gone(Workload workload, String pod) {
    if (has(workload, pod)) {
      Map<String, ?> pods = entered.get(workload);
      if (pods != null) {
        pods.remove(pod);
        if (pods.isEmpty()) {
          entered.remove(workload);
        }
      }
      leaving.computeIfAbsent(workload, _ -> new LinkedHashSet<>()).add(pod);
    }
  }

  /** Has pods taken out that have been in for longer than the window; returns their names. */
  List<String> expire(Duration window, long now) {
    List<String> names = new ArrayList<>();
    Map<Workload, List<String>> late = new LinkedHashMap<>();
    entered.forEach((workload, pods) ->
        pods.forEach((name, pod) -> {
          if (now - pod.since() > window.toNanos()) {
            late.computeIfAbsent(workload, _ -> new ArrayList<>()).add(name);
            names.add(workload.namespace() + "/" + name);
          }
        }));
    late.forEach((workload, pods) -> pods.forEach(pod -> gone(workload, pod)));
    return names;
  }

  /** The pods of a workload that are to be taken out. */
  Set<String> leaving(Workload workload) {
    return new LinkedHashSet<>(leaving.getOrDefault(workload, Set.of()));
  }

  /** The workloads of which pods are to be taken out. */
  List<Workload> leaving() {
    return List.copyOf(leaving.keySet());
  }

  /** Records that pods have been taken out. */
  void left(Workload workload, Set<String> pods) {
    pods.forEach(pod -> forget(leaving, workload, pod));
  }

  /** The workloads of which there is anything to remember. */
  Set<Workload> workloads() {
    Set<Workload> all = new LinkedHashSet<>(entered.keySet());
    all.addAll(leaving.keySet());
    return all;
  }

  private static void forget(Map<Workload, Set<String>> pods, Workload workload, String pod) {
    Set<String> some = pods.get(workload);
    if (some != null && some.remove(pod) && some.isEmpty()) {
      pods.remove(workload);
    }
  }
}
