package io.probelet.benchmarks;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A figure of a benchmark with its goal.
 *
 * @param bound on which side of the limit the figure is good
 * @param pattern finds the figure in the benchmark's output; its first group starts with it
 */
record Goal(String what, Bound bound, double limit, Pattern pattern) {
  private static final Pattern NUMBER = Pattern.compile("-?\\d[\\d,]*(\\.\\d+)?");

  enum Bound {
    AT_MOST("≤ "),
    AT_LEAST("≥ "),
    /** A figure without a goal. */
    NONE("");

    private final String sign;

    Bound(String sign) {
      this.sign = sign;
    }
  }

  /**
   * The result.
   *
   * @param text the figure, or why there is none
   * @param verdict the result for the goal, in one word; empty without a goal
   */
  record Found(String text, String verdict) {}

  static Goal atMost(double limit, String what, String pattern) {
    return new Goal(what, Bound.AT_MOST, limit, Pattern.compile(pattern));
  }

  static Goal atLeast(double limit, String what, String pattern) {
    return new Goal(what, Bound.AT_LEAST, limit, Pattern.compile(pattern));
  }

  static Goal none(String what, String pattern) {
    return new Goal(what, Bound.NONE, 0, Pattern.compile(pattern));
  }

  /** {@return the goal in the format of the page} */
  String limitText() {
    return bound == Bound.NONE
        ? ""
        : bound.sign
            + new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(limit);
  }

  /** {@return the figure in a benchmark's output} A missing figure is never good. */
  Found in(String output) {
    Matcher matcher = pattern.matcher(output);
    if (!matcher.find()) {
      return new Found("not measured", missing());
    }
    String text = matcher.group(1).strip();
    Matcher number = NUMBER.matcher(text);
    if (!number.lookingAt()) {
      return new Found(text, missing());
    }
    double value = Double.parseDouble(number.group().replace(",", ""));
    boolean good =
        switch (bound) {
          case AT_MOST -> value <= limit;
          case AT_LEAST -> value >= limit;
          case NONE -> true;
        };
    return new Found(text, bound == Bound.NONE ? "" : good ? "met" : "missed");
  }

  private String missing() {
    return bound == Bound.NONE ? "" : "unknown";
  }
}
