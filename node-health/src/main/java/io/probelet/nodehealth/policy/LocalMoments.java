package io.probelet.nodehealth.policy;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;

/** Converts local times to moments, including clock changes (ACT-74). */
final class LocalMoments {
  private LocalMoments() {}

  /** The first moment with a local time; for a skipped time the moment of the clock change. */
  static Instant first(LocalDateTime time, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    List<ZoneOffset> offsets = rules.getValidOffsets(time);
    if (offsets.isEmpty()) {
      ZoneOffsetTransition skip = rules.getTransition(time);
      return skip.getInstant();
    }
    return time.toInstant(offsets.getFirst());
  }

  /** The last moment with a local time; for a skipped time as {@link #first}. */
  static Instant last(LocalDateTime time, ZoneId zone) {
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
    return offsets.isEmpty() ? first(time, zone) : time.toInstant(offsets.getLast());
  }
}
