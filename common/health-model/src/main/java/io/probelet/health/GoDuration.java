package io.probelet.health;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as Kubernetes writes them: {@code 250ms}, {@code 1.5s}, {@code 1h30m} (P-18).
 *
 * <p>Values range from −2⁶³ to 2⁶³−1 nanoseconds, about ±292 years, as in Go.
 */
public final class GoDuration {
  private static final Pattern TERM = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)([a-zµμ]+)");
  private static final int LONGEST_TEXT = 100;
  private static final Map<String, BigDecimal> NANOS_PER_UNIT =
      Map.of(
          "ns", BigDecimal.ONE,
          "us", BigDecimal.valueOf(1_000),
          "µs", BigDecimal.valueOf(1_000),
          "μs", BigDecimal.valueOf(1_000),
          "ms", BigDecimal.valueOf(1_000_000),
          "s", BigDecimal.valueOf(1_000_000_000L),
          "m", BigDecimal.valueOf(60_000_000_000L),
          "h", BigDecimal.valueOf(3_600_000_000_000L));

  private GoDuration() {}

  /**
   * Parses Go's notation: an optional sign, then one or more decimal numbers, each with a unit out
   * of ns, us, µs, ms, s, m, h; or a bare {@code 0}.
   *
   * @param text what a user wrote
   * @return the duration, with fractions of a nanosecond cut off
   * @throws IllegalArgumentException if the text is not in that notation or out of range; the
   *     message quotes it and shows an example
   */
  public static Duration parse(String text) {
    if (text.length() > LONGEST_TEXT) {
      throw notADuration(text.substring(0, 20) + "…");
    }
    boolean negative = text.startsWith("-");
    String terms = negative || text.startsWith("+") ? text.substring(1) : text;
    if (terms.equals("0")) {
      return Duration.ZERO;
    }
    BigDecimal nanos = BigDecimal.ZERO;
    Matcher term = TERM.matcher(terms);
    int end = 0;
    while (end < terms.length()) {
      if (!term.find(end) || term.start() != end) {
        throw notADuration(text);
      }
      BigDecimal unit = NANOS_PER_UNIT.get(term.group(2));
      if (unit == null) {
        throw notADuration(text);
      }
      nanos = nanos.add(new BigDecimal(padded(term.group(1))).multiply(unit));
      end = term.end();
    }
    if (end == 0) {
      throw notADuration(text);
    }
    try {
      long whole = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
      return Duration.ofNanos(negative ? -whole : whole);
    } catch (ArithmeticException tooLarge) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is longer than the 292 years a duration can hold", tooLarge);
    }
  }

  /**
   * Formats as Go's {@code Duration.String()} does: {@code 1m30s}, {@code 1.5s}, {@code 250ms},
   * {@code 0s}.
   *
   * @param duration any duration within the range of this notation
   * @return its shortest exact text
   * @throws ArithmeticException if it is longer than 292 years
   */
  public static String format(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    BigDecimal left = BigDecimal.valueOf(nanos).abs();
    String sign = nanos < 0 ? "-" : "";
    if (left.compareTo(NANOS_PER_UNIT.get("s")) < 0) {
      String unit =
          left.compareTo(NANOS_PER_UNIT.get("us")) < 0
              ? "ns"
              : left.compareTo(NANOS_PER_UNIT.get("ms")) < 0 ? "µs" : "ms";
      return sign + plain(left.divide(NANOS_PER_UNIT.get(unit))) + unit;
    }
    BigDecimal[] hours = left.divideAndRemainder(NANOS_PER_UNIT.get("h"));
    BigDecimal[] minutes = hours[1].divideAndRemainder(NANOS_PER_UNIT.get("m"));
    String seconds = plain(minutes[1].divide(NANOS_PER_UNIT.get("s"))) + "s";
    if (hours[0].signum() > 0) {
      return sign + plain(hours[0]) + "h" + plain(minutes[0]) + "m" + seconds;
    }
    return sign + (minutes[0].signum() > 0 ? plain(minutes[0]) + "m" : "") + seconds;
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static String padded(String number) {
    String whole = number.startsWith(".") ? "0" + number : number;
    return whole.endsWith(".") ? whole + "0" : whole;
  }

  private static IllegalArgumentException notADuration(String text) {
    return new IllegalArgumentException(
        "\"" + text + "\" is not a duration; write it like 250ms, 1.5s or 2m");
  }
}
