package io.probelet.simulation.node;

import java.util.List;
import org.jspecify.annotations.Nullable;

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

  /** {@return the behavior at a moment, by the last of the spells that covers it; null if none} */
  static @Nullable Behavior behavior(List<Spell> spells, long at) {
    for (int each = spells.size() - 1; each >= 0; each--) {
      if (spells.get(each).covers(at)) {
        return spells.get(each).behavior();
      }
    }
    return null;
  }

  /** {@return how many nanoseconds of an interval lie in it} */
  long within(long begin, long end) {
    return Math.max(0, Math.min(end, until) - Math.max(begin, from));
  }
}
