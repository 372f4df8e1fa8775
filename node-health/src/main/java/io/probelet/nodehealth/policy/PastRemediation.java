package io.probelet.nodehealth.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A remediation that was begun, as a policy's status remembers it (ACT-79): by its key {@code time
 * node}, so that writing it twice counts it once, and two that are written at once do not exclude
 * each other.
 *
 * @param node the node's name
 * @param kind the remediation's kind
 * @param time when that was decided, to the millisecond
 */
public record PastRemediation(String node, String kind, Instant time) {
  /** Cuts the time to what is written. */
  public PastRemediation {
    time = time.truncatedTo(ChronoUnit.MILLIS);
  }

  /** {@return its key in the status} */
  public String key() {
    return time + " " + node;
  }

  /**
   * Reads an entry of a status.
   *
   * @param key its key
   * @param kind its value
   * @return the entry; empty if the key is none of ours
   */
  public static Optional<PastRemediation> read(String key, String kind) {
    int space = key.indexOf(' ');
    if (space < 0) {
      return Optional.empty();
    }
    try {
      Instant time = Instant.parse(key.substring(0, space));
      return Optional.of(new PastRemediation(key.substring(space + 1), kind, time));
    } catch (DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
