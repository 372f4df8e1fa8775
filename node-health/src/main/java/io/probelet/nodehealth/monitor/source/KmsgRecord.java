package io.probelet.nodehealth.monitor.source;

import java.util.Optional;

/**
 * One record of {@code /dev/kmsg}: {@code priority,sequence,microseconds,flags;message}.
 *
 * @param sequence its number; the kernel leaves none out
 * @param micros when it was logged, in microseconds since the boot
 * @param message what was logged, escapes resolved
 */
record KmsgRecord(long sequence, long micros, String message) {

  /** Empty if the line is no record. */
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
    return number(line, 0, first) < 0 || sequence < 0 || micros < 0
        ? Optional.empty()
        : Optional.of(new KmsgRecord(sequence, micros, unescaped(line.substring(semicolon + 1))));
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

  /** The kernel writes what could not be shown as a backslash, an x and two digits. */
  private static String unescaped(String message) {
    if (!message.contains("\\x")) {
      return message;
    }
    StringBuilder plain = new StringBuilder();
    for (int at = 0; at < message.length(); at++) {
      boolean escape = message.startsWith("\\x", at) && at + 4 <= message.length();
      int code = escape ? hex(message.charAt(at + 2)) * 16 + hex(message.charAt(at + 3)) : -1;
      if (code >= 0) {
        plain.append((char) code);
        at += 3;
      } else {
        plain.append(message.charAt(at));
      }
    }
    return plain.toString();
  }

  private static int hex(char c) {
    int digit = Character.digit(c, 16);
    return digit < 0 ? Short.MIN_VALUE : digit;
  }
}
