package io.probelet.monitor.lead;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Which agents have not renewed their leases in time, as seen by this clock alone: a lease expires
 * when it has not changed for its duration since it was first seen so (B-6). Clocks of nodes may
 * differ. Times are nanoseconds of the monotonic clock; not safe for use by several threads.
 */
final class LeaseBook {
  private final Map<String, Sighting> sightings = new HashMap<>();

  /**
   * A lease as the API server has it.
   *
   * @param renewed when it was renewed last, as its holder wrote it
   * @param duration for how long from then
   */
  record Lease(String renewed, Duration duration) {}

  private record Sighting(Lease lease, long since) {}

  /**
   * Takes all leases there are.
   *
   * @param leases by node; others are forgotten
   * @param now the moment
   * @return those that have expired
   */
  Map<String, Lease> expired(Map<String, Lease> leases, long now) {
    sightings.keySet().retainAll(leases.keySet());
    Map<String, Lease> expired = new HashMap<>();
    leases.forEach((node, lease) -> {
      Sighting before = sightings.get(node);
      if (before == null || !before.lease().equals(lease)) {
        sightings.put(node, new Sighting(lease, now));
      } else if (now - before.since() > lease.duration().toNanos()) {
        expired.put(node, lease);
      }
    });
    return expired;
  }
}
