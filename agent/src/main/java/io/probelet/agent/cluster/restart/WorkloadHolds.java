package io.probelet.agent.cluster.restart;

import io.probelet.health.RecentMap;
import io.probelet.health.RetryBackoff;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The containers whose restart is held because too many replicas of their workload restart: since
 * when, and when it is worth asking again (D-11). Times are nanoseconds of the monotonic clock.
 * Safe for use by several threads.
 */
final class WorkloadHolds {
  /** The containers that are remembered; one that is forgotten is held from anew. */
  static final int MAX_CONTAINERS = 1000;

  private static final RetryBackoff PAUSE =
      RetryBackoff.doubling(Duration.ofSeconds(5), Duration.ofSeconds(30));

  private final RecentMap<Container, Hold> holds = new RecentMap<>(MAX_CONTAINERS);

  /** A container, whatever instance of it. */
  record Container(PodRef pod, String name) {
    static Container of(ProbeSubject subject) {
      return new Container(subject.pod(), subject.container());
    }
  }

  /**
   * One that is held.
   *
   * @param since when it was held first
   * @param pause how long it is held at least before others are asked again
   */
  record Hold(long since, String why, Duration pause, long at) {
    boolean pauses(long now) {
      return now - at < pause.toNanos();
    }

    /** How long it has been held. */
    Duration length(long now) {
      return Duration.ofNanos(now - since);
    }
  }

  synchronized @Nullable Hold of(Container container) {
    return holds.get(container);
  }

  synchronized void held(Container container, String why, long now) {
    Hold before = holds.get(container);
    holds.put(
        container,
        before == null
            ? new Hold(now, why, PAUSE.initial(), now)
            : new Hold(before.since(), why, PAUSE.after(before.pause()), now));
  }

  synchronized void over(Container container) {
    holds.remove(container);
  }

  synchronized void over(PodRef pod) {
    var _ = holds.removeIf(container -> container.pod().equals(pod));
  }
}
