package io.probelet.kube.watch;

import io.probelet.kube.object.BoundedObject.TooLarge;

/**
 * Notified of changes of objects of one kind, by one thread at a time; must not block.
 *
 * @param <T> what is kept of one
 */
public interface Observer<T> {
  /** An object was added or changed. */
  void changed(Item<T> item);

  /**
   * An object was deleted.
   *
   * @param item its last known state
   */
  void gone(Item<T> item);

  /** All existing objects have been reported; repeated after each further list. */
  void listed();

  /**
   * The watch is interrupted: changes are unknown until it is resumed.
   *
   * @param why the cause in one line
   */
  default void interrupted(String why) {}

  /**
   * Permission to list or to watch is missing; retried with increasing intervals.
   *
   * @param verb list or watch
   */
  default void refused(String verb) {}

  /** A bookmark was received: all earlier changes have been reported. */
  default void bookmarked() {}

  /**
   * The watch has ended and is resumed after a wait: until the next list or bookmark, reported
   * state may be stale. A silently lost connection is detected after some minutes.
   */
  default void ended() {}

  /** An object exceeds the limits. Its last known state remains, as it is not gone. */
  default void tooLarge(TooLarge object) {}

  /** The API server does not serve this kind (any more). */
  default void unserved() {}
}
