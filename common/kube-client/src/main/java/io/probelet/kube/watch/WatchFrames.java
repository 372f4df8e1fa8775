package io.probelet.kube.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Cuts what a watch sends into events. Those of JSON are a line each; before one of protobuf stands
 * its length, in four bytes of which the first is zero, as no event is near as long. Nothing of
 * JSON begins so. An event that is too long is skipped, and the next one is read.
 */
final class WatchFrames {
  private static final int SMALL = 1 << 16;

  /**
   * No event is longer: etcd takes 1.5 MiB, of which JSON makes six times as much where each letter
   * is escaped.
   */
  static final int LONGEST = 10 << 20;

  /** The first byte of a length is zero: anything else is no frame. */
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
   * @param tooLong run for each event that is skipped
   */
  WatchFrames(Reader lines, Reader messages, Runnable tooLong) {
    this.lines = lines;
    this.messages = messages;
    this.tooLong = tooLong;
  }

  /**
   * Takes more, and passes on what has become complete.
   *
   * @throws IOException if an event's reader does not like it
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

  /** The rest of a line, or so many bytes of a message. */
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
