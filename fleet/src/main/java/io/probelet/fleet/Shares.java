package io.probelet.fleet;

import java.util.HashMap;
import java.util.Map;

/**
 * How much of a kind is kept, by namespace: one that holds too much affects no other. Not safe for
 * use by several threads.
 */
final class Shares {
  private final Limits limits;
  private final Map<String, Integer> weights = new HashMap<>();
  private final Map<String, Used> byNamespace = new HashMap<>();
  private final Used all = new Used();

  /**
   * The most that is kept of a kind.
   *
   * @param ofNamespace the part of both that one namespace may take, as a divisor: 1 for all
   */
  record Limits(int objects, long bytes, int ofNamespace) {
    /** For a kind whose objects are in no namespace, or all in one. */
    static Limits of(int objects, long bytes) {
      return new Limits(objects, bytes, 1);
    }
  }

  /** Which limit is reached. */
  enum Refusal {
    NONE,
    NAMESPACE,
    ALL
  }

  private static final class Used {
    private int objects;
    private long bytes;
  }

  Shares(Limits limits) {
    this.limits = limits;
  }

  /** Takes room for an object, or for what it is now; takes none if there is too little. */
  Refusal put(String namespace, String key, int weight) {
    Used own = byNamespace.computeIfAbsent(namespace, _ -> new Used());
    Integer before = weights.get(key);
    int objects = before == null ? 1 : 0;
    long bytes = weight - (before == null ? 0L : before);
    int part = limits.ofNamespace();
    Refusal refusal =
        exceeds(own, objects, bytes, part)
            ? Refusal.NAMESPACE
            : exceeds(all, objects, bytes, 1) ? Refusal.ALL : Refusal.NONE;
    if (refusal != Refusal.NONE) {
      if (own.objects == 0) {
        byNamespace.remove(namespace);
      }
      return part == 1 ? Refusal.ALL : refusal;
    }
    weights.put(key, weight);
    add(own, objects, bytes);
    add(all, objects, bytes);
    return Refusal.NONE;
  }

  private boolean exceeds(Used used, int objects, long bytes, int part) {
    return (objects > 0 && used.objects + objects > limits.objects() / part)
        || (bytes > 0 && used.bytes + bytes > limits.bytes() / part);
  }

  void remove(String namespace, String key) {
    Integer weight = weights.remove(key);
    Used own = byNamespace.get(namespace);
    if (weight == null || own == null) {
      return;
    }
    add(own, -1, -weight);
    add(all, -1, -weight);
    if (own.objects == 0) {
      byNamespace.remove(namespace);
    }
  }

  void clear() {
    weights.clear();
    byNamespace.clear();
    all.objects = 0;
    all.bytes = 0;
  }

  private static void add(Used used, int objects, long bytes) {
    used.objects += objects;
    used.bytes += bytes;
  }

  /** {@return the limits in words} */
  String text() {
    return text(1);
  }

  /** {@return the limits of one namespace in words} */
  String textOfNamespace() {
    return text(limits.ofNamespace());
  }

  private String text(int part) {
    return "%d objects or %d MiB".formatted(limits.objects() / part, (limits.bytes() / part) >> 20);
  }
}
