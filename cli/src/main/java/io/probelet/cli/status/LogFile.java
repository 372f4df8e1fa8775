package io.probelet.cli.status;

import io.probelet.fleet.terminal.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A log file that is printed piece by piece, so that its size does not matter. On a terminal its
 * control characters are shown by number.
 */
final class LogFile implements AutoCloseable {
  private static final int PIECE = 64 << 10;
  private static final int MAX_BYTES_OF_CHARACTER = 4;

  private final Path path;
  private final PrintWriter out;
  private final boolean escaped;
  private final FileChannel file;

  /** Where the next piece begins. */
  private long position;

  /**
   * Opens a log.
   *
   * @param escaped whether control characters are shown by number
   * @throws IOException if it cannot be read, or is not a regular file
   */
  LogFile(Path path, PrintWriter out, boolean escaped) throws IOException {
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(path + " is not a regular file");
    }
    this.path = path;
    this.out = out;
    this.escaped = escaped;
    file = FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Moves to the last lines of a part.
   *
   * @param from where the part begins
   * @param until where it ends
   * @param lines how many of its last lines are wanted; negative for all
   */
  void seek(long from, long until, long lines) throws IOException {
    position = Math.clamp(from, 0, file.size());
    if (lines < 0) {
      return;
    }
    long end = Math.min(until, file.size());
    long found = 0;
    for (long at = end; at > position; ) {
      long start = Math.max(position, at - PIECE);
      byte[] piece = read(start, (int) (at - start));
      for (int i = piece.length - 1; i >= 0; i--) {
        boolean last = start + i == end - 1; // the end of the last line begins no other
        if (piece[i] == '\n' && !last && ++found == lines) {
          position = start + i + 1;
          return;
        }
      }
      at = start;
    }
    position = lines == 0 ? end : position;
  }

  private byte[] read(long start, int length) throws IOException {
    ByteBuffer piece = ByteBuffer.allocate(length);
    while (piece.hasRemaining() && file.read(piece, start + piece.position()) > 0) {
      // until the piece is whole, or the file has shrunk
    }
    return piece.array();
  }

  /** Prints what is between the position and an offset, at most the file's end. */
  void print(long until) throws IOException {
    long end = Math.min(until, file.size());
    while (position < end) {
      byte[] piece = read(position, (int) Math.min(PIECE, end - position));
      int length = position + piece.length < end ? wholeCharacters(piece) : piece.length;
      String text = new String(piece, 0, length, StandardCharsets.UTF_8);
      out.print(escaped ? Terminal.printable(text) : text);
      position += length;
    }
    out.flush();
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

  /** Prints what was appended since; a rotation in between loses nothing. */
  void printNew() throws IOException {
    if (file.size() < position) {
      Path rotated = path.resolveSibling(path.getFileName() + ".1");
      position = Math.max(0, position - (Files.exists(rotated) ? Files.size(rotated) : position));
    }
    print(file.size());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
