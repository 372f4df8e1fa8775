package io.probelet.runtime.confine;

import java.util.HashSet;
import java.util.Set;

/**
 * The changes in {@code securityContext.capabilities}. As in Kubernetes, a capability both added
 * and dropped is dropped, and one added with {@code drop: [ALL]} is kept.
 *
 * @param addAll whether to add all available capabilities
 * @param add the capabilities to add
 * @param dropAll whether to drop all capabilities that are not added
 * @param drop the capabilities to drop
 */
public record CapabilityChange(
    boolean addAll, Set<Capability> add, boolean dropAll, Set<Capability> drop) {
  /** Changes nothing. */
  public static final CapabilityChange NONE =
      new CapabilityChange(false, Set.of(), false, Set.of());

  /** Keeps unmodifiable copies of the sets. */
  public CapabilityChange {
    add = Set.copyOf(add);
    drop = Set.copyOf(drop);
  }

  /** {@return whether it drops any} */
  public boolean drops() {
    return dropAll || !drop.isEmpty();
  }

  /** Returns the rest of a set after the drops. */
  Set<Capability> of(Set<Capability> had) {
    Set<Capability> kept = new HashSet<>(dropAll ? Set.of() : had);
    kept.addAll(add);
    kept.removeAll(drop);
    return kept;
  }
}
