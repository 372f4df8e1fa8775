package io.probelet.document.tree;

import java.util.Set;
import java.util.regex.Pattern;

/**
 * Determines the type of unquoted text by the rules of YAML 1.1, as kubectl does: {@code yes} and
 * {@code off} are booleans, {@code 0x1F} and {@code 1_000} are numbers, times of day and dates are
 * text.
 */
final class PlainScalar {
  private static final Set<String> NULLS = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> TRUES =
      Set.of("true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON");
  private static final Set<String> FALSES =
      Set.of("false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF");
  private static final Pattern INTEGER =
      Pattern.compile(
          "[-+]?(?:0|[1-9][0-9_]*|0b[01][01_]*|0o?[0-7][0-7_]*|0x[0-9a-fA-F][0-9a-fA-F_]*)");
  private static final Pattern FLOAT =
      Pattern.compile(
          "[-+]?(?:\\.[0-9]+|[0-9]++(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
              + "|[-+]?\\.(?:inf|Inf|INF)|\\.(?:nan|NaN|NAN)");

  private PlainScalar() {}

  static ScalarType typeOf(String text) {
    if (NULLS.contains(text)) {
      return ScalarType.NULL;
    }
    if (TRUES.contains(text) || FALSES.contains(text)) {
      return ScalarType.BOOLEAN;
    }
    if (INTEGER.matcher(text).matches()) {
      return ScalarType.INTEGER;
    }
    return FLOAT.matcher(text).matches() ? ScalarType.FLOAT : ScalarType.STRING;
  }

  static boolean isTrue(String text) {
    return TRUES.contains(text);
  }
}
