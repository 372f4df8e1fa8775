package io.probelet.simulation.node;

/**
 * A time in which a container behaves in one way.
 *
 * @param from when it begins, in the world's nanoseconds
 * @param until when it ends; {@link Long#MAX_VALUE} for never
 */
public record Spell(long from, long until, Behavior behavior) {
  /** Rejects a spell that ends before it begins. */
  public Spell {
    if (until < from) {
      throw new IllegalArgumentException("a spell from %d until %d".formatted(from, until));
    }
  }

  /** {@return whether a moment lies in it} */
  boolean covers(long at) {
    return from <= at && at < until;
  }

  /** {@return how many nanoseconds of an interval lie in it} */
  long within(long begin, long end) {
    return Math.max(0, Math.min(end, until) - Math.max(begin, from));
  }
}
