package io.probelet.kube.election;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a lease may be acquired and how long it counts as held, from a candidate's
 * observations. Immutable. Times are nanoseconds of the monotonic clock.
 *
 * @param identity the candidate's unique name
 * @param seenVersion the last version seen; empty if there was no lease
 * @param everSeen whether there ever was a lease
 */
record ElectionRules(
    String identity, ElectionTiming timing, String seenVersion, long seenAt, boolean everSeen) {

  /** Without any observation. */
  ElectionRules(String identity, ElectionTiming timing) {
    this(identity, timing, "", 0, false);
  }

  /**
   * The current lease.
   *
   * @param holder the holder; empty if there is none
   * @param version the version required for a change; empty if there is no lease yet
   * @param transitions how often it changed hands
   * @param acquired when it was acquired; null if unknown
   */
  record Seen(
      String holder,
      String version,
      Duration duration,
      int transitions,
      @Nullable Instant acquired) {
    static final Seen NOTHING = new Seen("", "", Duration.ZERO, 0, null);
  }

  /** Records an observation: an unchanged lease is one that its holder does not renew. */
  ElectionRules see(Seen lease, long nanos) {
    boolean same = lease.version().equals(seenVersion);
    return new ElectionRules(
        identity,
        timing,
        lease.version(),
        same ? seenAt : nanos,
        everSeen || !lease.version().isEmpty());
  }

  /** Whether the candidate may acquire the lease in its last observed state. */
  boolean mayTake(Seen lease, long nanos) {
    boolean deleted = lease.version().isEmpty() && everSeen; // its holder may still act
    boolean free = lease.holder().isEmpty() || lease.holder().equals(identity);
    return (free && !deleted) || !remaining(lease, nanos).isPositive();
  }

  /** How much longer the lease must stay unchanged until it may be acquired. */
  Duration remaining(Seen lease, long nanos) {
    return wait(lease).minusNanos(nanos - seenAt);
  }

  /**
   * How long a lease must stay unchanged until it may be acquired: the longer of the holder's and
   * our duration.
   */
  Duration wait(Seen lease) {
    return lease.duration().compareTo(timing.lease()) > 0 ? lease.duration() : timing.lease();
  }

  /** The lease to write when acquiring it. */
  Seen taken(Seen lease, Instant now) {
    return new Seen(identity, lease.version(), timing.lease(), lease.transitions() + 1, now);
  }

  /** The lease to write when renewing it; {@code version} is the newest known. */
  Seen renewed(Seen taken, String version) {
    return new Seen(identity, version, timing.lease(), taken.transitions(), taken.acquired());
  }

  /** The lease to write when releasing it. client-go rejects a duration of zero. */
  static Seen released(Seen taken, String version) {
    return new Seen("", version, Duration.ofSeconds(1), taken.transitions(), taken.acquired());
  }

  /** How long a renewal requested now will be valid. */
  Deadline deadline(long nanos, Instant wall) {
    return new Deadline(nanos + timing.deadline().toNanos(), wall.plus(timing.deadline()));
  }

  /** Uses two clocks, as the monotonic clock stands still while the machine is suspended. */
  record Deadline(long nanos, Instant wall) {
    boolean isPast(long nowNanos, Instant nowWall) {
      return nowNanos - nanos >= 0 || !nowWall.isBefore(wall);
    }
  }
}
