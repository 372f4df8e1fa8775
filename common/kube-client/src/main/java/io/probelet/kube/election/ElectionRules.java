package io.probelet.kube.election;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a lease may be taken and for how long it counts as held, from what a candidate has
 * seen of it. A value: what is seen makes a new one. Times are nanoseconds of the monotonic clock.
 *
 * @param identity what no other candidate is called
 * @param seenVersion the version that was seen last; empty if there was no lease
 * @param everSeen whether there ever was a lease
 */
record ElectionRules(
    String identity, ElectionTiming timing, String seenVersion, long seenAt, boolean everSeen) {

  /** Has seen nothing yet. */
  ElectionRules(String identity, ElectionTiming timing) {
    this(identity, timing, "", 0, false);
  }

  /**
   * The lease as it stands.
   *
   * @param holder who holds it; empty if nobody
   * @param version the version that a change must name; empty if there is no lease yet
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

  /** Takes what was read: a lease that stands still is one whose holder does not renew it. */
  ElectionRules see(Seen lease, long nanos) {
    boolean same = lease.version().equals(seenVersion);
    return new ElectionRules(
        identity,
        timing,
        lease.version(),
        same ? seenAt : nanos,
        everSeen || !lease.version().isEmpty());
  }

  /** Whether a candidate may write itself into the lease that it has seen last. */
  boolean mayTake(Seen lease, long nanos) {
    boolean deleted = lease.version().isEmpty() && everSeen; // its holder may still be acting
    boolean free = lease.holder().isEmpty() || lease.holder().equals(identity);
    return (free && !deleted) || !remaining(lease, nanos).isPositive();
  }

  /** How long the lease that was seen last has to stand still from now to be taken. */
  Duration remaining(Seen lease, long nanos) {
    return wait(lease).minusNanos(nanos - seenAt);
  }

  /** How long a lease has to stand still to be taken: as long as its holder, or we, have it. */
  Duration wait(Seen lease) {
    return lease.duration().compareTo(timing.lease()) > 0 ? lease.duration() : timing.lease();
  }

  /** The lease as it is to be once we have taken it. */
  Seen taken(Seen lease, Instant now) {
    return new Seen(identity, lease.version(), timing.lease(), lease.transitions() + 1, now);
  }

  /** The lease as it is to be once we have renewed it; {@code version} is the newest known. */
  Seen renewed(Seen taken, String version) {
    return new Seen(identity, version, timing.lease(), taken.transitions(), taken.acquired());
  }

  /** The lease as it is to be once we have given it back. client-go refuses one of no duration. */
  static Seen released(Seen taken, String version) {
    return new Seen("", version, Duration.ofSeconds(1), taken.transitions(), taken.acquired());
  }

  /** For how long a renewal that is asked for now will hold. */
  Deadline deadline(long nanos, Instant wall) {
    return new Deadline(nanos + timing.deadline().toNanos(), wall.plus(timing.deadline()));
  }

  /** Two clocks, as the monotonic one stands still while the machine is suspended. */
  record Deadline(long nanos, Instant wall) {
    boolean isPast(long nowNanos, Instant nowWall) {
      return nowNanos - nanos >= 0 || !nowWall.isBefore(wall);
    }
  }
}
