package io.probelet.probe.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Collects one line byte by byte, without the white space around it. */
final class LineBuffer {
  private byte[] bytes = new byte[128];
  private int length;
  private boolean ended;
  private boolean folding;

  /**
   * Takes the next byte.
   *
   * @return whether it ends the line
   */
  boolean add(byte next) {
    if (next == '\n') {
      if (length > 0 && bytes[length - 1] == '\r') {
        length--;
      }
      trimEnd();
      ended = true;
      return true;
    }
    folding &= next == ' ' || next == '\t';
    if (!folding) {
      append(next);
    }
    return false;
  }

  /** Takes the first blank of a line that continues this one; all blanks count as one. */
  void fold() {
    ended = false;
    folding = true;
    append((byte) ' ');
  }

  private void append(byte next) {
    if (length == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = next;
  }

  private void trimEnd() {
    while (length > 0 && (bytes[length - 1] == ' ' || bytes[length - 1] == '\t')) {
      length--;
    }
  }

  /** {@return whether the last byte ended the line} */
  boolean ended() {
    return ended;
  }

  boolean isEmpty() {
    return length == 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  String text() {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  void clear() {
    length = 0;
    ended = false;
    folding = false;
  }
}
