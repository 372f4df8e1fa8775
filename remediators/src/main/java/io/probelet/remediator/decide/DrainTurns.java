package io.probelet.remediator.decide;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
   */
  static List<PodKey> next(List<PodKey> pods, List<PodKey> before, int most) {
    TreeMap<String, List<PodKey>> namespaces = new TreeMap<>();
    for (PodKey pod : pods) {
      namespaces.computeIfAbsent(pod.namespace(), _ -> new ArrayList<>()).add(pod);
    }
    Map<String, PodKey> last = new HashMap<>();
    before.forEach(pod -> last.put(pod.namespace(), pod));
    namespaces.replaceAll((namespace, those) -> turned(those, last.get(namespace)));
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

  private static List<PodKey> turned(List<PodKey> pods, @Nullable PodKey last) {
    pods.sort(ORDER);
    if (last == null) {
      return pods;
    }
    List<PodKey> turned = new ArrayList<>();
    pods.stream().filter(pod -> ORDER.compare(pod, last) > 0).forEach(turned::add);
    pods.stream().filter(pod -> ORDER.compare(pod, last) <= 0).forEach(turned::add);
    return turned;
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
