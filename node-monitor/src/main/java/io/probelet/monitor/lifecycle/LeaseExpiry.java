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

  /**
   * A lease as stored by the API server.
   *
   * @param renewed when it was last renewed, as written by its holder
   */
  record Lease(String renewed, Duration duration) {}

  private record Observed(Lease lease, long since) {}

  /**
   * Takes all current leases.
   *
   * @param leases by node; others are forgotten
   */
  Map<String, Lease> expired(Map<String, Lease> leases, long now) {
    observed.keySet().retainAll(leases.keySet());
    Map<String, Lease> expired = new HashMap<>();
    leases.forEach((node, lease) -> {
      Observed before = observed.get(node);
      if (before == null || !before.lease().equals(lease)) {
        observed.put(node, new Observed(lease, now));
      } else if (now - before.since() > lease.duration().toNanos()) {
        expired.put(node, lease);
      }
    });
    return expired;
  }
}
