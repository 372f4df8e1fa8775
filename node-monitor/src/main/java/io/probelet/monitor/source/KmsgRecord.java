package io.probelet.monitor.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Optional;

/**
 * One record of {@code /dev/kmsg}: {@code priority,sequence,microseconds,flags;message}.
 *
 * @param priority facility and level, as in {@code <6>}
 * @param sequence its sequence number, without gaps
 * @param micros when it was logged, in microseconds since the boot
 * @param fragment whether it continues a record that another one has interrupted
 * @param message the message, unescaped and trimmed
 */
record KmsgRecord(long priority, long sequence, long micros, boolean fragment, String message) {
  /** The bits of a priority that are the level; those above it are the facility. */
  private static final int LEVEL_BITS = 3;

  /** Length of an escape. */
  private static final int ESCAPE = 4;

  /** Empty if the line is not a record. */
  static Optional<KmsgRecord> parse(String line) {
    int semicolon = line.indexOf(';');
    int first = line.indexOf(',');
    int second = line.indexOf(',', first + 1);
    if (first <= 0 || second <= first || semicolon < second) {
      return Optional.empty();
    }
    int third = line.indexOf(',', second + 1);
    int end = third < 0 || third > semicolon ? semicolon : third;
    long sequence = number(line, first + 1, second);
    long micros = number(line, second + 1, end);
    long priority = number(line, 0, first);
    boolean fragment = end < semicolon && isFragment(line.substring(end + 1, semicolon));
    return priority < 0 || sequence < 0 || micros < 0
        ? Optional.empty()
        : Optional.of(
            new KmsgRecord(
                priority,
                sequence,
                micros,
                fragment,
                unescaped(line.substring(semicolon + 1)).strip()));
  }

  /** The first flag: {@code c} and {@code +} mark fragments of another record. */
  private static boolean isFragment(String flags) {
    return flags.startsWith("c") || flags.startsWith("+");
  }

  /**
   * Returns whether a priority is the kernel's own. The kernel assigns text that programs write to
   * {@code /dev/kmsg} another facility, whatever they request.
   */
  static boolean isKernel(long priority) {
    return priority >> LEVEL_BITS == 0;
  }

  /** {@return whether it is a whole record of the kernel, not a fragment} */
  boolean isWholeKernelRecord() {
    return isKernel(priority) && !fragment;
  }

  private static long number(String line, int from, int to) {
    long number = 0;
    for (int at = from; at < to; at++) {
      int digit = line.charAt(at) - '0';
      if (digit < 0 || digit > 9 || number > Long.MAX_VALUE / 20) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return to > from ? number : -1;
  }

  /**
   * The kernel escapes non-ASCII and unprintable bytes as a backslash, an x and two digits. A
   * newline becomes a space, so that a pattern's dot matches the whole message.
   */
  private static String unescaped(String message) {
    if (message.indexOf('\\') < 0) {
      return message;
    }
    StringBuilder plain = new StringBuilder();
    ByteArrayOutputStream escaped = new ByteArrayOutputStream();
    for (int at = 0; at < message.length(); ) {
      int code = escape(message, at);
      if (code >= 0) {
        escaped.write(code == '\n' ? ' ' : code);
        at += ESCAPE;
      } else {
        plain.append(escaped.toString(UTF_8)).append(message.charAt(at++));
        escaped.reset();
      }
    }
    return plain.append(escaped.toString(UTF_8)).toString();
  }

  /** The byte escaped at an index, or a negative number. */
  private static int escape(String message, int at) {
    if (!message.startsWith("\\x", at) || at + ESCAPE > message.length()) {
      return -1;
    }
    int high = Character.digit(message.charAt(at + 2), 16);
    int low = Character.digit(message.charAt(at + 3), 16);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }
}
