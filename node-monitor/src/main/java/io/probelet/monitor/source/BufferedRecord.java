package io.probelet.monitor.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One line of the kernel's buffer: {@code <PRIORITY>[SECONDS.MICROS] TEXT}, perhaps with a caller
 * such as {@code [T12]} before the text.
 *
 * @param line all of it
 * @param micros when it was logged, in microseconds since the boot; -1 where the kernel does not
 *     say
 * @param message what was logged
 */
record BufferedRecord(String line, long micros, String message) {
  private static final Pattern LINE =
      Pattern.compile(
          "<[0-9]{1,10}>(?:\\[ *([0-9]{1,12})\\.([0-9]{6})\\])?(?:\\[ *[TC][0-9]+\\])? ?(.*)");

  private static final long MICROS_PER_SECOND = 1_000_000;

  /** What is none is a message without a time. */
  static BufferedRecord of(String line) {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      return new BufferedRecord(line, -1, line);
    }
    String seconds = parts.group(1);
    long micros =
        seconds == null
            ? -1
            : Long.parseLong(seconds) * MICROS_PER_SECOND + Long.parseLong(parts.group(2));
    return new BufferedRecord(line, micros, parts.group(3));
  }
}
