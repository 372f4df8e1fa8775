package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.health.RecentMap;
import io.probelet.runtime.process.BackOff;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Back-off before a failed pod is removed, like the kubelet's for containers: the controller's next
 * pod may fail in the same way.
 *
 * <pre>
 *  pods of   first          second              third
 *  one       ──x            ──x ─ ─ ─►          ──x ─ ─ ─ ─ ─ ─►
 *  owner       └ at once      └ 10 s              └ 20 s, and so on up to 300 s     x = has failed
 * </pre>
 *
 * Pods that were there before an eviction are no successors, and wait as if it had not been. An
 * owner of which nothing was taken away for ten minutes begins anew. Times are nanoseconds of the
 * monotonic clock. Safe for use by several threads.
 */
public final class EvictionBackOff {
  /** The owners that are remembered. */
  static final int MAX_OWNERS = 1000;

  private final BackOff backOff;
  private final RecentMap<Owner, History> owners = new RecentMap<>(MAX_OWNERS);
  private final Map<String, Turn> turns = new HashMap<>();

  /** Uids are what a pod's author may write, so that one of another namespace is another's. */
  private record Owner(String namespace, String uid) {
    static Owner of(ClusterPod pod) {
      return new Owner(pod.ref().namespace(), pod.owner().uid());
    }
  }

  /** The delay of whoever comes now, since one was taken away. */
  private record History(Duration next, long at) {}

  /** A pod's delay, and since when it runs; null while the pod has not failed. */
  private record Turn(Duration delay, @Nullable Long since) {}

  /** Creates a back-off without history. */
  public EvictionBackOff() {
    this(BackOff.KUBELET);
  }

  /** Creates one with other delays. */
  EvictionBackOff(BackOff backOff) {
    this.backOff = backOff;
  }

  /** Records that a pod is there. */
  public synchronized void known(ClusterPod pod, long now) {
    if (!pod.owner().isNobody()) {
      turns.computeIfAbsent(pod.uid(), _ -> new Turn(delay(pod, now), null));
    }
  }

  /**
   * Records that a pod is gone.
   *
   * @param pod as it was last
   */
  public synchronized void gone(ClusterPod pod) {
    turns.remove(pod.uid());
  }

  private Duration delay(ClusterPod pod, long now) {
    History history = owners.get(Owner.of(pod));
    return history == null || isOver(history, now) ? Duration.ZERO : history.next();
  }

  private boolean isOver(History history, long now) {
    return now - history.at() >= backOff.resetAfter().toNanos();
  }

  /**
   * Asks for a pod that has failed.
   *
   * @return how much longer it must wait; empty if it may be taken away now, which is counted
   */
  synchronized Optional<Duration> waits(ClusterPod pod, long now) {
    if (pod.owner().isNobody()) {
      return Optional.empty(); // no controller recreates it
    }
    Turn turn = turns.computeIfAbsent(pod.uid(), _ -> new Turn(delay(pod, now), null));
    History history = owners.get(Owner.of(pod));
    if (history != null && isOver(history, now)) {
      turn = new Turn(Duration.ZERO, null);
    }
    long since = turn.since() == null ? now : turn.since();
    turns.put(pod.uid(), new Turn(turn.delay(), since));
    Duration left = turn.delay().minusNanos(now - since);
    if (left.isPositive()) {
      return Optional.of(left);
    }
    evicted(Owner.of(pod), backOff.after(turn.delay()), now);
    return Optional.empty();
  }

  /**
   * The wait of a pod if it failed now; asking changes nothing.
   *
   * @param left how much longer it waits, above zero
   * @param counts whether that runs already, since it has failed
   */
  record Wait(Duration left, boolean counts) {}

  /** {@return how long a pod would wait; empty if it could be removed immediately} */
  synchronized Optional<Wait> expected(ClusterPod pod, long now) {
    Turn turn = pod.owner().isNobody() ? null : turns.get(pod.uid());
    History history = owners.get(Owner.of(pod));
    if (turn == null || (history != null && isOver(history, now))) {
      return Optional.empty();
    }
    Long since = turn.since();
    Duration left = since == null ? turn.delay() : turn.delay().minusNanos(now - since);
    return left.isPositive() ? Optional.of(new Wait(left, since != null)) : Optional.empty();
  }

  private void evicted(Owner owner, Duration next, long now) {
    History before = owners.get(owner);
    Duration longest = next;
    if (before != null && !isOver(before, now) && before.next().compareTo(next) > 0) {
      longest = before.next(); // it is of an earlier generation than one that went before it
    }
    owners.put(owner, new History(longest, now));
  }
}
