package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.restart.WorkloadHolds.Container;
import io.probelet.health.RecentMap;
import io.probelet.kube.workload.Workload;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The containers, or pods, that wait for a word about their workload, for which one request after
 * the other is made. Times are nanoseconds of the monotonic clock. Not safe for use by several
 * threads.
 *
 * @param <D> what is to happen to them
 */
final class WorkloadAsks<D> {
  /** Workloads that are asked about at once. */
  static final int MAX_WORKLOADS = 128;

  /** Of them, those of one namespace. */
  static final int MAX_OF_NAMESPACE = 16;

  /**
   * A container that is to be restarted, or a pod that is to be not ready.
   *
   * @param container whose name is empty for the whole pod
   * @param instance of the container; empty for the whole pod
   * @param anyway whether it was held for long enough
   */
  record Ask<D>(
      D decision,
      Workload workload,
      Container container,
      String instance,
      boolean anyway,
      CompletableFuture<Boolean> answer) {
    String pod() {
      return container.pod().name();
    }

    Ask<D> allTheSame() {
      return new Ask<>(decision, workload, container, instance, true, answer);
    }
  }

  private final Map<Workload, Deque<Ask<D>>> waiting = new HashMap<>();
  private final Set<Workload> busy = new HashSet<>();
  private final RecentMap<Workload, Long> unknownSince = new RecentMap<>(MAX_WORKLOADS);

  /** Whether one more of this workload may wait, besides those that restart. */
  boolean hasRoom(Workload workload, Set<Workload> restarting) {
    Set<Workload> all = new HashSet<>(restarting);
    all.addAll(waiting.keySet());
    all.addAll(busy);
    return all.contains(workload)
        || (all.size() < MAX_WORKLOADS
            && all.stream().filter(each -> each.namespace().equals(workload.namespace())).count()
                < MAX_OF_NAMESPACE);
  }

  void add(Ask<D> ask) {
    waiting.computeIfAbsent(ask.workload(), _ -> new ArrayDeque<>()).add(ask);
  }

  /** Takes the one that has waited longest; null if there is none. */
  @Nullable Ask<D> poll(Workload workload) {
    Deque<Ask<D>> asks = waiting.get(workload);
    if (asks == null) {
      return null;
    }
    Ask<D> next = asks.poll();
    if (asks.isEmpty()) {
      waiting.remove(workload);
    }
    return next;
  }

  /** Takes those that have not been held long enough. */
  List<Ask<D>> pollOthers(Workload workload) {
    List<Ask<D>> others = new ArrayList<>();
    Deque<Ask<D>> asks = waiting.get(workload);
    if (asks != null) {
      asks.stream().filter(ask -> !ask.anyway()).forEach(others::add);
      asks.removeIf(ask -> !ask.anyway());
      if (asks.isEmpty()) {
        waiting.remove(workload);
      }
    }
    return others;
  }

  boolean isBusy(Workload workload) {
    return busy.contains(workload);
  }

  void begin(Workload workload) {
    busy.add(workload);
  }

  void end(Workload workload) {
    busy.remove(workload);
  }

  /** For how long nobody has said how many replicas there are, now included. */
  Duration unknownFor(Workload workload, long now) {
    Long since = unknownSince.get(workload);
    if (since == null) {
      unknownSince.put(workload, now);
      return Duration.ZERO;
    }
    return Duration.ofNanos(now - since);
  }

  /** Somebody has said it. */
  void replicasKnown(Workload workload) {
    unknownSince.remove(workload);
  }
}
