package io.probelet.probe.engine;

/**
 * How much of each probe's past a snapshot holds.
 *
 * @param outcomes how many of the last outcomes, zero or more; at most {@link
 *     ProbeSnapshot#MAX_HISTORY} exist
 * @param day what of the last 24 hours
 * @param statistics whether {@link ProbeSnapshot#statistics} is wanted
 */
public record HistoryQuery(int outcomes, Day day, boolean statistics) {
  /** Neither outcomes nor the day. */
  public static final HistoryQuery NONE = new HistoryQuery(0, Day.NONE);

  /** All that there is. */
  public static final HistoryQuery ALL = new HistoryQuery(ProbeSnapshot.MAX_HISTORY, Day.INTERVALS);

  /** The statistics of days alone. */
  public static final HistoryQuery STATISTICS = new HistoryQuery(0, Day.NONE, true);

  /** How much of {@link ProbePast} is wanted. */
  public enum Day {
    /** {@link ProbeSnapshot#past} is null. */
    NONE,
    /** The uptime, without intervals. */
    UPTIME,
    /** The uptime and up to {@link ProbePast#MAX_INTERVALS} intervals. */
    INTERVALS
  }

  /** Rejects a negative number. */
  public HistoryQuery {
    if (outcomes < 0) {
      throw new IllegalArgumentException("outcomes must be at least 0, found " + outcomes);
    }
  }

  /**
   * Asks for the past without statistics.
   *
   * @param outcomes how many of the last outcomes, zero or more
   * @param day what of the last 24 hours
   */
  public HistoryQuery(int outcomes, Day day) {
    this(outcomes, day, false);
  }

  /**
   * Asks for outcomes alone.
   *
   * @param outcomes how many, zero or more
   * @return the query
   */
  public static HistoryQuery outcomes(int outcomes) {
    return new HistoryQuery(outcomes, Day.NONE);
  }
}
