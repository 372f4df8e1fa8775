package io.probelet.probe.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Collects one line byte by byte, without the white space around it. What a line has beyond {@link
 * #MAX_KEPT} bytes is parsed and forgotten: a head may have 10 MiB, a probe must not hold them.
 */
final class LineBuffer {
  /** More than any Location that servers agree on. */
  static final int MAX_KEPT = 16 * 1024;

  private byte[] bytes = new byte[64];
  private int length;
  private boolean ended;
  private boolean folding;
  private @Nullable Rest rest;

  /** What can be said of the bytes of a header line that were not kept. */
  static final class Rest {
    private boolean name = true;
    private boolean colon;
    private boolean valueBehindColon = true;
    private boolean value = true;
    private boolean returned;

    private void add(byte next) {
      boolean valid = HttpBytes.isValueByte(next & 0xff) && !returned;
      returned |= next == '\r'; // fine where the line ends with it
      valid |= next == '\r';
      value &= valid;
      if (colon) {
        valueBehindColon &= valid;
      } else if (next == ':') {
        colon = true;
      } else {
        name &= next == ' ' || HttpBytes.isTokenByte(next);
      }
    }

    /** {@return whether it can go on a value} */
    boolean isValue() {
      return value;
    }

    /** {@return whether it can go on a name, with a colon and a value behind it} */
    boolean endsName() {
      return name && colon && valueBehindColon;
    }
  }

  /**
   * Takes the next byte.
   *
   * @return whether it ends the line
   */
  boolean add(byte next) {
    if (next == '\n') {
      if (rest != null) {
        rest.returned = false;
      } else {
        if (length > 0 && bytes[length - 1] == '\r') {
          length--;
        }
        trimEnd();
      }
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
      if (length == MAX_KEPT) {
        forget(next);
        return;
      }
      bytes = Arrays.copyOf(bytes, 2 * length);
    }
    bytes[length++] = next;
  }

  private void forget(byte next) {
    if (rest == null) {
      rest = new Rest();
    }
    rest.add(next);
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

  /** {@return what is known of the line beyond what was kept, null if all of it was} */
  @Nullable Rest rest() {
    return rest;
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
    rest = null;
  }
}
