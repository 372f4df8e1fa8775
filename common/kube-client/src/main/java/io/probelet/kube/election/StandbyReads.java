package io.probelet.kube.election;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Decides when a standby reads the lease, so that up to 3,000 standbys together read it 50 to 100
 * times a second; with more, each starts a pair of reads about every 75 s (StandbyReadsTest).
 *
 * <pre>
 * few:   |-2 s-|-2 s-|-2 s-| …                  each reads all the time
 * many:  |---- lease ----|------- rest -------|---- lease ----|------- rest -------| …
 *        a pair of reads, between which a leader that is alive renews
 * </pre>
 *
 * <p>Detecting a lost leader requires two reads one lease duration apart. Among many standbys one
 * starts such a pair every 20 ms, so detection is as fast as with continuous reads.
 */
final class StandbyReads {
  private static final Duration APART = Duration.ofMillis(20);

  /** There may be far fewer candidates than nodes. */
  private static final Duration LONGEST_REST = Duration.ofMinutes(1);

  private final Duration retry;
  private final DoubleSupplier chance;
  private Duration rest;
  private boolean between;

  /**
   * Starts as with few standbys.
   *
   * @param retry the minimum time between two reads
   * @param chance from 0 to 1; spreads standbys that started together
   */
  StandbyReads(Duration retry, DoubleSupplier chance) {
    this.retry = retry;
    this.chance = chance;
    this.rest = retry;
  }

  /** Sets the estimated number of candidates; from 1. */
  void among(long candidates) {
    Duration fair = APART.multipliedBy(Math.min(candidates, LONGEST_REST.dividedBy(APART)));
    rest = fair.compareTo(retry) > 0 ? fair : retry;
  }

  /**
   * Decides when to read again.
   *
   * @param left how much longer the lease must stay unchanged until it may be acquired
   * @param lease the total of that time
   */
  Duration next(Duration left, Duration lease) {
    if (left.compareTo(lease) < 0) { // unchanged since the last read
      return shorter(left, spread(shorter(rest, lease)));
    }
    if (rest.compareTo(lease) < 0) {
      return spread(rest);
    }
    between = !between;
    return between ? lease : spread(rest);
  }

  /** The wait after a failed read. */
  Duration afterTrouble() {
    return spread(rest);
  }

  private Duration spread(Duration about) {
    return about.multipliedBy(75 + Math.round(50 * chance.getAsDouble())).dividedBy(100);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
