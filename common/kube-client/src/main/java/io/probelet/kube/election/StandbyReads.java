package io.probelet.kube.election;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * When a standby reads the lease, so that all of them together read it 50 to 100 times a second
 * until there are 3,000 of them; above that each begins a pair every 75 s or so (StandbyReadsTest).
 *
 * <pre>
 * few:   |-2 s-|-2 s-|-2 s-| …                  each reads all the time
 * many:  |---- lease ----|------- rest -------|---- lease ----|------- rest -------| …
 *        a pair of reads, between which a leader that is alive renews
 * </pre>
 *
 * <p>To know that a leader is gone takes two reads a lease apart. Of many standbys one begins such
 * a pair every 20 ms, so it is noticed as soon as by one that reads all the time.
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
   * Begins as if there were few.
   *
   * @param retry the least time between two reads
   * @param chance from 0 to 1; spreads standbys that began together
   */
  StandbyReads(Duration retry, DoubleSupplier chance) {
    this.retry = retry;
    this.chance = chance;
    this.rest = retry;
  }

  /** Takes how many may be standing; from 1. */
  void among(long candidates) {
    Duration fair = APART.multipliedBy(Math.min(candidates, LONGEST_REST.dividedBy(APART)));
    rest = fair.compareTo(retry) > 0 ? fair : retry;
  }

  /**
   * Decides when to read again.
   *
   * @param left how long the lease has to stand still from now until it may be taken
   * @param lease how long it has to in all
   */
  Duration next(Duration left, Duration lease) {
    if (left.compareTo(lease) < 0) { // it has not changed since the last read
      return shorter(left, spread(shorter(rest, lease)));
    }
    if (rest.compareTo(lease) < 0) {
      return spread(rest);
    }
    between = !between;
    return between ? lease : spread(rest);
  }

  /** After a read that failed. */
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
