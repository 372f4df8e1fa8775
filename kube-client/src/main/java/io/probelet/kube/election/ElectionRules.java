package io.probelet.kube.election;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides when a lease may be taken and for how long it counts as held. */
final class ElectionRules {
  private final String identity;
  private final ElectionTiming timing;
  private final TimeSource time;
  private String seenVersion = "";
  private long seenAt;
  private boolean everSeen;

  ElectionRules(String identity, ElectionTiming timing, TimeSource time) {
    this.identity = identity;
    this.timing = timing;
    this.time = time;
  }

  /**
   * The lease as it stands.
   *
   * @param holder who holds it; empty if nobody
   * @param version the version that a change must name; empty if there is no lease yet
   * @param duration for how long, as its holder has it
   * @param transitions how often it changed hands
   * @param acquired since when; null if nobody said
   */
  record Seen(
      String holder,
      String version,
      Duration duration,
      int transitions,
      @Nullable Instant acquired) {
    static final Seen NOTHING = new Seen("", "", Duration.ZERO, 0, null);
  }

  /** Whether a candidate may write itself into the lease, given what it sees. */
  boolean mayTake(Seen lease) {
    long now = time.nanoTime();
    if (!lease.version().equals(seenVersion)) {
      seenVersion = lease.version();
      seenAt = now;
    }
    boolean deleted = lease.version().isEmpty() && everSeen; // its holder may still be acting
    everSeen |= !lease.version().isEmpty();
    if (!deleted && (lease.holder().isEmpty() || lease.holder().equals(identity))) {
      return true;
    }
    return now - seenAt >= wait(lease).toNanos();
  }

  /** How long a lease that was asked about last has to stand still from now to be taken. */
  Duration left(Seen lease) {
    return wait(lease).minusNanos(time.nanoTime() - seenAt);
  }

  /** How long a lease has to stand still to be taken. */
  Duration wait(Seen lease) {
    return lease.duration().compareTo(timing.lease()) > 0 ? lease.duration() : timing.lease();
  }

  /** Begins to count the time for which a renewal that is asked for now will hold. */
  Deadline deadline() {
    return new Deadline(
        time.nanoTime() + timing.deadline().toNanos(), time.wallTime().plus(timing.deadline()));
  }

  /** Two clocks, as the monotonic one stands still while the machine is suspended. */
  record Deadline(long nanos, Instant wall) {
    boolean isPast(TimeSource time) {
      return time.nanoTime() - nanos >= 0 || !time.wallTime().isBefore(wall);
    }
  }
}
