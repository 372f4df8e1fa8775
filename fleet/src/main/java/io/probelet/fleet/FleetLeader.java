package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.WireTime;
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
  /** The clock of the operator's machine may be that much ahead of the cluster's. */
  private static final int LATE_SECONDS = 15;

  /**
   * Reads a lease.
   *
   * @param name the lease's
   */
  static FleetLeader of(String name, JsonNode lease, Instant now) {
    Instant renewed = WireTime.read(lease.at("/spec/renewTime"));
    String holder = FleetText.of(lease.at("/spec/holderIdentity"), FleetText.NAME);
    long seconds = lease.at("/spec/leaseDurationSeconds").asLong(0);
    boolean inTime = renewed != null && !renewed.plusSeconds(seconds + LATE_SECONDS).isBefore(now);
    return new FleetLeader(name, holder, renewed, !holder.isEmpty() && inTime);
  }

  /** {@return the same without the time, which runs by itself} */
  FleetLeader withoutTime() {
    return new FleetLeader(lease, holder, null, leading);
  }
}
