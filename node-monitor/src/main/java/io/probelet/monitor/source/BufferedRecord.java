package io.probelet.monitor.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the kernel's buffer: {@code <PRIORITY>[SECONDS.MICROS] TEXT}, perhaps with a caller
 * such as {@code [T12]} before the text.
 *
 * @param line all of it
 * @param prefix what the kernel wrote before the text: priority, time and caller; it writes the
 *     same before each line of a record
 * @param priority facility and level; -1 where the line does not say
 * @param micros when it was logged, in microseconds since the boot; -1 where the kernel does not
 *     say
 */
record BufferedRecord(String line, String prefix, long priority, long micros, String message) {
  private static final Pattern LINE =
      Pattern.compile(
          "(<([0-9]{1,10})>(?:\\[ *([0-9]{1,12})\\.([0-9]{6})\\])?(?:\\[ *[TC][0-9]+\\])?) ?(.*)",
          Pattern.DOTALL); // a name may hold what Java takes for the end of a line

  private static final long MICROS_PER_SECOND = 1_000_000;

  /** What is none is a message without a time. */
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
   * <p>A process can put a newline into its name, and only priority, time and caller show that the
   * rest is no record. Two records of one microsecond are taken for one.
   *
   * @param before what the kernel wrote before the text of the line before
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
