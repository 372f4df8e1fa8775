package io.probelet.kube.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Cuts what arrives into lines. */
final class WatchLines {
  private static final int SMALL = 1 << 16;

  /** No object is near as large; it would not fit into etcd. */
  private static final int LONGEST = 1 << 24;

  private final Reader reader;
  private byte[] bytes = new byte[SMALL];
  private int end;

  /** Takes one line at a time, valid during the call only. */
  @FunctionalInterface
  interface Reader {
    void read(byte[] bytes, int from, int length) throws IOException;
  }

  WatchLines(Reader reader) {
    this.reader = reader;
  }

  /**
   * Takes more, and passes on what has become complete.
   *
   * @throws IOException if a line is too long, or its reader does not like it
   */
  void take(ByteBuffer more) throws IOException {
    int searched = end;
    append(more);
    int from = 0;
    byte[] all = bytes;
    int to = end;
    for (int at = searched; at < to; at++) {
      if (all[at] == '\n') {
        reader.read(all, from, at - from);
        from = at + 1;
      }
    }
    if (from > 0) {
      end -= from;
      System.arraycopy(bytes, from, bytes, 0, end);
      if (end <= SMALL && bytes.length > SMALL) {
        bytes = Arrays.copyOf(bytes, SMALL);
      }
    }
  }

  private void append(ByteBuffer more) throws IOException {
    int length = more.remaining();
    if (length > LONGEST - end) {
      throw new IOException("a line of more than " + LONGEST + " bytes");
    }
    if (length > bytes.length - end) {
      bytes = Arrays.copyOf(bytes, Math.min(LONGEST, Math.max(2 * bytes.length, end + length)));
    }
    more.get(bytes, end, length);
    end += length;
  }
}
