package io.probelet.monitor.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the kernel's buffer: {@code <PRIORITY>[SECONDS.MICROS] TEXT}, perhaps with a caller
 * such as {@code [T12]} before the text.
 *
 * @param line all of it
 * @param prefix the text before the message: priority, time and caller; identical for each line of
 *     a record
 * @param priority facility and level; -1 if absent
 * @param micros when it was logged, in microseconds since the boot; -1 if absent
 */
record BufferedRecord(String line, String prefix, long priority, long micros, String message) {
  private static final Pattern LINE =
      Pattern.compile(
          "(<([0-9]{1,10})>(?:\\[ *([0-9]{1,12})\\.([0-9]{6})\\])?(?:\\[ *[TC][0-9]+\\])?) ?(.*)",
          Pattern.DOTALL); // a name may contain Java's line terminators

  private static final long MICROS_PER_SECOND = 1_000_000;

  /** Any other text is a message without a time. */
  static BufferedRecord of(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      return new BufferedRecord(line, "", -1, -1, line);
    }
    String seconds = parts.group(3);
    long micros =
        seconds == null
            ? -1
            : Long.parseLong(seconds) * MICROS_PER_SECOND + Long.parseLong(parts.group(4));
    return new BufferedRecord(
        line, parts.group(1), Long.parseLong(parts.group(2)), micros, parts.group(5));
  }

  /**
   * {@return whether this line belongs to the record of the line before it }
   *
   * <p>A process can put a newline into its name; only priority, time and caller show that the rest
   * is not a record. Two records of the same microsecond count as one.
   *
   * @param before the prefix of the line before
   */
  boolean continues(String before) {
    return micros >= 0 && prefix.equals(before);
  }

  /**
   * {@return whether it begins a record that the kernel itself wrote, as far as its prefix shows}
   */
  boolean isKernelRecord() {
    return micros >= 0 && KmsgRecord.isKernel(priority);
  }
}
