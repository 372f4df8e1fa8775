package io.probelet.kube.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts what a watch sends into events. Those of JSON are a line each; before one of protobuf stands
 * its length, in four bytes of which the first is zero, as no event is near as long. Nothing of
 * JSON begins so.
 */
final class WatchFrames {
  private static final int SMALL = 1 << 16;

  /** No object is near as large; it would not fit into etcd. */
  static final int LONGEST = 1 << 24;

  private static final int LENGTH_BYTES = Integer.BYTES;

  private final Reader lines;
  private final Reader messages;
  private byte[] bytes = new byte[SMALL];
  private int end;
  private boolean begun;
  private boolean isProtobuf;

  /** Takes one event at a time, valid during the call only. */
  @FunctionalInterface
  interface Reader {
    void read(byte[] bytes, int from, int length) throws IOException;
  }

  /**
   * Begins.
   *
   * @param lines takes events if they come as JSON
   * @param messages takes events if they come as protobuf
   */
  WatchFrames(Reader lines, Reader messages) {
    this.lines = lines;
    this.messages = messages;
  }

  /**
   * Takes more, and passes on what has become complete.
   *
   * @throws IOException if an event is too long, or its reader does not like it
   */
  void take(ByteBuffer more) throws IOException {
    int searched = end;
    append(more);
    if (!begun && end > 0) {
      begun = true;
      isProtobuf = bytes[0] == 0;
    }
    int read = isProtobuf ? readMessages() : readLines(searched);
    if (read > 0) {
      end -= read;
      System.arraycopy(bytes, read, bytes, 0, end);
      if (end <= SMALL && bytes.length > SMALL) {
        bytes = Arrays.copyOf(bytes, SMALL);
      }
    }
  }

  private int readLines(int searched) throws IOException {
    int from = 0;
    byte[] all = bytes;
    int to = end;
    for (int at = searched; at < to; at++) {
      if (all[at] == '\n') {
        lines.read(all, from, at - from);
        from = at + 1;
      }
    }
    return from;
  }

  private int readMessages() throws IOException {
    int from = 0;
    while (end - from >= LENGTH_BYTES) {
      int length = ByteBuffer.wrap(bytes, from, LENGTH_BYTES).getInt();
      if (length < 0 || length > LONGEST - LENGTH_BYTES) {
        throw new IOException("an event of more than " + LONGEST + " bytes");
      }
      int to = from + LENGTH_BYTES + length;
      if (to > end) {
        break;
      }
      messages.read(bytes, from + LENGTH_BYTES, length);
      from = to;
    }
    return from;
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
