package io.probelet.probe.http;

import io.probelet.probe.http.HeaderLines.LineBuffer;
import io.probelet.probe.http.HttpResponse.BodyHead;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a chunked body and its trailer. */
final class ChunkedBody {
  private static final int LONGEST_LINE = 4096;

  /** Bytes of the trailer with the empty line that ends it, as in Go. */
  private static final int MAX_TRAILER = 4096;

  /** More hexadecimal digits are too much even if they are all zero, as in Go. */
  private static final int MAX_DIGITS = 16;

  /** Allowed extra bytes of framing; chunk extensions could be endless. */
  private static final int MAX_OVERHEAD = 16 * 1024;

  /** More in one chunk pays for no more framing. */
  private static final long MAX_DATA = 1L << 40;

  private enum State {
    LENGTH,
    DATA,
    DATA_END,
    TRAILER,
    DONE
  }

  private final BodyHead kept;
  private State state = State.LENGTH;
  private final StringBuilder line = new StringBuilder();
  private long left;
  private long overhead;
  private @Nullable String fault;

  ChunkedBody(BodyHead kept) {
    this.kept = kept;
  }

  /** {@return whether the trailer has ended} */
  boolean complete() {
    return state == State.DONE;
  }

  /** {@return the error of the framing, or null} */
  @Nullable String fault() {
    return fault;
  }

  /**
   * Takes the next bytes.
   *
   * @return the index behind those that were used
   */
  int feed(byte[] bytes, int from, int to) {
    int at = from;
    while (at < to && fault == null && state != State.DONE && !kept.full()) {
      if (state == State.DATA) {
        int taken = (int) Math.min(to - at, left);
        kept.add(bytes, at, at + taken);
        at += taken;
        left -= taken;
        state = left == 0 ? State.DATA_END : State.DATA;
      } else {
        framing(bytes[at++]);
      }
    }
    return at;
  }

  private void framing(byte next) {
    if (state == State.TRAILER) {
      trailer(next);
      return;
    }
    if (next != '\n') {
      line.append((char) (next & 0xff));
      if (line.length() > LONGEST_LINE) {
        fault = "header line too long";
      } else if (state == State.DATA_END && !"\r".contentEquals(line)) {
        fault = "malformed chunked encoding";
      }
      return;
    }
    String text = line.toString();
    line.setLength(0);
    if (state == State.LENGTH) {
      length(text);
    } else {
      fault = text.equals("\r") ? null : "malformed chunked encoding";
      state = State.LENGTH;
    }
  }

  /** Nothing of it matters, but that it is well-formed and ends. */
  private void trailer(byte next) {
    line.append((char) (next & 0xff));
    if (line.length() > MAX_TRAILER) {
      fault = "http: suspiciously long trailer after chunked body";
    } else if (next == '\n' && endsTrailer()) {
      HeaderLines lines = new HeaderLines(new LineBuffer());
      for (int i = 0; i < line.length() && !lines.add((byte) line.charAt(i)); i++) {}
      fault = lines.fault();
      state = State.DONE;
    }
  }

  private boolean endsTrailer() {
    int length = line.length();
    return length == 2
        ? line.charAt(0) == '\r'
        : length >= 4 && line.indexOf("\r\n\r\n", length - 4) >= 0;
  }

  private void length(String text) {
    int end = text.indexOf('\r');
    if (end != text.length() - 1 || end < 0) { // strict here, where smuggling begins
      fault = end < 0 ? "chunked line ends with bare LF" : "invalid CR in chunked line";
      return;
    }
    int semicolon = text.indexOf(';');
    String digits = text.substring(0, semicolon < 0 ? end : semicolon).stripTrailing();
    if (digits.isEmpty() || digits.length() > MAX_DIGITS || !isHex(digits)) {
      fault =
          digits.length() > MAX_DIGITS
              ? "http chunk length too large"
              : "invalid chunk length \"" + Quoted.of(digits) + "\"";
      return;
    }
    long announced = Long.parseUnsignedLong(digits, 16);
    left = announced < 0 ? Long.MAX_VALUE : announced; // more than ever comes
    overhead = Math.max(0, overhead + text.length() + 3 - 16 - 2 * Math.min(left, MAX_DATA));
    if (overhead > MAX_OVERHEAD) {
      fault = "chunked encoding contains too much non-data";
    }
    state = left == 0 ? State.TRAILER : State.DATA;
  }

  private static boolean isHex(String text) {
    return text.toLowerCase(Locale.ROOT).chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0);
  }
}
