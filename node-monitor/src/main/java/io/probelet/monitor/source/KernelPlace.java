package io.probelet.monitor.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The read position in the kernel's messages, written as {@code SEQUENCE@MICROS}. The device
 * numbers its records; the buffer has timestamps only. Each reader continues from the other's
 * position, also if it has only one of the two values.
 *
 * @param sequence the number of the newest record read, or -1
 * @param micros its timestamp, in microseconds since boot, or -1
 */
record KernelPlace(long sequence, long micros) {
  static final KernelPlace NONE = new KernelPlace(-1, -1);

  /** The cause of records lost while no reader ran. */
  static final String OVERWRITTEN = "overwritten in the kernel log before the agent started";

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})?(?:@([0-9]{1,18}))?");

  /** Any other text is not a position. */
  static KernelPlace parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches() ? new KernelPlace(number(parts.group(1)), number(parts.group(2))) : NONE;
  }

  private static long number(@Nullable String digits) {
    return digits == null ? -1 : Long.parseLong(digits);
  }

  /** {@return whether a record is at or before this position} */
  boolean covers(KmsgRecord record) {
    return sequence >= 0 ? record.sequence() <= sequence : record.micros() <= micros;
  }

  @Override
  public String toString() {
    return (sequence < 0 ? "" : Long.toString(sequence)) + (micros < 0 ? "" : "@" + micros);
  }
}
