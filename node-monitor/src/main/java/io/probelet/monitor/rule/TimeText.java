package io.probelet.monitor.rule;

import java.util.List;

/** A written time, taken from its beginning piece by piece as Go takes it. */
final class TimeText {
  /** What is said of a piece that is not there. */
  static final int NONE = -1;

  private static final int NANO_DIGITS = 9;

  private final String text;
  private int at;

  TimeText(String text) {
    this.text = text;
  }

  boolean isAtEnd() {
    return at == text.length();
  }

  /** Takes plain text; a run of blanks matches any other, or the end. */
  boolean literal(String shown) {
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      if (c == ' ') {
        if (i > 0 && shown.charAt(i - 1) == ' ') {
          continue;
        }
        if (!isAtEnd() && text.charAt(at) != ' ') {
          return false;
        }
        while (take(' ')) {}
      } else if (!take(c)) {
        return false;
      }
    }
    return true;
  }

  /** Takes this character, if it is the next. */
  boolean take(char c) {
    boolean there = !isAtEnd() && text.charAt(at) == c;
    at += there ? 1 : 0;
    return there;
  }

  /** Takes this text, if it is the next. */
  boolean take(String word) {
    boolean there = text.startsWith(word, at);
    at += there ? word.length() : 0;
    return there;
  }

  /** Takes 1 to {@code most} digits, or exactly so many; {@link #NONE} if they are not there. */
  int number(int most, boolean exactly) {
    int number = 0;
    int taken = 0;
    while (taken < most && isDigit(at + taken)) {
      number = number * 10 + text.charAt(at + taken) - '0';
      taken++;
    }
    if (taken == 0 || (exactly && taken < most)) {
      return NONE;
    }
    at += taken;
    return number;
  }

  /** Takes one of these words in upper or lower case; {@link #NONE} or its index. */
  int word(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      if (text.regionMatches(true, at, words.get(i), 0, words.get(i).length())) {
        at += words.get(i).length();
        return i;
      }
    }
    return NONE;
  }

  /** Whether a fraction of a second comes next, of one digit or more. */
  boolean isFraction() {
    return !isAtEnd() && (text.charAt(at) == '.' || text.charAt(at) == ',') && isDigit(at + 1);
  }

  /**
   * Takes a fraction of a second with its point or comma.
   *
   * @param digits how many it has; 0 for all that there are
   * @return nanoseconds, cut; {@link #NONE} if it is not there
   */
  int fraction(int digits) {
    if (!isFraction()) {
      return NONE;
    }
    int end = at + 1;
    while (isDigit(end) && (digits == 0 || end - at <= digits)) {
      end++;
    }
    int found = end - at - 1;
    if (digits > 0 && found < digits) {
      return NONE;
    }
    int nanos = 0;
    for (int i = 0; i < NANO_DIGITS; i++) {
      nanos = nanos * 10 + (i < found ? text.charAt(at + 1 + i) - '0' : 0);
    }
    at = end;
    return nanos;
  }

  /** Takes the abbreviation of a time zone, by its form; empty if there is none. */
  String zoneName() {
    int end = endOfZoneName();
    String name = text.substring(at, end);
    at = end;
    return name;
  }

  private int endOfZoneName() {
    if (text.startsWith("ChST", at) || text.startsWith("MeST", at)) {
      return at + 4; // the two that have small letters
    }
    if (text.startsWith("GMT", at)) {
      return endOfOffset(at + 3);
    }
    int signed = endOfOffset(at);
    if (signed > at) {
      return isAtEnd() || text.length() - at < 3 ? at : signed;
    }
    int letters = 0;
    while (letters < 6 && isUpperCase(at + letters)) {
      letters++;
    }
    boolean name =
        switch (letters) {
          case 3 -> true;
          case 4 -> text.charAt(at + 3) == 'T' || text.startsWith("WITA", at);
          case 5 -> text.charAt(at + 4) == 'T';
          default -> false;
        };
    return name ? at + letters : at;
  }

  /** Where a sign and an hour of at most 23 end that begin here; here if they do not. */
  private int endOfOffset(int from) {
    if (from >= text.length() || (text.charAt(from) != '+' && text.charAt(from) != '-')) {
      return from;
    }
    int hours = 0;
    int end = from + 1;
    while (isDigit(end)) {
      hours = Math.min(hours * 10 + text.charAt(end) - '0', 100);
      end++;
    }
    return end == from + 1 || hours > 23 ? from : end;
  }

  private boolean isDigit(int index) {
    return index < text.length() && text.charAt(index) >= '0' && text.charAt(index) <= '9';
  }

  private boolean isUpperCase(int index) {
    return index < text.length() && text.charAt(index) >= 'A' && text.charAt(index) <= 'Z';
  }
}
