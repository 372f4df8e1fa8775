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
 * @param time when that was decided, to the millisecond
 */
public record PastRemediation(String node, String kind, Instant time) {
  /** Later years have more digits than we write; an hour after the last moment there is none. */
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

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
   * @return the entry; empty if the key is none of ours
   */
  public static Optional<PastRemediation> read(String key, String kind) {
    String[] timeAndNode = key.split(" ", 2);
    if (timeAndNode.length != 2) {
      return Optional.empty();
    }
    try {
      Instant time = Instant.parse(timeAndNode[0]);
      return time.isBefore(END)
          ? Optional.of(new PastRemediation(timeAndNode[1], kind, time))
          : Optional.empty();
    } catch (DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
