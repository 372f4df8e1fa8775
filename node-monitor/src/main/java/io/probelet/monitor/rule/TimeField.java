package io.probelet.monitor.rule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The elements of a Go time layout. */
enum TimeField {
  LONG_YEAR("2006"),
  YEAR("06"),
  LONG_MONTH("January"),
  MONTH_NAME("Jan"),
  TWO_DIGIT_MONTH("01"),
  MONTH("1"),
  LONG_WEEKDAY("Monday"),
  WEEKDAY("Mon"),
  TWO_DIGIT_DAY("02"),
  PADDED_DAY("_2"),
  DAY("2"),
  THREE_DIGIT_YEAR_DAY("002"),
  PADDED_YEAR_DAY("__2"),
  HOUR("15"),
  TWO_DIGIT_HOUR12("03"),
  HOUR12("3"),
  TWO_DIGIT_MINUTE("04"),
  MINUTE("4"),
  TWO_DIGIT_SECOND("05"),
  SECOND("5"),
  UPPER_HALF("PM"),
  LOWER_HALF("pm"),
  ZONE_NAME("MST"),
  OFFSET_OR_Z("Z0700"),
  SHORT_OFFSET_OR_Z("Z07"),
  COLON_OFFSET_OR_Z("Z07:00"),
  SECONDS_OFFSET_OR_Z("Z070000"),
  COLON_SECONDS_OFFSET_OR_Z("Z07:00:00"),
  OFFSET("-0700"),
  SHORT_OFFSET("-07"),
  COLON_OFFSET("-07:00"),
  SECONDS_OFFSET("-070000"),
  COLON_SECONDS_OFFSET("-07:00:00");

  private static final List<TimeField> LONGEST_FIRST =
      Arrays.stream(values())
          .sorted(Comparator.comparingInt((TimeField field) -> field.word.length()).reversed())
          .toList();

  private final String word;

  TimeField(String word) {
    this.word = word;
  }

  /** {@return its text in a layout} */
  String word() {
    return word;
  }

  /** {@return the element at an index of a layout; empty for plain text} */
  static Optional<TimeField> shownIn(String layout, int at) {
    return LONGEST_FIRST.stream().filter(field -> field.isShownIn(layout, at)).findFirst();
  }

  private boolean isShownIn(String layout, int at) {
    if (!layout.startsWith(word, at)) {
      return false;
    }
    return switch (this) {
      // A longer word with this prefix, such as Month, is plain text.
      case MONTH_NAME, WEEKDAY -> !isLowerCase(layout, at + word.length());
      // An underscore before a year is a literal.
      case PADDED_DAY -> !layout.startsWith(LONG_YEAR.word, at + 1);
      default -> true;
    };
  }

  private static boolean isLowerCase(String layout, int at) {
    return at < layout.length() && layout.charAt(at) >= 'a' && layout.charAt(at) <= 'z';
  }
}
