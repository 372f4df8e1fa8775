package io.probelet.nodehealth.remediation;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A node lease as it is to be written.
 *
 * @param name its name
 * @param holder who holds it
 * @param nodeUid the node's unique identifier, for the owner reference
 * @param acquireTime since when
 * @param renewTime now
 * @param duration for how long
 * @param transitions how often it changed hands
 * @param replaces the version it replaces; null if there must be none yet
 */
public record LeaseClaim(
    String name,
    String holder,
    String nodeUid,
    Instant acquireTime,
    Instant renewTime,
    Duration duration,
    int transitions,
    @Nullable String replaces) {
  Instant expiry() {
    return renewTime.plus(duration);
  }
}
