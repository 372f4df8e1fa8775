package io.probelet.nodehealth.policy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.Optional;

/**
 * A started remediation in a policy's status (ACT-79). Its key is {@code time node}, so that
 * writing it twice counts once, and concurrent writes do not conflict.
 *
 * @param time time of the decision, to the millisecond
 */
public record PastRemediation(String node, String kind, Instant time) {
  /** By time, then by node. */
  static final Comparator<PastRemediation> OLDEST_FIRST =
      Comparator.comparing(PastRemediation::time).thenComparing(PastRemediation::node);

  /** Later years have more digits than the format; an hour after the maximum there is no moment. */
  private static final Instant END = Instant.parse("+10000-01-01T00:00:00Z");

  /** Truncates the time to the stored precision. */
  public PastRemediation {
    time = time.truncatedTo(ChronoUnit.MILLIS);
  }

  /** {@return its key in the status} */
  public String key() {
    return time + " " + node;
  }

  /**
   * Parses an entry of a status. Equal names are one string: many entries have few nodes, which are
   * read again with each change.
   *
   * @return the entry; empty if the key is not ours
   */
  public static Optional<PastRemediation> read(String key, String kind) {
    String[] timeAndNode = key.split(" ", 2);
    if (timeAndNode.length != 2) {
      return Optional.empty();
    }
    try {
      Instant time = Instant.parse(timeAndNode[0]);
      return time.isBefore(END)
          ? Optional.of(new PastRemediation(timeAndNode[1].intern(), kind.intern(), time))
          : Optional.empty();
    } catch (DateTimeException notOurs) {
      return Optional.empty();
    }
  }
}
