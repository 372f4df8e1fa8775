package io.probelet.fleet.ui.simulate;

import io.probelet.health.GoDuration;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.page.PageQuery;
import java.time.Duration;
import java.util.List;

/**
 * What the form asks, in the page's address.
 *
 * @param play what is played: {@link #NOW}, {@link #TAPE}, or empty if nobody has chosen
 * @param check the NodeHealthCheck's name; empty for the first
 * @param down which nodes go down: a node's name, or a label as {@code key=value}; empty for none
 * @param minHealthy another minHealthy; empty to leave it
 * @param duration another duration of all unhealthy conditions; empty to leave it
 * @param order the steps' numbers in another order; empty to leave it
 * @param healer the kind of remediation that heals nodes; empty for the first step's
 */
record Question(
    String play,
    String check,
    String down,
    String minHealthy,
    String duration,
    String order,
    String healer,
    Duration heals,
    Duration until) {
  /** The longest time to play: what comes later is more of the same. */
  static final Duration MAX_UNTIL = Duration.ofHours(6);

  /** No kind of remediation has this name. */
  static final String NOTHING = "-";

  /** What goes down now is played. */
  static final String NOW = "now";

  /** The tape is played. */
  static final String TAPE = "tape";

  private static final Duration LEAST = Duration.ofSeconds(1);

  static Question of(PageQuery query) throws BadRequest {
    String play = text(query, "play");
    if (!List.of("", NOW, TAPE).contains(play)) {
      throw new BadRequest("play must be %s or %s".formatted(NOW, TAPE));
    }
    return new Question(
        play,
        text(query, "check"),
        text(query, "down"),
        text(query, "minHealthy"),
        text(query, "duration"),
        text(query, "order"),
        text(query, "healer"),
        time(query, "heals", Duration.ofMinutes(5)),
        time(query, "until", Duration.ofHours(1)));
  }

  boolean changes() {
    return !(minHealthy.isEmpty() && duration.isEmpty() && order.isEmpty());
  }

  private static String text(PageQuery query, String name) throws BadRequest {
    return query.text(name).strip();
  }

  private static Duration time(PageQuery query, String name, Duration usual) throws BadRequest {
    String text = text(query, name);
    if (text.isEmpty()) {
      return usual;
    }
    Duration time;
    try {
      time = GoDuration.parse(text);
    } catch (IllegalArgumentException e) {
      throw new BadRequest(name + " must be a time such as 90s or 1h30m");
    }
    if (time.compareTo(LEAST) < 0 || time.compareTo(MAX_UNTIL) > 0) {
      throw new BadRequest(
          "%s must be from 1s to %s, found %s"
              .formatted(name, GoDuration.format(MAX_UNTIL), GoDuration.format(time)));
    }
    return time;
  }
}
