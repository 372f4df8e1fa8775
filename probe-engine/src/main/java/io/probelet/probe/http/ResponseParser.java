package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.http.HeaderLines.HeaderBlock;
import io.probelet.probe.http.HeaderLines.LineBuffer;
import io.probelet.probe.http.HttpResponse.BodyHead;
import io.probelet.probe.http.HttpResponse.WantedHeaders;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads one HTTP/1 response from bytes in whatever pieces they come. Interim responses are skipped
 * (H-6), the body ends by chunks, length or the end of the connection (H-5), and whatever comes
 * after is ignored.
 */
final class ResponseParser {
  /** Bytes of heads, interim ones counted in; longer ones are malformed, as in Go. */
  static final int MAX_HEAD = 10 * 1024 * 1024;

  private enum State {
    STATUS_LINE,
    HEADERS,
    BODY,
    DONE,
    BROKEN
  }

  private State state = State.STATUS_LINE;
  private final LineBuffer line = new LineBuffer();
  private int headBytes;
  private boolean anything;

  private int status;
  private boolean http11;
  private final WantedHeaders wanted;
  private final boolean bodiless;
  private final HeaderLines headers;

  private @Nullable HttpResponse answer;
  private @Nullable ChunkedBody chunks;
  private long left;
  private String fault = "";

  /** Reads the answer to a GET of which no header is asked for. */
  ResponseParser() {
    this(HttpExpectation.KUBELET, false);
  }

  /**
   * Reads one answer.
   *
   * @param expected says which headers are kept
   * @param bodiless whether the answer ends with its head, as that to HEAD does
   */
  ResponseParser(HttpExpectation expected, boolean bodiless) {
    wanted = WantedHeaders.of(expected);
    this.bodiless = bodiless;
    headers = new HeaderLines(line, wanted);
  }

  /** {@return the answer once its head is complete, else null} */
  @Nullable HttpResponse answer() {
    return answer;
  }

  /** {@return whether nothing more is needed} */
  boolean complete() {
    return state == State.DONE;
  }

  /** {@return the error of the response, or null} */
  @Nullable String fault() {
    return state == State.BROKEN ? fault : null;
  }

  /** Takes the next bytes. */
  void feed(byte[] bytes, int from, int to) {
    anything |= to > from;
    int at = from;
    while (at < to && state != State.DONE && state != State.BROKEN) {
      at = state == State.BODY ? body(bytes, at, to) : head(bytes, at, to);
    }
  }

  /** Takes the end of the connection. */
  void end() {
    if (state == State.BODY && chunks == null && left < 0) {
      state = State.DONE;
    } else if (state != State.DONE && state != State.BROKEN) {
      broken(anything ? "unexpected EOF" : "EOF");
    }
  }

  private int head(byte[] bytes, int from, int to) {
    for (int at = from; at < to; at++) {
      if (++headBytes > MAX_HEAD) {
        broken("server response headers exceeded " + MAX_HEAD + " bytes; aborted");
        return at;
      }
      if (state == State.STATUS_LINE) {
        if (line.add(bytes[at])) {
          statusLine(line.text());
          line.clear();
        }
      } else if (headers.add(bytes[at])) {
        headEnded();
      }
      if (state != State.STATUS_LINE && state != State.HEADERS) {
        return at + 1;
      }
    }
    return to;
  }

  private void statusLine(String text) {
    int space = text.indexOf(' ');
    if (space < 0) {
      broken("malformed HTTP response \"" + Quoted.of(text) + "\"");
      return;
    }
    int from = space;
    while (from < text.length() && text.charAt(from) == ' ') {
      from++;
    }
    int end = text.indexOf(' ', from);
    int codeEnds = end < 0 ? text.length() : end;
    int number = codeEnds - from == 3 ? decimal(text, from, codeEnds) : -1;
    if (number < 0) {
      String code = text.substring(from, codeEnds);
      broken("malformed HTTP status code \"" + Quoted.of(code) + "\"");
    } else if (!startsWithVersion(text, space)) {
      broken("malformed HTTP version \"" + Quoted.of(text.substring(0, space)) + "\"");
    } else {
      http11 = text.charAt(5) > '1' || (text.charAt(5) == '1' && text.charAt(7) >= '1');
      status = number;
      state = State.HEADERS;
    }
  }

  private static int decimal(String text, int from, int to) {
    try {
      return Integer.parseInt(text, from, to, 10);
    } catch (NumberFormatException notANumber) {
      return -1;
    }
  }

  private static boolean startsWithVersion(String text, int length) {
    return length == 8
        && text.startsWith("HTTP/")
        && isDigit(text.charAt(5))
        && text.charAt(6) == '.'
        && isDigit(text.charAt(7));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private void headEnded() {
    if (headers.fault() != null) {
      broken(headers.fault());
      return;
    }
    HeaderBlock block = headers.block();
    String wrong = block.fault(http11);
    if (wrong != null) {
      broken(wrong);
      return;
    }
    // H-6: an interim answer, the real one follows
    if (status >= 100 && status < 200 && status != 101) {
      headers.restart();
      state = State.STATUS_LINE;
      return;
    }
    answer = new HttpResponse(status, block.location(), wanted.values(), new BodyHead());
    if (bodiless || status == 101 || status == 204 || status == 304) {
      state = State.DONE;
    } else if (block.chunked(http11)) {
      chunks = new ChunkedBody(answer.body());
      state = State.BODY;
    } else {
      left = block.contentLength();
      state = left == 0 ? State.DONE : State.BODY;
    }
  }

  private int body(byte[] bytes, int from, int to) {
    BodyHead kept = Objects.requireNonNull(answer).body();
    int at;
    if (chunks != null) {
      at = chunks.feed(bytes, from, to);
      if (chunks.fault() != null) {
        broken(chunks.fault());
      } else if (chunks.complete()) {
        state = State.DONE;
      }
    } else {
      at = left < 0 ? to : from + (int) Math.min(to - from, left);
      kept.add(bytes, from, at);
      if (left > 0) {
        left -= at - from;
        state = left == 0 ? State.DONE : state;
      }
    }
    if (kept.full() && state == State.BODY) {
      state = State.DONE; // the rest is not waited for
    }
    return at;
  }

  private void broken(String why) {
    fault = why;
    state = State.BROKEN;
  }
}
