package io.probelet.document.tree;

import io.probelet.document.tree.Node.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts the texts of scalars to values. */
public final class ScalarValue {
  /** No meaningful number is longer; conversion time grows with the square. */
  private static final int LONGEST_NUMBER = 100;

  private ScalarValue() {}

  /** {@return the value of a boolean} */
  public static boolean bool(Scalar scalar) {
    return PlainScalar.isTrue(scalar.text());
  }

  /**
   * {@return the value of a number, empty when it is not an integer or needs more than 64 bits}
   *
   * @param scalar of type INTEGER or FLOAT; {@code 1e1} is whole
   */
  public static OptionalLong integer(Scalar scalar) {
    Optional<BigDecimal> number = decimal(scalar);
    if (number.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(number.get().longValueExact());
    } catch (ArithmeticException tooLargeOrFractional) {
      return OptionalLong.empty();
    }
  }

  /**
   * {@return the value of a number, empty when it is infinite, NaN or absurdly long}
   *
   * @param scalar of type INTEGER or FLOAT
   */
  public static Optional<BigDecimal> decimal(Scalar scalar) {
    String text = scalar.text().replace("_", "").toLowerCase(Locale.ROOT);
    if (text.length() > LONGEST_NUMBER) {
      return Optional.empty();
    }
    boolean negative = text.startsWith("-");
    String digits = negative || text.startsWith("+") ? text.substring(1) : text;
    try {
      BigDecimal value =
          scalar.type() == ScalarType.INTEGER
              ? new BigDecimal(wholeNumber(digits))
              : new BigDecimal(digits);
      return Optional.of(negative ? value.negate() : value);
    } catch (NumberFormatException infiniteOrNoNumber) {
      return Optional.empty();
    }
  }

  private static BigInteger wholeNumber(String digits) {
    if (digits.startsWith("0x")) {
      return new BigInteger(digits.substring(2), 16);
    }
    if (digits.startsWith("0b")) {
      return new BigInteger(digits.substring(2), 2);
    }
    if (digits.startsWith("0o")) {
      return new BigInteger(digits.substring(2), 8);
    }
    boolean octal = digits.length() > 1 && digits.startsWith("0");
    return new BigInteger(digits, octal ? 8 : 10);
  }
}
