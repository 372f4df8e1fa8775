package io.probelet.web.page;

import java.util.OptionalDouble;

/**
 * Latencies as a small line, the newest at the right, with the timeout as a line of its own.
 * Heights are logarithmic: a probe of 2 ms with a timeout of 1 s would else be flat until it fails.
 */
public final class Sparkline {
  private static final int POINTS = 60;
  private static final int STEP = 2;
  private static final int WIDTH = POINTS * STEP;
  private static final int HEIGHT = 24;
  private static final int MARGIN = 2;

  /** The bottom of the graph, in milliseconds. */
  private static final double LOWEST = 0.1;

  private Sparkline() {}

  /**
   * Draws latencies.
   *
   * @param latencies in milliseconds, oldest first; the newest 60 are drawn
   * @param timeout in milliseconds; empty if it is not known
   * @return one element
   */
  public static Html of(double[] latencies, OptionalDouble timeout) {
    int from = Math.max(0, latencies.length - POINTS);
    double highest = Math.max(10 * LOWEST, bounded(timeout.orElse(0)));
    for (int i = from; i < latencies.length; i++) {
      highest = Math.max(highest, bounded(latencies[i]));
    }
    Html picture =
        new Html()
            .open(
                "svg",
                "class",
                "spark",
                "viewBox",
                "0 0 " + WIDTH + " " + HEIGHT,
                "width",
                String.valueOf(WIDTH),
                "height",
                String.valueOf(HEIGHT),
                "role",
                "img",
                "aria-label",
                summary(latencies, from, timeout));
    if (timeout.isPresent()) {
      picture.empty(
          "path",
          "class",
          "limit",
          "d",
          "M0 " + y(bounded(timeout.getAsDouble()), highest) + "h" + WIDTH);
    }
    if (latencies.length > 0) {
      picture.empty("path", "d", line(latencies, from, highest));
    }
    return picture.close("svg");
  }

  /** Equal neighbours are one stroke: most lines are short then. */
  private static String line(double[] latencies, int from, double highest) {
    int y = y(bounded(latencies[from]), highest);
    StringBuilder path =
        new StringBuilder("M" + (WIDTH - STEP * (latencies.length - from)) + " " + y);
    int level = 0;
    for (int i = from; i < latencies.length; i++) {
      int next = y(bounded(latencies[i]), highest);
      if (next != y) {
        path.append('h').append(level).append('v').append(next - y);
        level = 0;
        y = next;
      }
      level += STEP;
    }
    return path.append('h').append(level).toString();
  }

  private static int y(double latency, double highest) {
    if (latency <= LOWEST) {
      return HEIGHT - MARGIN;
    }
    double share = Math.log(latency / LOWEST) / Math.log(highest / LOWEST);
    return (int) Math.round(HEIGHT - MARGIN - share * (HEIGHT - 2 * MARGIN));
  }

  /** An agent may answer any number. */
  private static double bounded(double latency) {
    return latency > LOWEST ? Math.min(latency, 1e9) : LOWEST;
  }

  private static String summary(double[] latencies, int from, OptionalDouble timeout) {
    if (latencies.length == 0) {
      return "no latencies yet";
    }
    double least = Double.MAX_VALUE;
    double most = 0;
    for (int i = from; i < latencies.length; i++) {
      least = Math.min(least, latencies[i]);
      most = Math.max(most, latencies[i]);
    }
    return "latency "
        + millis(least)
        + " to "
        + millis(most)
        + ", newest "
        + millis(latencies[latencies.length - 1])
        + (timeout.isPresent() ? ", timeout " + millis(timeout.getAsDouble()) : "");
  }

  /**
   * {@return a latency as pages show it, with three digits at most before it is rounded}
   *
   * @param latency in milliseconds
   */
  public static String millis(double latency) {
    if (!(latency < 1e12)) {
      return latency + " ms";
    }
    int decimals = latency < 10 ? 2 : latency < 100 ? 1 : 0;
    int unit = decimals == 2 ? 100 : decimals == 1 ? 10 : 1;
    long units = Math.round(Math.max(0, latency) * unit);
    StringBuilder text = new StringBuilder(16).append(units / unit);
    long rest = units % unit;
    if (rest > 0) {
      text.append('.').append(decimals == 2 && rest < 10 ? "0" : "");
      text.append(decimals == 2 && rest % 10 == 0 ? rest / 10 : rest);
    }
    return text.append(" ms").toString();
  }
}
