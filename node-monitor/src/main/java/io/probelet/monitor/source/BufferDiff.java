package io.probelet.monitor.source;

import java.util.List;
import java.util.Optional;

/**
 * Finds new messages in the kernel's buffer. Messages have no sequence numbers, so it searches the
 * previously newest lines: everything after them is new.
 */
final class BufferDiff {
  /** Enough lines that the same sequence, including times, does not recur. */
  private static final int REMEMBERED = 8;

  private List<String> newest = List.of();
  private long last;

  /**
   * Creates it.
   *
   * @param last when the newest known message was logged, in microseconds since boot; -1 if none
   */
  BufferDiff(long last) {
    this.last = last;
  }

  /** {@return when the newest known message was logged; -1 if none} */
  long last() {
    return last;
  }

  /** {@return whether the log was empty at the last read, so that all of it is new at the next} */
  boolean wasEmpty() {
    return newest.isEmpty();
  }

  /** {@return the messages after the known ones; empty if the known ones are not found} */
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
   * {@return whether even the oldest message is newer than the newest known one, so that messages
   * in between may be lost}
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
   * {@return the messages newer than the newest known one, by the kernel's times; without messages
   * that have no time}
   */
  List<BufferedRecord> byTime(List<BufferedRecord> read) {
    int from = 0;
    for (int i = 0; i < read.size(); i++) {
      from = read.get(i).micros() == last ? i + 1 : from;
    }
    long known =
        from > 0 ? -1 : last; // messages after it are new even if their times are out of order
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
