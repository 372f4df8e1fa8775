package io.probelet.nodehealth.policy;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads windows and blackouts. */
final class PolicyTimes {
  private static final int MAX_WINDOWS = 32;
  private static final int MAX_BLACKOUTS = 64;
  private static final int DATE_CHARS = 10;
  private static final int LAST_YEAR = 9999;

  private PolicyTimes() {}

  static List<Window> windows(Field list) {
    List<Window> windows = new ArrayList<>();
    for (Fields item : objects(list, MAX_WINDOWS)) {
      Field scheduleField = item.field("schedule");
      if (!scheduleField.isPresent()) {
        scheduleField.required("when it opens, such as 0 22 * * SAT");
      }
      CronSchedule schedule = FieldRules.parsed(scheduleField, CronSchedule::parse);
      Duration duration =
          WindowLength.read(item.field("duration"), "how long it is open, such as 4h");
      ZoneId zone = zone(item.field("timeZone"));
      item.rejectUnknown(Severity.ERROR, "unknown field");
      if (schedule != null && duration != null && zone != null) {
        windows.add(new Window(schedule, duration, zone));
      }
    }
    return windows;
  }

  static List<Blackout> blackouts(Field list) {
    List<Blackout> blackouts = new ArrayList<>();
    for (Fields item : objects(list, MAX_BLACKOUTS)) {
      ZoneId zone = zone(item.field("timeZone"));
      Field toField = item.field("to");
      LocalDateTime from = moment(item.field("from"), false);
      LocalDateTime to = moment(toField, true);
      item.rejectUnknown(Severity.ERROR, "unknown field");
      if (zone == null || from == null || to == null) {
        continue;
      }
      Instant begin = LocalMoments.first(from, zone);
      // of two moments the later, so that the range is rather longer
      Instant end = LocalMoments.last(to, zone);
      if (end.isAfter(begin)) {
        blackouts.add(new Blackout(begin, end));
      } else {
        toField.invalid("must be later than from");
      }
    }
    return blackouts;
  }

  private static List<Fields> objects(Field list, int most) {
    if (list.items().size() > most) {
      list.error(
          "must not have more than %d items, but has %d".formatted(most, list.items().size()));
      return List.of();
    }
    return FieldRules.objects(list);
  }

  /** A date, whose end is the end of the day, or a time of a day. */
  private static @Nullable LocalDateTime moment(Field field, boolean end) {
    String text = FieldRules.requiredText(field, "a day such as 2026-12-24, or 2026-12-24T18:00");
    if (text == null) {
      return null;
    }
    try {
      if (text.length() == DATE_CHARS) {
        return LocalDate.parse(text).plusDays(end ? 1 : 0).atStartOfDay();
      }
      LocalDateTime moment = LocalDateTime.parse(text);
      if (moment.getYear() >= 0 && moment.getYear() <= LAST_YEAR) {
        return moment;
      }
    } catch (DateTimeException malformed) {
      // its error is reported below
    }
    field.invalid("must be a day such as 2026-12-24, or a time such as 2026-12-24T18:00");
    return null;
  }

  /** UTC by default; null if it is invalid. */
  private static @Nullable ZoneId zone(Field field) {
    String name = field.text("");
    if (name.isEmpty()) {
      return field.isPresent() && !field.isText() ? null : ZoneOffset.UTC;
    }
    if (ZoneId.getAvailableZoneIds().contains(name)) {
      return ZoneId.of(name);
    }
    field.invalid("must be a time zone such as UTC or Europe/Berlin");
    return null;
  }
}
