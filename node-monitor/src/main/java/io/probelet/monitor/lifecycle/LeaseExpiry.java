package io.probelet.monitor.lifecycle;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which agents have not renewed their leases in time, as seen by this clock alone: a lease expires
 * when it has not changed for its duration since it was first seen so (B-6). Clocks of nodes may
 * differ. Times are nanoseconds of the monotonic clock; not safe for use by several threads.
 */
final class LeaseExpiry {
  private final Map<String, Observed> observed = new HashMap<>();

  /**
   * A lease as the API server has it.
   *
   * @param renewed when it was renewed last, as its holder wrote it
   */
  record Lease(String renewed, Duration duration) {}

  private record Observed(Lease lease, long since) {}

  /**
   * Takes all leases there are.
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
