package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.rehearsal.RehearsalTotals.Held;
import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.remediation.Plan;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Counts how long each reason held nodes back, by comparing each plan with the previous one. */
final class Holds {
  private final Map<Key, Since> open = new HashMap<>();
  private final Map<String, Held> sums = new TreeMap<>();
  private final Map<String, Map<String, HoldReason>> last = new HashMap<>();

  private record Key(String check, String node) {}

  private record Since(String label, Instant from) {}

  /** Applies the holds of a NodeHealthCheck's last plan; null after its deletion. */
  void observe(String check, @Nullable Plan plan, Instant now) {
    Map<String, HoldReason> holds = plan == null ? Map.of() : plan.memory().nodes();
    Map<String, HoldReason> before = last.put(check, holds);
    if (before == null) {
      before = Map.of();
    }
    if (before.equals(holds)) {
      return;
    }
    for (String node : before.keySet()) {
      if (!holds.containsKey(node)) {
        end(new Key(check, node), now);
      }
    }
    holds.forEach((node, reason) -> {
      Key key = new Key(check, node);
      Since since = open.get(key);
      if (since == null || !since.label().equals(reason.label())) {
        end(key, now);
        open.put(key, new Since(reason.label(), now));
      }
    });
  }

  Map<String, Held> finish(Instant now) {
    for (Key key : Map.copyOf(open).keySet()) {
      end(key, now);
    }
    return sums;
  }

  private void end(Key key, Instant now) {
    Since since = open.remove(key);
    if (since != null) {
      Held one = new Held(1, Duration.between(since.from(), now));
      sums.merge(
          since.label(),
          one,
          (sum, more) -> new Held(sum.times() + more.times(), sum.time().plus(more.time())));
    }
  }
}
