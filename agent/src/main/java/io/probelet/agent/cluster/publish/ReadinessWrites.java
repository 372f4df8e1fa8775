package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.health.OneLine;
import io.probelet.kube.event.WriteBudget;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the desired and the current condition of each pod with the readiness gate, and returns the
 * writes that differ. Each pod has a burst of ten writes and one more every second. Pods take
 * turns, so that a flapping pod delays no other. Not safe for use by several threads.
 */
final class ReadinessWrites {
  private static final int BURST = 10;
  private static final Duration REFILL = Duration.ofSeconds(1);

  /** The most characters of a message, which the agents' admission policy allows too. */
  static final int MAX_MESSAGE = 1024;

  private final SequencedMap<PodRef, Pod> pods = new LinkedHashMap<>();
  private boolean heldBack;

  /** What is to be written of one pod. */
  record PendingWrite(ClusterPod pod, boolean ready, String reason, String message) {
    /** A pod has as many containers as its author wants; the policy takes no more than this. */
    PendingWrite {
      message = OneLine.of(message, MAX_MESSAGE);
    }
  }

  private static final class Pod {
    private final Map<String, Boolean> ready = new HashMap<>();
    private @Nullable ClusterPod known;
    private @Nullable Boolean written;
    private final WriteBudget budget;

    Pod(long nanos) {
      budget = new WriteBudget(BURST, REFILL, nanos);
    }
  }

  /** Takes a pod from the API server, including its condition. */
  void known(ClusterPod pod, long nanos) {
    if (!pod.gate().declared()) {
      pods.remove(pod.ref());
      return;
    }
    Pod entry = pods.computeIfAbsent(pod.ref(), _ -> new Pod(nanos));
    entry.known = pod;
    entry.written = pod.gate().status();
  }

  /** Records that a pod is gone. */
  void gone(PodRef pod) {
    pods.remove(pod);
  }

  /** Forgets the results of a pod's previous probes. */
  void probedAnew(PodRef pod) {
    Pod entry = pods.get(pod);
    if (entry != null) {
      entry.ready.clear();
    }
  }

  /** Takes what probes made of a container. */
  void changed(ContainerStatus container) {
    Pod entry = pods.get(container.pod());
    if (entry != null) {
      entry.ready.put(container.name(), container.ready());
    }
  }

  /**
   * {@return the next write; empty if all conditions are current or rate-limited} The pod written
   * last comes last.
   */
  Optional<PendingWrite> next(long nanos) {
    heldBack = false;
    for (Pod entry : pods.values()) {
      ClusterPod pod = entry.known;
      if (pod != null) {
        PendingWrite write = write(pod, entry.ready);
        if (write != null && !Boolean.valueOf(write.ready()).equals(entry.written)) {
          if (entry.budget.allows(true, nanos)) {
            return Optional.of(write);
          }
          heldBack = true;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Null while a container has not been seen: what an earlier agent wrote stays. The gate of a pod
   * that is being deleted goes on following its probes, for its endpoints serve until then.
   */
  private static @Nullable PendingWrite write(ClusterPod pod, Map<String, Boolean> ready) {
    List<String> asked = pod.gate().containers();
    TreeSet<String> not = new TreeSet<>();
    for (String container : asked) {
      Boolean is = ready.get(container);
      if (is == null) {
        return null;
      }
      if (!is) {
        not.add(container);
      }
    }
    if (asked.isEmpty()) { // a pod that is ending is not made ready for want of probes
      return pod.reported().deleting()
          ? null
          : new PendingWrite(pod, true, "NoExtendedReadinessProbes", "");
    }
    return not.isEmpty()
        ? new PendingWrite(pod, true, "ProbesSucceeded", "")
        : new PendingWrite(pod, false, "ProbesFailed", "not ready: " + String.join(", ", not));
  }

  /** Whether something waits only because its pod has been written too often. */
  boolean holdsBack() {
    return heldBack;
  }

  /** Records that one was written, or can never be. */
  void written(PendingWrite write) {
    Pod entry = pods.get(write.pod().ref());
    if (entry != null) {
      entry.written = write.ready();
      entry.budget.spend();
      pods.putLast(write.pod().ref(), entry);
    }
  }
}
