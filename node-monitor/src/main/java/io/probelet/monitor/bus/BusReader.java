package io.probelet.monitor.bus;

import io.probelet.health.OneLine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads the values of a D-Bus message in order. The sender chose every length; one that exceeds the
 * message ends the reading with an {@link IOException}. Alignment is relative to the buffer's
 * beginning.
 */
final class BusReader {
  /** The most characters kept of a text. */
  static final int MAX_TEXT = 4096;

  private final ByteBuffer in;

  BusReader(ByteBuffer in) {
    this.in = in;
  }

  int position() {
    return in.position();
  }

  void align(int to) throws IOException {
    long next = Math.ceilDiv((long) in.position(), (long) to) * to;
    if (next > in.limit()) {
      throw malformed("padding exceeds the message");
    }
    in.position((int) next);
  }

  /** {@return a byte, from 0 to 255} */
  int octet() throws IOException {
    need(1);
    return in.get() & 0xff;
  }

  int uint32() throws IOException {
    align(4);
    need(4);
    return in.getInt();
  }

  /** {@return a text on one line} */
  String string() throws IOException {
    return OneLine.of(text(length()), MAX_TEXT);
  }

  /** {@return a signature: at most 255 characters} */
  String signature() throws IOException {
    return OneLine.of(text(octet()), MAX_TEXT);
  }

  /**
   * Reads an array's length.
   *
   * @return where it ends
   */
  int arrayEnd(int alignment) throws IOException {
    int length = length();
    align(alignment);
    need(length);
    return in.position() + length;
  }

  private int length() throws IOException {
    int length = uint32();
    if (length < 0 || length > in.remaining()) {
      throw malformed("invalid length of " + Integer.toUnsignedString(length) + " bytes");
    }
    return length;
  }

  /** A zero byte follows a text. */
  private String text(int length) throws IOException {
    need(length + 1);
    byte[] text = new byte[length];
    in.get(text);
    if (in.get() != 0) {
      throw malformed("string is not null-terminated");
    }
    return new String(text, StandardCharsets.UTF_8);
  }

  private void need(int bytes) throws IOException {
    if (in.remaining() < bytes) {
      throw malformed("a value exceeds the message");
    }
  }

  static IOException malformed(String what) {
    return new IOException("malformed D-Bus message: " + what);
  }
}
