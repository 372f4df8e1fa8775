package io.probelet.probe.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.Verdict;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Failure;
import io.probelet.probe.h2.H2Listener;
import io.probelet.probe.h2.H2Options;
import io.probelet.probe.http.HttpResponse.BodyHead;
import io.probelet.probe.http.HttpResponse.WantedHeaders;
import io.probelet.probe.http.RequestHead.HeaderField;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.net.NetFailure;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request and its answer in HTTP/2, by ALPN (H-7) or prior knowledge (H-11). */
final class Http2Exchange implements H2Listener {
  /** They speak of the connection, which HTTP/2 manages by itself. */
  private static final Set<String> LEFT_OUT =
      Set.of("connection", "keep-alive", "proxy-connection", "upgrade");

  private final Attempt attempt;
  private final ProbeUrl url;
  private final Method method;
  private final WantedHeaders wanted;
  private final HttpResponse.Listener listener;
  private @Nullable HttpResponse answer;

  /** Bytes of the body that are still announced, -1 if there is no saying. */
  private long left = -1;

  private boolean over;

  Http2Exchange(
      Attempt attempt,
      Method method,
      ProbeUrl url,
      HttpExpectation expected,
      HttpResponse.Listener listener) {
    this.method = method;
    this.wanted = WantedHeaders.of(expected);
    this.attempt = attempt;
    this.url = url;
    this.listener = listener;
  }

  void start(Channel channel, RequestHead head) {
    if ("".equals(head.host())) {
      over = true;
      listener.failed(new NetFailure(null, "http2: invalid Host header"));
      return;
    }
    Http2Headers headers =
        new DefaultHttp2Headers(false)
            .method(method.name())
            .scheme(url.scheme() == Scheme.HTTPS ? "https" : "http")
            .authority(head.host() == null ? url.authority() : head.host())
            .path(url.target());
    for (HeaderField header : head.headers()) {
      String name = header.name().toLowerCase(Locale.ROOT);
      if (!LEFT_OUT.contains(name)) {
        // HTTP/1 sends UTF-8, too; Netty would send one byte for each character.
        headers.add(name, new AsciiString(header.value().getBytes(StandardCharsets.UTF_8)));
      }
    }
    if (method == Method.POST) {
      headers.add("content-length", "0");
    }
    H2Connection.open(channel, H2Options.PROBE).request(headers, Unpooled.EMPTY_BUFFER, this);
  }

  @Override
  public void headers(Http2Headers headers, boolean end) {
    if (attempt.phase() == Phase.WAITING) {
      attempt.enter(Phase.READING);
    }
    CharSequence status = headers.status();
    if (status == null || status.isEmpty()) {
      fail("missing status pseudo header");
      return;
    }
    int number;
    try {
      number = Integer.parseInt(status.toString());
    } catch (NumberFormatException notANumber) {
      fail("malformed non-numeric status pseudo header");
      return;
    }
    if (end && number >= 100 && number < 200) {
      fail("1xx informational response with END_STREAM flag");
      return;
    }
    CharSequence location = headers.get("location");
    boolean bodiless = method == Method.HEAD;
    left = bodiless ? -1 : contentLength(headers);
    if (wanted.any()) {
      headers.forEach(each -> wanted.add(each.getKey().toString(), each.getValue().toString()));
    }
    answer =
        new HttpResponse(
            number,
            location == null ? null : location.toString().strip(),
            wanted.values(),
            new BodyHead());
    over = attempt.over() || !listener.head(answer);
    completeIf(end || bodiless);
  }

  /** What is announced; -1 for nothing, or what is no length, as Go has it. */
  private static long contentLength(Http2Headers headers) {
    List<CharSequence> lengths = headers.getAll("content-length");
    try {
      return lengths.size() == 1 ? Math.max(-1, Long.parseLong(lengths.getFirst().toString())) : -1;
    } catch (NumberFormatException noLength) {
      return -1;
    }
  }

  @Override
  public void data(ByteBuf data, boolean end) {
    if (over || answer == null) {
      return;
    }
    int length = data.readableBytes();
    if (left >= 0 && length > left) {
      fail("net/http: server replied with more than declared Content-Length; truncated");
      return;
    }
    left -= left < 0 ? 0 : length;
    byte[] piece = new byte[Math.min(length, Verdict.OUTPUT_LIMIT)];
    data.readBytes(piece);
    answer.body().add(piece, 0, piece.length);
    if (answer.body().full()) {
      left = -1; // the rest is not waited for
    }
    completeIf(end || answer.body().full());
  }

  @Override
  public void trailers(Http2Headers trailers) {
    if (trailers.iterator().hasNext() && trailers.status() != null) {
      fail("pseudo header field in trailers");
    } else {
      completeIf(true);
    }
  }

  private void fail(String what) {
    if (!over && !attempt.over()) {
      over = true;
      listener.failed(new NetFailure(null, "malformed response from server: " + what));
    }
  }

  @Override
  public void failed(H2Failure failure) {
    if (over || attempt.over()) {
      return;
    }
    over = true;
    NetFailure reported =
        failure instanceof H2Failure.Closed closed && closed.cause() != null
            ? NetFailure.reading(url.endpoint(), closed.cause())
            : new NetFailure(null, "http2: " + failure.describe(), failure.definite());
    boolean unprocessed =
        switch (failure) {
          case H2Failure.GoneAway(long code, String ignored) -> code == Http2Error.NO_ERROR.code();
          case H2Failure.Reset(long code) -> code == Http2Error.REFUSED_STREAM.code();
          default -> false;
        };
    if (unprocessed && answer == null) {
      listener.unprocessed(reported);
    } else {
      listener.failed(reported);
    }
  }

  private void completeIf(boolean end) {
    if (!end || over || answer == null) {
      return;
    }
    if (left > 0) {
      fail("unexpected EOF");
    } else {
      over = true;
      listener.complete(answer);
    }
  }
}
