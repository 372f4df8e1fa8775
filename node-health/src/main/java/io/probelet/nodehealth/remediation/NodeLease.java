package io.probelet.nodehealth.remediation;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The lease of the client that works on a node.
 *
 * @param holder the holder; empty if none
 * @param renewTime last renewal
 * @param transitions number of holder changes
 * @param resourceVersion the version that a change must name
 */
public record NodeLease(
    String name,
    String holder,
    Instant acquireTime,
    Instant renewTime,
    Duration duration,
    int transitions,
    String resourceVersion) {
  private static final String PREFIX = "node-";

  /** Returns the name of a node's lease. */
  public static String nameFor(String node) {
    return (PREFIX + node).toLowerCase(Locale.ROOT);
  }

  /** Names the holder. */
  public static String holderFor(String nodeHealthCheck) {
    return "NodeHealthCheck-" + nodeHealthCheck;
  }

  /** {@return the node's name; names of nodes are lower case} */
  public String node() {
    return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
  }

  Instant expiry() {
    return renewTime.plus(duration);
  }

  boolean isValidAt(Instant now) {
    return !renewTime.isAfter(now) && !expiry().isBefore(now);
  }

  /**
   * A node lease to be written.
   *
   * @param nodeUid the node's unique identifier, for the owner reference
   * @param transitions number of holder changes
   * @param replaces the version that it replaces; null if it must not exist yet
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
}
