package io.probelet.fleet;

import io.probelet.kube.object.ObjectLimits;
import io.probelet.nodehealth.maintenance.MaintenanceBook;

/** The most that is kept of a cluster: together it fits into the heap of 1 GiB of such commands. */
final class FleetLimits {
  /** A node with 60 labels and 15 conditions weighs 15 KB, and takes less as texts are shared. */
  static final Shares.Limits NODES = Shares.Limits.of(50_000, 768L << 20);

  static final Shares.Limits CHECKS = Shares.Limits.of(500, 128L << 20);
  static final Shares.Limits POLICIES = Shares.Limits.of(500, 64L << 20);
  static final Shares.Limits MAINTENANCES =
      Shares.Limits.of(MaintenanceBook.MAX_OBJECTS, 32L << 20);
  static final Shares.Limits CLUSTER_HEALTH = Shares.Limits.of(500, 16L << 20);
  static final Shares.Limits LEASES = Shares.Limits.of(5_000, 16L << 20);
  static final Shares.Limits EVENTS = Shares.Limits.of(5_000, 32L << 20);

  /** Of each kind; one namespace may take half. A remediation weighs 8 KB. */
  static final Shares.Limits REMEDIATIONS = new Shares.Limits(10_000, 32L << 20, 2);

  /** For one Event or Lease, of which a few short texts are read. */
  static final ObjectLimits SMALL = new ObjectLimits(500, 64 << 10);

  /** For one remediation. */
  static final ObjectLimits REMEDIATION = new ObjectLimits(5_000, 400_000);

  private FleetLimits() {}
}
