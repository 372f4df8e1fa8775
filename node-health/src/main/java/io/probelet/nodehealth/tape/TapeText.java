package io.probelet.nodehealth.tape;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a tape as bytes, none longer than {@link #MAX_LINE}. */
final class TapeText {
  /** A node with all labels and conditions has about 4 KiB, a large NodeHealthCheck 20. */
  static final int MAX_LINE = 256 * 1024;

  private final InputStream in;
  private final byte[] buffer = new byte[64 * 1024];
  private int from;
  private int to;

  TapeText(InputStream in) {
    this.in = in;
  }

  /** A line exceeds the maximum length. */
  static final class LineTooLong extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Reads the next line.
   *
   * @return the line without its end; null after the last
   * @throws LineTooLong if it is longer than {@link #MAX_LINE} bytes
   * @throws IOException if the file cannot be read
   */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    while (true) {
      if (from == to) {
        to = Math.max(0, in.read(buffer));
        from = 0;
        if (to == 0) {
          return line.size() == 0 ? null : line.toByteArray();
        }
      }
      int end = from;
      while (end < to && buffer[end] != '\n') {
        end++;
      }
      if (line.size() + (end - from) > MAX_LINE) {
        throw new LineTooLong();
      }
      line.write(buffer, from, end - from);
      boolean complete = end < to;
      from = complete ? end + 1 : end;
      if (complete) {
        return line.toByteArray();
      }
    }
  }
}
