package io.probelet.nodehealth.remediation;

import java.util.Set;

/**
 * What only some clusters know about themselves; all of it is absent outside OpenShift.
 *
 * @param conflictingHealthCheck whether a MachineHealthCheck does our work
 * @param upgrading whether the cluster is being upgraded
 * @param etcdGuarded the control-plane nodes whose loss would cost etcd its quorum
 */
public record Platform(boolean conflictingHealthCheck, boolean upgrading, Set<String> etcdGuarded) {
  /** A cluster that knows none of this. */
  public static final Platform PLAIN = new Platform(false, false, Set.of());

  /** Keeps an unmodifiable copy of the set. */
  public Platform {
    etcdGuarded = Set.copyOf(etcdGuarded);
  }
}
