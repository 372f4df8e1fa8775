package io.probelet.fleet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Who leads a part of the work for the cluster.
 *
 * @param lease the lease's name, such as probelet-remediation
 * @param holder who holds it, the name of its pod as a rule; empty if nobody does
 * @param renewed when it was renewed last; null if never
 * @param leading whether it was renewed in time
 */
public record FleetLeader(String lease, String holder, @Nullable Instant renewed, boolean leading) {
  /** {@return the same without the time, which runs by itself} */
  FleetLeader withoutTime() {
    return new FleetLeader(lease, holder, null, leading);
  }
}
