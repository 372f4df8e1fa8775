package io.probelet.probe.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a body in chunks, each with its length in front, and the trailer behind them. */
final class ChunkedBody {
  private static final int LONGEST_LINE = 4096;

  /** Bytes of framing granted beyond what honest chunks need; extensions could go on for ever. */
  private static final int MOST_OVERHEAD = 16 * 1024;

  private enum State {
    LENGTH,
    DATA,
    DATA_END,
    TRAILER,
    DONE
  }

  private final BodyHead kept;
  private final int trailerLimit;
  private State state = State.LENGTH;
  private final StringBuilder line = new StringBuilder();
  private long left;
  private long overhead;
  private int trailerBytes;
  private @Nullable String fault;

  ChunkedBody(BodyHead kept, int trailerLimit) {
    this.kept = kept;
    this.trailerLimit = trailerLimit;
  }

  /** {@return whether the trailer has ended} */
  boolean complete() {
    return state == State.DONE;
  }

  /** {@return what is wrong with the framing, or null} */
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
    if (state == State.TRAILER && ++trailerBytes > trailerLimit) {
      fault = "http: suspiciously long trailer after chunked body";
      return;
    }
    if (next != '\n') {
      line.append((char) (next & 0xff));
      if (line.length() > LONGEST_LINE && state != State.TRAILER) {
        fault = "header line too long";
      } else if (state == State.DATA_END && !"\r".contentEquals(line)) {
        fault = "malformed chunked encoding";
      }
      return;
    }
    String text = line.toString();
    line.setLength(0);
    switch (state) {
      case LENGTH -> length(text);
      case DATA_END -> {
        fault = text.equals("\r") ? null : "malformed chunked encoding";
        state = State.LENGTH;
      }
      default -> state = text.isEmpty() || text.equals("\r") ? State.DONE : State.TRAILER;
    }
  }

  private void length(String text) {
    int end = text.indexOf('\r');
    if (end != text.length() - 1 || end < 0) { // strict here, where smuggling begins
      fault = end < 0 ? "chunked line ends with bare LF" : "invalid CR in chunked line";
      return;
    }
    int semicolon = text.indexOf(';');
    String digits = text.substring(0, semicolon < 0 ? end : semicolon).stripTrailing();
    if (digits.isEmpty() || digits.length() > 15 || !isHex(digits)) {
      fault =
          digits.length() > 15
              ? "http chunk length too large"
              : "invalid chunk length \"" + Quoted.of(digits) + "\"";
      return;
    }
    left = Long.parseLong(digits, 16);
    overhead = Math.max(0, overhead + text.length() + 3 - 16 - 2 * left);
    if (overhead > MOST_OVERHEAD) {
      fault = "chunked encoding contains too much non-data";
    }
    state = left == 0 ? State.TRAILER : State.DATA;
  }

  private static boolean isHex(String text) {
    return text.toLowerCase(Locale.ROOT).chars().allMatch(c -> "0123456789abcdef".indexOf(c) >= 0);
  }
}
