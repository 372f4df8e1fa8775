package io.probelet.kube.delegated;

import io.probelet.health.RecentMap;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A cache of answers with expiry. Expired answers are remembered as such until evicted. Not
 * thread-safe.
 */
final class ExpiringCache<K, V> {
  private final RecentMap<K, Entry<V>> entries;
  private final long holdsNanos;

  private record Entry<V>(V value, long since) {}

  /**
   * Creates an empty cache.
   *
   * @param maxEntries the most it remembers, at least 1
   */
  ExpiringCache(int maxEntries, Duration holds) {
    entries = new RecentMap<>(maxEntries);
    holdsNanos = holds.toNanos();
  }

  /** {@return the answer; null if there is none valid at that time of the monotonic clock} */
  @Nullable V get(K key, long nanos) {
    Entry<V> entry = entries.get(key);
    return entry == null || nanos - entry.since >= holdsNanos ? null : entry.value;
  }

  /** {@return whether there was an answer, possibly expired} */
  boolean remembers(K key) {
    return entries.get(key) != null;
  }

  void put(K key, V value, long nanos) {
    entries.put(key, new Entry<>(value, nanos));
  }

  void remove(K key) {
    entries.remove(key);
  }
}
