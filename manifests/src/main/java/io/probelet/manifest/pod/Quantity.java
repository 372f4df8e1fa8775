package io.probelet.manifest.pod;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities in Kubernetes' format: {@code 500m}, {@code 64Mi}, {@code 1e3}. */
final class Quantity {
  /** Longer ones exceed every machine. */
  private static final int MAX_LENGTH = 32;

  private static final int MAX_EXPONENT = 18;
  private static final Pattern SYNTAX =
      Pattern.compile(
          "\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?[0-9]{1,4}))?");
  private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
  private static final Map<String, BigDecimal> FACTORS =
      Map.ofEntries(
          Map.entry("n", BigDecimal.valueOf(1, 9)),
          Map.entry("u", BigDecimal.valueOf(1, 6)),
          Map.entry("m", BigDecimal.valueOf(1, 3)),
          Map.entry("k", BigDecimal.valueOf(1, -3)),
          Map.entry("M", BigDecimal.valueOf(1, -6)),
          Map.entry("G", BigDecimal.valueOf(1, -9)),
          Map.entry("T", BigDecimal.valueOf(1, -12)),
          Map.entry("P", BigDecimal.valueOf(1, -15)),
          Map.entry("E", BigDecimal.valueOf(1, -18)),
          Map.entry("Ki", KIBI),
          Map.entry("Mi", KIBI.pow(2)),
          Map.entry("Gi", KIBI.pow(3)),
          Map.entry("Ti", KIBI.pow(4)),
          Map.entry("Pi", KIBI.pow(5)),
          Map.entry("Ei", KIBI.pow(6)));

  private Quantity() {}

  /** {@return whether a text is a quantity of zero or more} */
  static boolean isValid(String text) {
    return text.length() <= MAX_LENGTH && SYNTAX.matcher(text).matches();
  }

  /**
   * Reads a quantity of zero or more.
   *
   * @param text as in the manifest
   * @param decimals number of decimal digits to keep: 3 reads {@code 1} as 1000
   * @return the quantity, rounded up; empty if it is invalid, or beyond 64 bits
   */
  static OptionalLong read(String text, int decimals) {
    Optional<BigDecimal> value = value(text);
    if (value.isEmpty()) {
      return OptionalLong.empty();
    }
    BigDecimal units = value.get().scaleByPowerOfTen(decimals).setScale(0, RoundingMode.CEILING);
    return units.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
        ? OptionalLong.empty()
        : OptionalLong.of(units.longValueExact());
  }

  /** {@return a quantity of zero or more; empty if the text is invalid or too long} */
  static Optional<BigDecimal> value(String text) {
    Matcher matcher = SYNTAX.matcher(text);
    if (text.length() > MAX_LENGTH || !matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal amount = new BigDecimal(matcher.group(1));
    String suffix = matcher.group(2);
    String exponent = matcher.group(3);
    if (suffix != null) {
      amount = amount.multiply(FACTORS.getOrDefault(suffix, BigDecimal.ONE));
    } else if (exponent != null) {
      int power = Integer.parseInt(exponent);
      if (Math.abs(power) > MAX_EXPONENT) {
        return Optional.empty();
      }
      amount = amount.scaleByPowerOfTen(power);
    }
    return Optional.of(amount);
  }
}
