package io.probelet.runtime.confine;

import java.util.HashSet;
import java.util.Set;

/**
 * What {@code securityContext.capabilities} asks for. As in Kubernetes, a capability both added and
 * dropped is dropped, and one added after {@code drop: [ALL]} is kept.
 *
 * @param addAll whether all that can be had are asked for
 * @param add those asked for one by one
 * @param dropAll whether none is kept but those added one by one
 * @param drop those not to be kept
 */
public record CapabilityChange(
    boolean addAll, Set<Capability> add, boolean dropAll, Set<Capability> drop) {
  /** Leaves everything as it is. */
  public static final CapabilityChange NONE =
      new CapabilityChange(false, Set.of(), false, Set.of());

  /** Keeps unmodifiable copies of the sets. */
  public CapabilityChange {
    add = Set.copyOf(add);
    drop = Set.copyOf(drop);
  }

  /** {@return whether some are taken away} */
  public boolean drops() {
    return dropAll || !drop.isEmpty();
  }

  /** What is left of a set. */
  Set<Capability> of(Set<Capability> had) {
    Set<Capability> kept = new HashSet<>(dropAll ? Set.of() : had);
    kept.addAll(add);
    kept.removeAll(drop);
    return kept;
  }
}
