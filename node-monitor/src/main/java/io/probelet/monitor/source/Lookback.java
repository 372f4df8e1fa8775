package io.probelet.monitor.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where to begin in a file that has not been read before. A binary search by the times of its lines
 * finds the position in some forty reads, however large the file is. Lines that are out of order by
 * less than {@value #DISORDER} bytes are all read. Lines before the size limit are not read, which
 * is reported.
 */
public final class Lookback {
  /** Begins with new lines. */
  public static final Lookback NONE = new Lookback(false, Instant.MIN, null, 0);

  /** The most bytes of a file that are read back; this takes some seconds. */
  static final long MAX_BYTES = 256L << 20;

  private static final int BLOCK = 64 * 1024;
  private static final int DISORDER = 64 * 1024;

  /** The longest stretch without a time, such as a trace; it is read too. */
  private static final int MAX_UNTIMED_BLOCKS = 16;

  private final boolean wanted;
  private final Instant notBefore;
  private final @Nullable LineClock clock;
  private final long maxBytes;

  /** Finds when a line was logged. */
  @FunctionalInterface
  public interface LineClock {
    /**
     * {@return when the line was logged; empty if unknown}
     *
     * @param line without its end
     */
    Optional<Instant> at(String line);
  }

  private Lookback(boolean wanted, Instant notBefore, @Nullable LineClock clock, long maxBytes) {
    this.wanted = wanted;
    this.notBefore = notBefore;
    this.clock = clock;
    this.maxBytes = maxBytes;
  }

  /** {@return a lookback that begins with all existing content, up to the size limit} */
  public static Lookback all() {
    return new Lookback(true, Instant.MIN, null, MAX_BYTES);
  }

  /**
   * {@return a lookback that begins with lines logged at that time}
   *
   * @param notBefore older lines need not be read
   * @param clock finds when a line was logged
   */
  public static Lookback since(Instant notBefore, LineClock clock) {
    return new Lookback(true, notBefore, clock, MAX_BYTES);
  }

  /** The same with another size limit. */
  Lookback atMost(long bytes) {
    return new Lookback(wanted, notBefore, clock, bytes);
  }

  /**
   * Finds the position.
   *
   * @param sink notified if the size limit truncates the lookback
   * @return the start of a line, or the file's end
   */
  long start(FileChannel file, LineSource.Sink sink) throws IOException {
    long size = file.size();
    if (!wanted) {
      return size;
    }
    Search search = new Search(file, size);
    long first = clock == null ? 0 : search.first(clock);
    if (size - first <= maxBytes) {
      return first;
    }
    long bound = search.aligned(size - maxBytes);
    sink.gap(
        1,
        "lookback covers the last %d bytes of the file, only the last %d are read"
            .formatted(size - first, size - bound));
    return bound;
  }

  /** Searches in the current state of one file. */
  private final class Search {
    private final FileChannel file;
    private final long size;
    private final ByteBuffer buffer = ByteBuffer.allocate(BLOCK);
    private final byte[] bytes = buffer.array();

    Search(FileChannel file, long size) {
      this.file = file;
      this.size = size;
    }

    /** The start of the last line known to be too old, and somewhat before. */
    long first(LineClock lineClock) throws IOException {
      long old = 0;
      long end = size;
      while (end - old > BLOCK) {
        long middle = old + (end - old) / 2;
        Optional<Line> line = timedLine(middle, end, lineClock);
        if (line.isPresent() && line.get().at().isBefore(notBefore)) {
          old = line.get().start();
        } else {
          end = middle;
        }
      }
      return aligned(old - DISORDER);
    }

    private record Line(long start, Instant at) {}

    /** The first line with a time that begins after an offset; empty if there is none nearby. */
    private Optional<Line> timedLine(long from, long end, LineClock lineClock) throws IOException {
      long at = from;
      boolean inside = from > 0;
      for (int block = 0; block < MAX_UNTIMED_BLOCKS && at < end; block++) {
        int length = read(at);
        int start = inside ? newline(0, length) + 1 : 0;
        if (inside && start == 0) {
          at += length;
          continue;
        }
        for (int next = newline(start, length); next >= 0; next = newline(start, length)) {
          String text = new String(bytes, start, next - start, StandardCharsets.UTF_8);
          Optional<Instant> time = lineClock.at(text);
          if (time.isPresent()) {
            return at + start < end
                ? Optional.of(new Line(at + start, time.get()))
                : Optional.empty();
          }
          start = next + 1;
        }
        inside = start == 0; // no log entry is longer
        at += inside ? length : start;
      }
      return Optional.empty();
    }

    /** The next start of a line; the offset itself if there is none nearby. */
    long aligned(long place) throws IOException {
      if (place <= 0) {
        return 0;
      }
      long at = place - 1;
      for (int block = 0; block < MAX_UNTIMED_BLOCKS && at < size; block++) {
        int length = read(at);
        int newline = newline(0, length);
        if (newline >= 0) {
          return at + newline + 1;
        }
        at += length;
      }
      return place;
    }

    private int newline(int from, int length) {
      for (int at = from; at < length; at++) {
        if (bytes[at] == '\n') {
          return at;
        }
      }
      return -1;
    }

    /** Returns the number of bytes read, up to a block. */
    private int read(long at) throws IOException {
      buffer.clear();
      while (buffer.hasRemaining() && file.read(buffer, at + buffer.position()) >= 0) {
        // until the block is full, or the file ends
      }
      return buffer.position();
    }
  }
}
