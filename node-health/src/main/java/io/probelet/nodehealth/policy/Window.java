package io.probelet.nodehealth.policy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A recurring time window in which remediations may start (ACT-74).
 *
 * @param duration how long it is open, more than zero, in elapsed time
 */
public record Window(CronSchedule schedule, Duration duration, ZoneId zone) {
  /**
   * Checks whether it is open.
   *
   * @return whether it opened less than its duration ago
   */
  public boolean isOpenAt(Instant now) {
    return schedule.lastAt(now, now.minus(duration), zone).isPresent();
  }

  /**
   * Finds when it opens next.
   *
   * @return the first opening after it; empty if there is none within years
   */
  public Optional<Instant> nextAfter(Instant now) {
    return schedule.nextAfter(now, zone);
  }
}
