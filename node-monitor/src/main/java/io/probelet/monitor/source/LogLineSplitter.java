package io.probelet.monitor.source;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Makes lines of bytes. A line that is too long is cut; its rest is thrown away. */
final class LogLineSplitter {
  private static final int LONGEST = 16 * 1024;

  private final byte[] partial = new byte[LONGEST];
  private int length;
  private long unfinished;

  /** Takes the next bytes. */
  void take(byte[] bytes, int from, int to, Consumer<String> lines) {
    int start = from;
    for (int at = from; at < to; at++) {
      if (bytes[at] == '\n') {
        line(bytes, start, at, lines);
        start = at + 1;
      }
    }
    keep(bytes, start, to);
    unfinished += to - start;
  }

  private void line(byte[] bytes, int start, int end, Consumer<String> lines) {
    if (length == 0) {
      lines.accept(text(bytes, start, Math.min(end, start + LONGEST)));
    } else {
      keep(bytes, start, end);
      lines.accept(text(partial, 0, length));
    }
    length = 0;
    unfinished = 0;
  }

  private void keep(byte[] bytes, int start, int end) {
    int kept = Math.min(end - start, LONGEST - length);
    System.arraycopy(bytes, start, partial, length, kept);
    length += kept;
  }

  private static String text(byte[] bytes, int start, int end) {
    int last = end > start && bytes[end - 1] == '\r' ? end - 1 : end;
    return new String(bytes, start, last - start, StandardCharsets.UTF_8);
  }

  /** {@return how many bytes have been taken of a line that has not ended} */
  long unfinished() {
    return unfinished;
  }
}
