package io.probelet.monitor.source;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far the kernel's messages have been read, written {@code SEQUENCE@MICROS}. The device counts
 * its records; the buffer has nothing but their stamps. Each reader continues from the other's
 * place, and from one that names one of the two only.
 *
 * @param sequence the number of the newest record that was read, or -1
 * @param micros its stamp, in microseconds since the boot, or -1
 */
record KernelPlace(long sequence, long micros) {
  static final KernelPlace NONE = new KernelPlace(-1, -1);

  /** Why records are missing that the kernel wrote while no reader ran. */
  static final String OVERWRITTEN = "overwritten in the kernel log before the agent started";

  private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})?(?:@([0-9]{1,18}))?");

  /** What is written otherwise is no place. */
  static KernelPlace parse(String text) {
    Matcher parts = TEXT.matcher(text);
    return parts.matches() ? new KernelPlace(number(parts.group(1)), number(parts.group(2))) : NONE;
  }

  private static long number(@Nullable String digits) {
    return digits == null ? -1 : Long.parseLong(digits);
  }

  /** {@return whether a record is at this place or before it} */
  boolean covers(KmsgRecord record) {
    return sequence >= 0 ? record.sequence() <= sequence : record.micros() <= micros;
  }

  @Override
  public String toString() {
    return (sequence < 0 ? "" : Long.toString(sequence)) + (micros < 0 ? "" : "@" + micros);
  }
}
