package io.probelet.nodehealth.simulation;

import io.probelet.nodehealth.remediation.HoldReason;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The intervals in which nodes were held back, found by comparing each plan with the previous one.
 */
final class HoldIntervals {
  private final Map<Key, Hold> open = new TreeMap<>(Key.ORDER);
  private final List<Hold> over = new ArrayList<>();

  private record Key(String check, String node) {
    static final Comparator<Key> ORDER = Comparator.comparing(Key::check).thenComparing(Key::node);
  }

  /** Applies the holds of a NodeHealthCheck's last plan, by node; an empty name means all nodes. */
  void observe(
      String check,
      Map<String, HoldReason> holds,
      Function<HoldReason, String> text,
      Duration now) {
    for (Key key : List.copyOf(open.keySet())) {
      if (key.check().equals(check) && !holds.containsKey(key.node())) {
        end(key, now);
      }
    }
    holds.forEach((node, reason) -> {
      Key key = new Key(check, node);
      Hold old = open.get(key);
      if (old == null || !old.reason().equals(reason.label())) {
        end(key, now);
        open.put(key, new Hold(node, reason.label(), text.apply(reason), now, now));
      }
    });
  }

  List<Hold> finish(Duration now) {
    List.copyOf(open.keySet()).forEach(key -> end(key, now));
    over.sort(
        Comparator.comparing(Hold::from).thenComparing(Hold::node).thenComparing(Hold::reason));
    return over;
  }

  private void end(Key key, Duration now) {
    Hold hold = open.remove(key);
    if (hold != null && now.compareTo(hold.from()) > 0) { // intervals without duration are dropped
      over.add(new Hold(hold.node(), hold.reason(), hold.text(), hold.from(), now));
    }
  }
}
