package io.probelet.web.page;

import io.probelet.web.api.Rfc3339;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Times as a reader needs them: how long ago, or in how long; the script keeps them up to date. */
public final class Ago {
  private Ago() {}

  /**
   * Shows when something was or will be.
   *
   * @return one element
   */
  public static Html of(Instant time, Instant now) {
    String exact = Rfc3339.text(time);
    return new Html()
        .element("time", text(time, now), "class", "ago", "datetime", exact, "title", exact);
  }

  /**
   * Shows when something was or will be.
   *
   * @param time RFC 3339, as the API has it; anything else is shown as it is
   * @return one element
   */
  public static Html of(String time, Instant now) {
    try {
      return of(Rfc3339.read(time), now);
    } catch (DateTimeException another) {
      return new Html().element("span", time.substring(0, Math.min(40, time.length())));
    }
  }

  /**
   * Shows when a recurring event comes next.
   *
   * @param time RFC 3339, as the API has it; anything else is shown as it is
   * @return one element: {@code in 7s}, or {@code now} if it is overdue
   */
  public static Html next(String time, Instant now) {
    try {
      Instant at = Rfc3339.read(time);
      String exact = Rfc3339.text(at);
      return new Html()
          .element(
              "time",
              at.isAfter(now) ? text(at, now) : "now",
              "class",
              "ago next",
              "datetime",
              exact,
              "title",
              exact);
    } catch (DateTimeException another) {
      return of(time, now);
    }
  }

  /** {@return the same as text: {@code 4m12s ago}, or {@code in 7s} of what is still to come} */
  public static String text(Instant time, Instant now) {
    Duration ago = Duration.between(time, now);
    return ago.isNegative() ? "in " + length(ago.negated()) : length(ago) + " ago";
  }

  /**
   * {@return a duration by its two largest units: {@code 12s}, {@code 4m12s}, {@code 3h5m}, {@code
   * 2d3h}}
   *
   * @param length not negative
   */
  public static String length(Duration length) {
    if (length.toDays() > 0) {
      return length.toDays() + "d" + length.toHoursPart() + "h";
    }
    if (length.toHours() > 0) {
      return length.toHours() + "h" + length.toMinutesPart() + "m";
    }
    return length.toMinutes() > 0
        ? length.toMinutes() + "m" + length.toSecondsPart() + "s"
        : length.toSeconds() + "s";
  }
}
