package io.probelet.kube.watch;

import io.probelet.kube.object.BoundedObject.TooLarge;

/**
 * Notified of what happens to objects of one kind, by one thread at a time; must not block.
 *
 * @param <T> what is kept of one
 */
public interface Observer<T> {
  /** There is a new object, or one that has changed. */
  void changed(Item<T> item);

  /**
   * One is gone.
   *
   * @param item as it was last seen
   */
  void gone(Item<T> item);

  /** All that exist have been reported; comes again after each further list. */
  void listed();

  /**
   * Nothing is known of what happens from now on, until it is taken up again.
   *
   * @param why in a line
   */
  default void interrupted(String why) {}

  /**
   * A right to list or to watch is missing; it is asked for again, in longer and longer intervals.
   *
   * @param verb list or watch
   */
  default void refused(String verb) {}

  /** A bookmark has come: all that happened before it has been reported. */
  default void bookmarked() {}

  /**
   * The watch has ended and is taken up again after a wait only: until a list or a bookmark nobody
   * knows whether what was reported is still so. That a connection is gone without a word is found
   * after some minutes.
   */
  default void ended() {}

  /**
   * An object is there that is larger than what is read of one. What was known of it before stays
   * known, as it is not gone.
   */
  default void tooLarge(TooLarge object) {}

  /** The API server does not serve this kind, or not any more. */
  default void unserved() {}
}
