package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/** What clocks show, as moments, where clocks are put forward or back (ACT-74). */
final class LocalMoments {
  private LocalMoments() {}

  /**
   * The moment at which clocks show a time: the first of two, and for a time that they skip the
   * moment at which they skip it.
   */
  static Instant first(LocalDateTime time, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    List<ZoneOffset> offsets = rules.getValidOffsets(time);
    if (offsets.isEmpty()) {
      ZoneOffsetTransition skip = rules.getTransition(time);
      return skip.getInstant();
    }
    return time.toInstant(offsets.getFirst());
  }

  /** The last moment at which clocks show a time; for a time that they skip as {@link #first}. */
  static Instant last(LocalDateTime time, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    return offsets.isEmpty() ? first(time, zone) : time.toInstant(offsets.getLast());
  }
}
