package io.probelet.cli.status;

import io.probelet.fleet.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Prints a log piece by piece, so that its size does not matter. On a terminal its control
 * characters are shown by number.
 */
final class LogPrinter {
  private static final int PIECE = 64 << 10;
  private static final int MAX_BYTES_OF_CHARACTER = 4;

  /** A line can be as long as the log. */
  static final long LOOK_BACK = 64L << 20;

  private final RotatedLog log;
  private final PrintWriter out;
  private final boolean escaped;
  private final Consumer<String> notices;

  /** Where the next piece begins. */
  private long position;

  /**
   * Creates one that prints nothing yet.
   *
   * @param escaped whether control characters are shown by number
   * @param notices told what the user has to know about the output
   */
  LogPrinter(RotatedLog log, PrintWriter out, boolean escaped, Consumer<String> notices) {
    this.log = log;
    this.out = out;
    this.escaped = escaped;
    this.notices = notices;
  }

  /** Moves to what the newest instance wrote. */
  void seekNewest(long lines) throws IOException, InterruptedException {
    long start = log.newestInstance().orElse(log.oldest());
    if (log.newestInstance().isEmpty() && start < 0) {
      notices.accept("the container's last start is unknown; shows all output that is kept");
    }
    seek(start, log.end(), lines);
  }

  /**
   * Moves to what earlier instances wrote.
   *
   * @return where that ends
   */
  long seekPrevious(long lines) throws IOException, InterruptedException {
    long end = Math.clamp(log.newestInstance().orElse(log.oldest()), log.oldest(), log.end());
    if (end == log.oldest()) {
      notices.accept(
          log.newestInstance().isEmpty()
              ? "the container's last start is unknown; try without --previous"
              : log.isFull() || end > log.newestInstance().getAsLong()
                  ? "output before the container's last start was rotated away"
                  : "there is no output before the container's last start");
      position = end;
      return end;
    }
    // What was deleted is recorded nowhere, but nothing is before there are that many files.
    seek(log.isFull() ? log.oldest() - 1 : log.oldest(), end, lines);
    return end;
  }

  /**
   * Moves to the last lines of a part.
   *
   * @param from where the part begins, possibly before the oldest byte
   * @param end where it ends
   * @param lines how many of its last lines are wanted; negative for all
   */
  private void seek(long from, long end, long lines) throws IOException, InterruptedException {
    long start = Math.clamp(from, log.oldest(), end);
    if (lines == 0) {
      position = end;
      return;
    }
    long least = lines < 0 ? end : Math.max(start, end - LOOK_BACK);
    long found = 0;
    for (long at = end; at > least; ) {
      long before = Math.max(least, at - PIECE);
      byte[] piece = log.read(before, (int) (at - before));
      for (int i = piece.length - 1; i >= 0; i--) {
        boolean last = before + i == end - 1; // the end of the last line begins no other
        if (piece[i] == '\n' && !last && ++found == lines) {
          position = before + i + 1;
          return;
        }
      }
      at = before;
    }
    if (lines > 0 && least > start) {
      notices.accept(
          "the last %d MiB have fewer lines; shows those, the first line is incomplete"
              .formatted(LOOK_BACK >> 20));
      position = least;
      return;
    }
    if (from < start) {
      notices.accept("older output was rotated away; the first line may be incomplete");
    }
    position = start;
  }

  /** Prints what is between the position and an offset, at most the log's end. */
  void print(long until) throws IOException, InterruptedException {
    while (position < until) {
      byte[] piece = log.read(position, (int) Math.min(PIECE, until - position));
      if (position < log.oldest()) {
        notices.accept("some output was rotated away before it was printed");
        position = log.oldest();
        continue;
      }
      if (piece.length == 0) {
        break;
      }
      int length = piece.length == PIECE ? wholeCharacters(piece) : piece.length;
      String text = new String(piece, 0, length, StandardCharsets.UTF_8);
      out.print(escaped ? Terminal.printable(text) : text);
      position += length;
    }
    out.flush();
  }

  /** Prints all that there is by now; a rotation in between loses nothing. */
  void printNew() throws IOException, InterruptedException {
    print(log.end());
  }

  /** The length without a character whose bytes are not all in the piece. */
  private static int wholeCharacters(byte[] piece) {
    for (int back = 1; back <= MAX_BYTES_OF_CHARACTER && back < piece.length; back++) {
      byte each = piece[piece.length - back];
      if ((each & 0xC0) != 0x80) { // begins a character
        int size = each >= 0 ? 1 : Integer.numberOfLeadingZeros(~each << 24);
        return size > back ? piece.length - back : piece.length;
      }
    }
    return piece.length;
  }
}
