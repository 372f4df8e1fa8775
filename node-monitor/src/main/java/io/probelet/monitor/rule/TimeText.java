package io.probelet.monitor.rule;

import java.util.List;

/** Parses a time from its beginning, element by element, as Go does. */
final class TimeText {
  /** The result for a missing element. */
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

  /** Reads literal text; a run of spaces matches any other run, or the end. */
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

  /** Reads this character, if it is the next. */
  boolean take(char c) {
    boolean there = !isAtEnd() && text.charAt(at) == c;
    at += there ? 1 : 0;
    return there;
  }

  /** Reads this text, if it is the next. */
  boolean take(String word) {
    boolean there = text.startsWith(word, at);
    at += there ? word.length() : 0;
    return there;
  }

  /** Reads 1 to {@code most} digits, or exactly that many; {@link #NONE} if absent. */
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

  /** Reads one of these words, ignoring case; returns its index or {@link #NONE}. */
  int word(List<String> words) {
    for (int i = 0; i < words.size(); i++) {
      if (text.regionMatches(true, at, words.get(i), 0, words.get(i).length())) {
        at += words.get(i).length();
        return i;
      }
    }
    return NONE;
  }

  /** Whether a fraction of a second follows, of one digit or more. */
  boolean isFraction() {
    return !isAtEnd() && (text.charAt(at) == '.' || text.charAt(at) == ',') && isDigit(at + 1);
  }

  /**
   * Reads a fraction of a second with its point or comma.
   *
   * @param digits the number of digits; 0 for all
   * @return nanoseconds, truncated; {@link #NONE} if absent
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

  /** Reads the abbreviation of a time zone, by its format; empty if there is none. */
  String zoneName() {
    int end = endOfZoneName();
    String name = text.substring(at, end);
    at = end;
    return name;
  }

  private int endOfZoneName() {
    if (text.startsWith("ChST", at) || text.startsWith("MeST", at)) {
      return at + 4; // the two with lower-case letters
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

  /** The end of a sign and an hour of at most 23 that begin here; this index if there are none. */
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
