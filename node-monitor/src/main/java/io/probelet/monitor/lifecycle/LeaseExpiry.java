package io.probelet.monitor.lifecycle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds agents that have not renewed their leases, by this clock alone: a lease expires when it has
 * not changed for its duration since it was last seen to change (B-6). Clocks of nodes may differ.
 * Times are nanoseconds of the monotonic clock. Not thread-safe.
 */
final class LeaseExpiry {
  private final Map<String, Observed> observed = new HashMap<>();
  private long lastRead;
  private boolean unread;

  /**
   * A lease as stored by the API server.
   *
   * @param renewed when it was last renewed, as written by its holder
   */
  record Lease(String renewed, Duration duration) {}

  /**
   * A lease.
   *
   * @param since when it was last seen to change
   * @param waited whether its agent was given time to return after an outage, which is once
   */
  private record Observed(Lease lease, long since, boolean waited) {}

  /** Records that the leases could not be read. */
  void unread() {
    unread = true;
  }

  /**
   * Takes all current leases.
   *
   * @param leases by node; others are forgotten
   */
  Map<String, Lease> expired(Map<String, Lease> leases, long now) {
    if (unread) {
      letReturn(now, now - lastRead);
    }
    unread = false;
    lastRead = now;
    observed.keySet().retainAll(leases.keySet());
    Map<String, Lease> expired = new HashMap<>();
    leases.forEach((node, lease) -> {
      Observed before = observed.get(node);
      if (before == null || !before.lease().equals(lease)) {
        observed.put(node, new Observed(lease, now, false));
      } else if (now - before.since() > lease.duration().toNanos()) {
        expired.put(node, lease);
      }
    });
    return expired;
  }

  /**
   * The API server was away, for the agents too: that time does not count, and then they have two
   * thirds of a lease to come back. Otherwise all agents of a cluster would be gone at once. That
   * is once for each lease: reads that fail every half minute must not hide agents that are gone.
   */
  private void letReturn(long now, long gap) {
    observed.replaceAll((_, each) -> {
      long age = now - each.since() - gap;
      long duration = each.lease().duration().toNanos();
      return new Observed(
          each.lease(),
          now - (each.waited() || age > duration ? age : Math.min(age, duration / 3)),
          true);
    });
  }
}
