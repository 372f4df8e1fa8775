package io.probelet.health;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A map that forgets what was put longest ago when there would be too much in it. Not safe for use
 * by several threads.
 *
 * @param <K> a key
 * @param <V> what is known of it
 */
public final class RecentMap<K, V> {
  private final int maxEntries;
  private final SequencedMap<K, V> entries = new LinkedHashMap<>();

  /**
   * Creates an empty map.
   *
   * @param maxEntries the most it remembers, at least 1
   */
  public RecentMap(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  /**
   * {@return the value of a key; null if it is unknown or forgotten}
   *
   * @param key any
   */
  public @Nullable V get(K key) {
    return entries.get(key);
  }

  /**
   * Puts a value, which makes it the last to be forgotten.
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

  /** {@return a copy of all entries, what would be forgotten first before the others} */
  public Map<K, V> copy() {
    return new LinkedHashMap<>(entries);
  }
}
