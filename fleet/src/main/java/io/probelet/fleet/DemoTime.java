package io.probelet.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * A moment of the demo. Every quarter of an hour the demo begins again, so that what is "24 minutes
 * old" stays about that old. Within it, one node fails and recovers every five minutes:
 *
 * <pre>
 *  0 s     40 s        100 s           135 s        170 s        225 s     235 s     300 s
 *  |  Ready  | not Ready  | RebootRemediation: Draining, Ordered, Waiting | Done | Ready |
 * </pre>
 *
 * @param began when this quarter of an hour began
 * @param cycle when this turn of the recovering node began
 */
record DemoTime(Instant began, Instant cycle, Instant now) {
  private static final Duration QUARTER = Duration.ofMinutes(15);
  private static final Duration CYCLE = Duration.ofMinutes(5);

  /** Whoever opens the demo sees at once that something is being done. */
  private static final Duration HEAD_START = Duration.ofSeconds(110);

  private static final Pattern AGO = Pattern.compile("@((?:\\d+[dhms])+)");
  private static final Pattern PART = Pattern.compile("(\\d+)([dhms])");

  /**
   * {@return a moment of a demo}
   *
   * @param start when the demo was started
   */
  static DemoTime of(Instant start, Instant now) {
    Instant first = start.minus(HEAD_START);
    return new DemoTime(latest(first, QUARTER, now), latest(first, CYCLE, now), now);
  }

  private static Instant latest(Instant first, Duration every, Instant now) {
    long turns = Math.max(0, Duration.between(first, now).dividedBy(every));
    return first.plus(every.multipliedBy(turns));
  }

  /** {@return how long the turn of the recovering node has lasted} */
  long cycleSeconds() {
    return Duration.between(cycle, now).toSeconds();
  }

  /** {@return whether the turn of the recovering node is within two of its seconds} */
  boolean isWithin(int from, int to) {
    return cycleSeconds() >= from && cycleSeconds() < to;
  }

  /** {@return a text in which each time such as {@code @1h30m} is the moment that long before} */
  String resolve(String text) {
    return AGO.matcher(text).replaceAll(ago -> began.minus(duration(ago.group(1))).toString());
  }

  private static Duration duration(String text) {
    return PART.matcher(text)
        .results()
        .map(part -> {
          long number = Long.parseLong(part.group(1));
          return switch (part.group(2)) {
            case "d" -> Duration.ofDays(number);
            case "h" -> Duration.ofHours(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
          };
        })
        .reduce(Duration.ZERO, Duration::plus);
  }
}
