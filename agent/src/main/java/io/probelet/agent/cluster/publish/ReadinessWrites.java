package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.health.OneLine;
import io.probelet.kube.event.WriteBudget;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
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
  private boolean waits;

  /** How far a pod that was ready has come to turn unready. */
  private enum Turn {
    /** It is ready, or was not. */
    NONE,
    /** Somebody is asked. */
    ASKED,
    /** It may not, and stays as it is until it is asked about again. */
    HELD,
    /** It may. */
    ALLOWED
  }

  /** What is to be written of one pod. */
  record PendingWrite(
      ClusterPod pod, boolean ready, String reason, String message, Set<String> notReady) {
    /** A pod has as many containers as its author wants; the policy takes no more than this. */
    PendingWrite {
      message = OneLine.of(message, MAX_MESSAGE);
      notReady = Set.copyOf(notReady);
    }
  }

  /** Time after which a pod that may not turn unready is asked about again. */
  static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  private static final class Pod {
    private Turn turn = Turn.NONE;
    private long askAt;
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
    heldBack = waits;
    waits = false;
    for (Pod entry : pods.values()) {
      ClusterPod pod = entry.known;
      if (pod != null) {
        PendingWrite write = write(pod, entry.ready);
        if (write != null
            && !Boolean.valueOf(write.ready()).equals(entry.written)
            && !(turnsUnready(entry, write) && entry.turn != Turn.ALLOWED)) {
          if (entry.budget.allows(true, nanos)) {
            return Optional.of(write);
          }
          heldBack = true;
        }
      }
    }
    return Optional.empty();
  }

  /** Whether it has been ready, so that others may have a say. */
  private static boolean turnsUnready(Pod entry, PendingWrite write) {
    return !write.ready() && Boolean.TRUE.equals(entry.written);
  }

  /** {@return the next pod to ask about before it turns unready; empty if there is none now} */
  Optional<PendingWrite> nextAsk(long nanos) {
    for (Pod entry : pods.values()) {
      PendingWrite write = entry.known == null ? null : write(entry.known, entry.ready);
      if (write != null && turnsUnready(entry, write)) {
        waits |= entry.turn != Turn.ALLOWED;
        if (entry.turn == Turn.NONE || (entry.turn == Turn.HELD && nanos - entry.askAt >= 0)) {
          entry.turn = Turn.ASKED;
          return Optional.of(write);
        }
      }
    }
    return Optional.empty();
  }

  /** Takes the answer about a pod. */
  void answered(PodRef pod, boolean may, long nanos) {
    Pod entry = pods.get(pod);
    if (entry != null && entry.turn == Turn.ASKED) {
      entry.turn = may ? Turn.ALLOWED : Turn.HELD;
      entry.askAt = nanos + ASK_AGAIN.toNanos();
    }
  }

  /** {@return the pods that were asked about and are ready now, each once} */
  List<PodRef> readyAgain() {
    List<PodRef> ready = new ArrayList<>();
    pods.forEach((ref, entry) -> {
      if (entry.turn != Turn.NONE && entry.turn != Turn.ASKED && entry.known != null) {
        PendingWrite write = write(entry.known, entry.ready);
        if (write != null && write.ready()) {
          entry.turn = Turn.NONE;
          ready.add(ref);
        }
      }
    });
    return ready;
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
          : new PendingWrite(pod, true, "NoExtendedReadinessProbes", "", Set.of());
    }
    return not.isEmpty()
        ? new PendingWrite(pod, true, "ProbesSucceeded", "", Set.of())
        : new PendingWrite(pod, false, "ProbesFailed", "not ready: " + String.join(", ", not), not);
  }

  /** Whether something waits: its pod has been written too often, or may not turn unready. */
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
