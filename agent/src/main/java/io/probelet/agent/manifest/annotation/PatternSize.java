package io.probelet.agent.manifest.annotation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the regular expressions a pod may bring along. RE2 matches in time linear in the body, but
 * also in the program, and counted repetitions multiply that: {@code ((a{100}){100}){100}} is a
 * million instructions in 21 characters.
 */
final class PatternSize {
  private static final int LONGEST = 500;

  /** Characters times counts; the slowest such pattern takes tens of milliseconds for 10 KiB. */
  private static final long LARGEST = 10_000;

  private static final Pattern COUNTED = Pattern.compile("\\{([0-9]{1,4})(?:,([0-9]{0,4}))?\\}");

  private PatternSize() {}

  /** Returns what is wrong with the size, if anything is. */
  static Optional<String> complaint(String pattern) {
    if (pattern.length() > LONGEST) {
      return Optional.of("must be no more than " + LONGEST + " characters");
    }
    long size = pattern.length();
    Matcher counted = COUNTED.matcher(pattern);
    while (counted.find() && size <= LARGEST) {
      size *= Math.max(1, Math.max(count(counted.group(1)), count(counted.group(2))));
    }
    return size <= LARGEST
        ? Optional.empty()
        : Optional.of("must be smaller: its length times its repetition counts exceeds " + LARGEST);
  }

  private static long count(@Nullable String digits) {
    return digits == null || digits.isEmpty() ? 1 : Long.parseLong(digits);
  }
}
