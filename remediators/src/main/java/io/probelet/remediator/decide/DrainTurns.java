package io.probelet.remediator.decide;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which pods are next where only some can be at a time: namespaces take turns, and so do the pods
 * of each, so that pods that never go hold up neither another namespace nor the rest of their own
 * (ACT-14).
 */
final class DrainTurns {
  private static final Comparator<PodKey> ORDER =
      Comparator.comparing(PodKey::name).thenComparing(PodKey::uid);

  private DrainTurns() {}

  /**
   * {@return those that are next}
   *
   * @param pods all that wait
   * @param before those that were asked the last time, in that order
   * @param most how many there may be
   * @param elapsed how long the drain has been going on. It chooses where a namespace starts that
   *     was not in the last round: its position is not kept, and its first pod may never go
   */
  static List<PodKey> next(List<PodKey> pods, List<PodKey> before, int most, Duration elapsed) {
    TreeMap<String, List<PodKey>> namespaces = new TreeMap<>();
    for (PodKey pod : pods) {
      namespaces.computeIfAbsent(pod.namespace(), _ -> new ArrayList<>()).add(pod);
    }
    Map<String, PodKey> last = new HashMap<>();
    before.forEach(pod -> last.put(pod.namespace(), pod));
    namespaces.replaceAll((namespace, those) -> {
      those.sort(ORDER);
      PodKey asked = last.get(namespace);
      return asked != null
          ? after(those, asked)
          : from(those, before.isEmpty() ? 0 : place(namespace, those, elapsed));
    });
    List<Iterator<PodKey>> queues = new ArrayList<>();
    if (before.isEmpty()) {
      namespaces.values().forEach(those -> queues.add(those.iterator()));
    } else {
      String namespace = before.getLast().namespace();
      namespaces.tailMap(namespace, false).values().forEach(those -> queues.add(those.iterator()));
      namespaces.headMap(namespace, true).values().forEach(those -> queues.add(those.iterator()));
    }
    return inTurn(queues, most);
  }

  private static List<PodKey> after(List<PodKey> pods, PodKey last) {
    int at = 0;
    while (at < pods.size() && ORDER.compare(pods.get(at), last) <= 0) {
      at++;
    }
    return from(pods, at);
  }

  private static List<PodKey> from(List<PodKey> pods, int at) {
    List<PodKey> turned = new ArrayList<>(pods);
    Collections.rotate(turned, -at);
    return turned;
  }

  /** Any, spread evenly. */
  private static int place(String namespace, List<PodKey> pods, Duration elapsed) {
    long mixed = (elapsed.toMillis() + namespace.hashCode()) * 0x9E3779B97F4A7C15L;
    return (int) Math.floorMod(mixed >>> 32, (long) pods.size());
  }

  private static List<PodKey> inTurn(List<Iterator<PodKey>> queues, int most) {
    List<PodKey> next = new ArrayList<>();
    while (!queues.isEmpty() && next.size() < most) {
      for (Iterator<Iterator<PodKey>> each = queues.iterator();
          each.hasNext() && next.size() < most; ) {
        Iterator<PodKey> queue = each.next();
        next.add(queue.next());
        if (!queue.hasNext()) {
          each.remove();
        }
      }
    }
    return next;
  }
}
