package io.probelet.web.incident;

import io.probelet.web.api.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Finds how an incident repeats earlier ones of its container. */
final class IncidentPattern {
  /** Two intervals make a rhythm. */
  private static final int RHYTHM = 3;

  /** How far an interval may be from their mean, as a part of it. */
  private static final double TOLERANCE = 0.25;

  private IncidentPattern() {}

  /**
   * {@return how the newest repeats; empty if it is the first of its kind}
   *
   * @param incidents of one container, oldest first, the judged one last
   */
  static String of(List<Incident> incidents) {
    Incident newest = incidents.getLast();
    List<Incident> same = incidents.stream().filter(each -> each.kind() == newest.kind()).toList();
    if (same.size() < 2) {
      return "";
    }
    Instant first = Rfc3339.readOrEpoch(same.getFirst().time());
    Duration span = Duration.between(first, Rfc3339.readOrEpoch(newest.time()));
    String since =
        !newest.image().isEmpty()
                && incidents.stream()
                    .anyMatch(each -> !Objects.equals(each.image(), newest.image()))
                && same.stream().allMatch(each -> each.image().equals(newest.image()))
            ? ", all since its image changed"
            : "";
    return "%d times in %s%s%s".formatted(same.size(), text(span), rhythm(same), since);
  }

  private static String rhythm(List<Incident> same) {
    if (same.size() < RHYTHM) {
      return "";
    }
    long[] gaps = new long[same.size() - 1];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] =
          Duration.between(
                  Rfc3339.readOrEpoch(same.get(i).time()),
                  Rfc3339.readOrEpoch(same.get(i + 1).time()))
              .toMillis();
    }
    double mean = Arrays.stream(gaps).average().orElse(0);
    boolean steady =
        mean >= 1000
            && Arrays.stream(gaps).allMatch(gap -> Math.abs(gap - mean) <= mean * TOLERANCE);
    return steady ? ", about every " + text(Duration.ofMillis(Math.round(mean))) : "";
  }

  /** {@return a duration in its largest fitting unit} */
  static String text(Duration span) {
    if (span.compareTo(Duration.ofMinutes(2)) < 0) {
      return Math.max(1, span.toSeconds()) + " s";
    }
    if (span.compareTo(Duration.ofHours(2)) < 0) {
      return span.toMinutes() + " min";
    }
    return span.compareTo(Duration.ofDays(2)) < 0 ? span.toHours() + " h" : span.toDays() + " d";
  }
}
