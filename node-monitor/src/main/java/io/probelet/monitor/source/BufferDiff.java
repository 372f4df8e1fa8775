package io.probelet.monitor.source;

import java.util.List;
import java.util.Optional;

/**
 * Finds what is new in the kernel's buffer, whose messages have no numbers, by the newest lines of
 * before: what follows them is new.
 */
final class BufferDiff {
  /** Enough that nobody writes the same ones again, times included. */
  private static final int REMEMBERED = 8;

  private List<String> newest = List.of();
  private long last;

  /**
   * Creates it.
   *
   * @param last when the newest message that is known was logged, in microseconds since the boot;
   *     -1 if none is
   */
  BufferDiff(long last) {
    this.last = last;
  }

  /** {@return when the newest message that is known was logged; -1 if none is} */
  long last() {
    return last;
  }

  /**
   * {@return whether the log was empty when it was read last, so that all of it is new next time}
   */
  boolean wasEmpty() {
    return newest.isEmpty();
  }

  /**
   * {@return what was logged after the messages that are known; empty if they are not among these}
   */
  Optional<List<BufferedRecord>> since(List<BufferedRecord> read) {
    if (newest.isEmpty()) {
      return Optional.of(taken(read, 0));
    }
    for (int end = read.size(); end >= newest.size(); end--) {
      if (matches(read, end)) {
        return Optional.of(taken(read, end));
      }
    }
    return Optional.empty();
  }

  /**
   * {@return whether even the oldest message was logged later than the newest one that is known, so
   * that there may have been others between}
   */
  boolean overwrote(List<BufferedRecord> read) {
    return last >= 0 && !read.isEmpty() && read.getFirst().micros() > last;
  }

  private boolean matches(List<BufferedRecord> read, int end) {
    int start = end - newest.size();
    for (int i = 0; i < newest.size(); i++) {
      if (!read.get(start + i).line().equals(newest.get(i))) {
        return false;
      }
    }
    return true;
  }

  /**
   * {@return what was logged later than the newest message that is known, by the kernel's times;
   * what has no time is left out}
   */
  List<BufferedRecord> byTime(List<BufferedRecord> read) {
    int from = 0;
    for (int i = 0; i < read.size(); i++) {
      from = read.get(i).micros() == last ? i + 1 : from;
    }
    long known =
        from > 0 ? -1 : last; // after it, they are new even if their times are out of order
    return taken(read, from).stream().filter(each -> each.micros() > known).toList();
  }

  private List<BufferedRecord> taken(List<BufferedRecord> read, int from) {
    newest =
        read.subList(Math.max(0, read.size() - REMEMBERED), read.size()).stream()
            .map(BufferedRecord::line)
            .toList();
    List<BufferedRecord> fresh = List.copyOf(read.subList(from, read.size()));
    for (BufferedRecord each : fresh) {
      last = Math.max(last, each.micros());
    }
    return fresh;
  }
}
