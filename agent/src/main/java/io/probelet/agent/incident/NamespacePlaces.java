package io.probelet.agent.incident;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/**
 * A limited number of places, of which each namespace has a share: no tenant takes those of all
 * others. Safe for use by several threads.
 */
final class NamespacePlaces {
  private final Semaphore places;
  private final int share;
  private final Map<String, Integer> taken = new ConcurrentHashMap<>();

  NamespacePlaces(int most, int share) {
    places = new Semaphore(most);
    this.share = share;
  }

  /** {@return whether there was a place; it is to be released} */
  boolean take(String namespace) {
    if (!places.tryAcquire()) {
      return false;
    }
    if (taken.merge(namespace, 1, Integer::sum) > share) {
      release(namespace);
      return false;
    }
    return true;
  }

  void release(String namespace) {
    taken.computeIfPresent(namespace, (_, used) -> used == 1 ? null : used - 1);
    places.release();
  }
}
