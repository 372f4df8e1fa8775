package io.probelet.controller.restart;

import io.probelet.kube.workload.RestartCounter;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What of the leases nobody has changed for long, as seen by this clock alone (D-12): entries of
 * agents that died, and leases that are of no use any more. Times are nanoseconds of the monotonic
 * clock; not safe for use by several threads.
 */
final class EntryExpiry {
  /** Longer than any agent keeps an entry that is still right. */
  static final Duration ENTRY = Duration.ofMinutes(12);

  /** How long a lease without entries stays, for the next that restarts. */
  static final Duration EMPTY = Duration.ofMinutes(10);

  private final Map<Place, Observed> observed = new HashMap<>();

  /** A node's entry in a lease; of the whole lease where the node is empty. */
  record Place(String lease, String node) {}

  private record Observed(String value, long since) {}

  /** Forgets all places but these. */
  void retain(Set<Place> places) {
    observed.keySet().retainAll(places);
  }

  /** For how long a place has had this value; zero when that is new. */
  Duration unchanged(Place place, String value, long now) {
    Observed before = observed.get(place);
    if (before == null || !before.value().equals(value)) {
      observed.put(place, new Observed(value, now));
      return Duration.ZERO;
    }
    return Duration.ofNanos(now - before.since());
  }

  /** The nodes of a lease whose entries are to be taken out. */
  Set<String> expired(String lease, RestartCounter counter, long now) {
    Set<String> nodes = new HashSet<>();
    counter
        .restarting()
        .forEach((node, pods) -> {
          if (unchanged(new Place(lease, node), pods.toString(), now).compareTo(ENTRY) > 0) {
            nodes.add(node);
          }
        });
    return nodes;
  }

  /** Whether a lease is to be deleted: it has been empty for long, or never was anybody's. */
  boolean isOver(String lease, RestartCounter counter, long now) {
    Place whole = new Place(lease, "");
    boolean idle = counter.restarting().isEmpty() || counter.workload().isEmpty();
    return unchanged(whole, idle ? "idle" : "busy", now).compareTo(EMPTY) > 0 && idle;
  }
}
