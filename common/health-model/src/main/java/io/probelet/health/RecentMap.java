package io.probelet.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map with a size limit that drops the entry put longest ago. Not thread-safe.
 *
 * @param <K> the keys
 * @param <V> the values
 */
public final class RecentMap<K, V> {
  private final int maxEntries;
  private final SequencedMap<K, V> entries = new LinkedHashMap<>();

  /**
   * Creates an empty map.
   *
   * @param maxEntries the most entries, at least 1
   */
  public RecentMap(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  /**
   * {@return the value of a key; null if unknown or dropped}
   *
   * @param key any
   */
  public @Nullable V get(K key) {
    return entries.get(key);
  }

  /**
   * Puts a value, which makes it the newest.
   *
   * @param key any
   * @param value its value
   * @return the value before; null if there was none
   */
  public @Nullable V put(K key, V value) {
    V before = entries.putLast(key, value);
    if (entries.size() > maxEntries) {
      entries.pollFirstEntry();
    }
    return before;
  }

  /**
   * Removes an entry, if there is one.
   *
   * @param key any
   */
  public void remove(K key) {
    entries.remove(key);
  }

  /**
   * Removes entries.
   *
   * @param which keys
   * @return whether there were any
   */
  public boolean removeIf(Predicate<K> which) {
    return entries.keySet().removeIf(which);
  }

  /** {@return a copy of all entries, oldest first} */
  public Map<K, V> copy() {
    return new LinkedHashMap<>(entries);
  }
}
