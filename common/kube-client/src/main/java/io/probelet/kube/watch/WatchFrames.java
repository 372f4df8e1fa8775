package io.probelet.kube.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Splits the data of a watch into events. A JSON event is a line. A protobuf event is preceded by
 * its length in four bytes, of which the first is always zero; no JSON begins with it. An event
 * that is too long is skipped.
 */
final class WatchFrames {
  private static final int SMALL = 1 << 16;

  /**
   * The longest possible event: etcd accepts 1.5 MiB, and JSON escapes may multiply that by six.
   */
  static final int LONGEST = 10 << 20;

  /** The first byte of a length is zero: otherwise it is not a frame. */
  private static final int NO_LENGTH = 1 << 24;

  private static final int LENGTH_BYTES = Integer.BYTES;

  private final Reader lines;
  private final Reader messages;
  private final Runnable tooLong;
  private int skipping;
  private byte[] bytes = new byte[SMALL];
  private int end;
  private int searched;
  private boolean begun;
  private boolean isProtobuf;

  /** Receives one event at a time, valid during the call only. */
  @FunctionalInterface
  interface Reader {
    void read(byte[] bytes, int from, int length) throws IOException;
  }

  /**
   * Begins.
   *
   * @param lines receives JSON events
   * @param messages receives protobuf events
   * @param tooLong run for each event that is skipped
   */
  WatchFrames(Reader lines, Reader messages, Runnable tooLong) {
    this.lines = lines;
    this.messages = messages;
    this.tooLong = tooLong;
  }

  /**
   * Adds data, and passes on complete events.
   *
   * @throws IOException if the reader of an event rejects it
   */
  void take(ByteBuffer more) throws IOException {
    while (more.hasRemaining()) {
      if (skipping > 0) {
        skip(more);
      } else {
        append(more);
        passOn();
      }
    }
  }

  private void passOn() throws IOException {
    int read = isProtobuf ? readMessages() : readLines();
    end -= read;
    System.arraycopy(bytes, read, bytes, 0, end);
    searched = end;
    if (end == LONGEST) {
      skipLine();
    }
    if (end <= SMALL && bytes.length > SMALL) {
      bytes = Arrays.copyOf(bytes, SMALL);
    }
  }

  private void skipLine() {
    tooLong.run();
    skipping = Integer.MAX_VALUE;
    end = 0;
    searched = 0;
  }

  /** Skips the rest of a line, or a number of bytes of a message. */
  private void skip(ByteBuffer more) {
    while (skipping > 0 && more.hasRemaining()) {
      if (isProtobuf) {
        int length = Math.min(skipping, more.remaining());
        more.position(more.position() + length);
        skipping -= length;
      } else if (more.get() == '\n') {
        skipping = 0;
      }
    }
  }

  private int readLines() throws IOException {
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
      if (length < 0 || length >= NO_LENGTH) {
        throw new IOException("event exceeds " + NO_LENGTH + " bytes");
      }
      if (length > LONGEST - LENGTH_BYTES) {
        int there = Math.min(length, end - from - LENGTH_BYTES);
        tooLong.run();
        skipping = length - there;
        from += LENGTH_BYTES + there;
        continue;
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

  private void append(ByteBuffer more) {
    int length = Math.min(more.remaining(), LONGEST - end);
    if (length > bytes.length - end) {
      bytes = Arrays.copyOf(bytes, Math.min(LONGEST, Math.max(2 * bytes.length, end + length)));
    }
    more.get(bytes, end, length);
    end += length;
    if (!begun) {
      begun = true;
      isProtobuf = bytes[0] == 0;
    }
  }
}
