package io.probelet.probe.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.probelet.probe.Verdict;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Failure;
import io.probelet.probe.h2.H2Listener;
import io.probelet.probe.h2.H2Options;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.NetFailure;
import io.probelet.probe.net.Phase;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One request and its answer in HTTP/2, for servers that choose it by ALPN (H-7). */
final class Http2Exchange implements H2Listener {
  /** They speak of the connection, which HTTP/2 manages by itself. */
  private static final Set<String> LEFT_OUT =
      Set.of("connection", "keep-alive", "proxy-connection", "upgrade");

  private final Attempt attempt;
  private final ProbeUrl url;
  private final AnswerListener listener;
  private @Nullable Answer answer;
  private boolean over;

  Http2Exchange(Attempt attempt, ProbeUrl url, AnswerListener listener) {
    this.attempt = attempt;
    this.url = url;
    this.listener = listener;
  }

  void start(Channel channel, RequestHead head) {
    Http2Headers headers =
        new DefaultHttp2Headers(false)
            .method("GET")
            .scheme("https")
            .authority(head.host() == null ? url.authority() : head.host())
            .path(url.target());
    for (HeaderField header : head.headers()) {
      String name = header.name().toLowerCase(Locale.ROOT);
      if (!LEFT_OUT.contains(name)) {
        headers.add(name, header.value());
      }
    }
    H2Connection.open(channel, H2Options.PROBE).request(headers, Unpooled.EMPTY_BUFFER, this);
  }

  @Override
  public void headers(Http2Headers headers, boolean end) {
    if (attempt.phase() == Phase.WAITING) {
      attempt.enter(Phase.READING);
    }
    CharSequence location = headers.get("location");
    answer =
        new Answer(
            Integer.parseInt(headers.status().toString()),
            location == null ? null : location.toString(),
            new BodyHead());
    over = attempt.over() || !listener.head(answer);
    completeIf(end);
  }

  @Override
  public void data(ByteBuf data, boolean end) {
    if (over || answer == null) {
      return;
    }
    byte[] piece = new byte[Math.min(data.readableBytes(), Verdict.OUTPUT_LIMIT)];
    data.readBytes(piece);
    answer.body().add(piece, 0, piece.length);
    completeIf(end || answer.body().full());
  }

  @Override
  public void trailers(Http2Headers trailers) {
    completeIf(true);
  }

  @Override
  public void failed(H2Failure failure) {
    if (over || attempt.over()) {
      return;
    }
    over = true;
    listener.failed(
        failure instanceof H2Failure.Closed closed && closed.cause() != null
            ? NetFailure.reading(url.endpoint(), closed.cause())
            : new NetFailure(null, "http2: " + failure.describe(), failure.definite()));
  }

  private void completeIf(boolean end) {
    if (end && !over && answer != null) {
      over = true;
      listener.complete(answer);
    }
  }
}
