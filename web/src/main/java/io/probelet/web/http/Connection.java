package io.probelet.web.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.probelet.health.GoDuration;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.http.Resource.LiveBody;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection: takes a request, has it answered off the loop, and ends or waits for the next. At
 * every moment there is one deadline. Lives on the connection's loop.
 */
final class Connection extends SimpleChannelInboundHandler<HttpObject>
    implements AnswerStream.Progress {

  /** Methods whose body is read. */
  private static final Set<HttpMethod> WITH_BODY = Set.of(HttpMethod.POST, HttpMethod.PUT);

  /** How long a client that has its answer may go on sending. */
  private static final Duration LINGER = Duration.ofSeconds(1);

  private final Channel channel;
  private final Routing routing;
  private final HttpLimits limits;
  private final ConnectionLimit<Channel> limit;
  private final Executor threads;
  private final SharedAnswers health;
  private final RequestLog log;
  private State state = State.WAITING;
  private @Nullable Upload upload;
  private boolean complete;
  private boolean keepAlive;
  private @Nullable Future<?> deadline;

  /** What the newest answer is sent by; set by the thread that makes it. */
  private volatile @Nullable AnswerStream answering;

  private enum State {
    /** For a request's headers. */
    WAITING,
    /** For the rest of a request, or until it is answered. */
    BUSY,
    /** The answer is complete, but a client that still sends might otherwise not read it. */
    ENDING
  }

  /** A request whose body is still coming. */
  private record Upload(HttpRequest request, PostResource resource, ByteArrayOutputStream body) {}

  Connection(
      Channel channel,
      Routing routing,
      HttpLimits limits,
      ConnectionLimit<Channel> limit,
      Executor threads,
      SharedAnswers health,
      RequestLog log) {
    this.channel = channel;
    this.routing = routing;
    this.limits = limits;
    this.limit = limit;
    this.threads = threads;
    this.health = health;
    this.log = log;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    endAfter(limits.timeouts().head());
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  /** Slow senders and clients that do not read are closed like silent ones. */
  private void endAfter(Duration time) {
    after(time, this::end);
  }

  private void after(Duration time, Runnable over) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline = channel.eventLoop().schedule(over, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void end() {
    var _ = channel.close();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message instanceof HttpRequest request) {
      if (state == State.WAITING) {
        begin(request);
      } else {
        keepAlive = false; // pipelined request: only one is answered
      }
    }
    if (message instanceof HttpContent content) {
      take(content);
    }
  }

  private void begin(HttpRequest request) {
    state = State.BUSY;
    complete = request.decoderResult().isFailure(); // no end follows: what comes is not decoded
    keepAlive =
        limits.keepAlive()
            && request.protocolVersion().equals(HttpVersion.HTTP_1_1)
            && HttpUtil.isKeepAlive(request)
            && (WITH_BODY.contains(request.method()) || !announcesBody(request));
    endAfter(limits.timeouts().body());
    switch (routing.of(request)) {
      case Routing.Next.Call(Callable<Answer> answer) -> answer(request, answer);
      case Routing.Next.Health(String key, Callable<Answer> answer) ->
          answerHealth(request, key, answer);
      case Routing.Next.Ask(GuardedResource resource, List<String> authorization) ->
          answer(request, () -> resource.get(client(), authorization));
      case Routing.Next.Read(PostResource resource) -> {
        upload = new Upload(request, resource, new ByteArrayOutputStream());
        if (HttpUtil.is100ContinueExpected(request)) {
          var _ =
              channel.writeAndFlush(
                  new DefaultFullHttpResponse(
                      HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
        }
      }
      case Routing.Next.Refuse(Answer answer, List<String> allowed) ->
          refuse(request, answer, allowed);
    }
  }

  /** A body that is not read. The next request would follow it. */
  private static boolean announcesBody(HttpRequest request) {
    return HttpUtil.isTransferEncodingChunked(request)
        || !request.headers().get(HttpHeaderNames.CONTENT_LENGTH, "0").equals("0");
  }

  private InetAddress client() {
    return ((InetSocketAddress) channel.remoteAddress()).getAddress();
  }

  private void take(HttpContent content) {
    complete |= content instanceof LastHttpContent;
    if (upload != null) {
      read(upload, content);
    } else if (state == State.ENDING && complete) {
      end();
    }
  }

  private void read(Upload reading, HttpContent content) {
    int length = content.content().readableBytes();
    if (content.decoderResult().isFailure()) {
      upload = null;
      refuse(reading.request(), routing.errors().of(400, "not an HTTP request"), List.of());
    } else if (reading.body().size() + length > routing.bodyBytes()) {
      upload = null;
      refuse(reading.request(), routing.tooLarge(), List.of());
    } else {
      byte[] bytes = new byte[length];
      content.content().readBytes(bytes);
      reading.body().writeBytes(bytes);
      if (complete) {
        upload = null;
        answer(reading.request(), () -> reading.resource().post(reading.body().toByteArray()));
      }
    }
  }

  private void refuse(HttpRequest request, Answer why, List<String> allowed) {
    keepAlive = false;
    AnswerStream out = stream(request, false, why);
    if (!allowed.isEmpty()) {
      out.allow(allowed);
    }
    write(request, why, out);
  }

  private void answer(HttpRequest request, Callable<Answer> answer) {
    if (granted(request, false)) {
      boolean reusable = keepAlive;
      threads.execute(() -> {
        try {
          if (channel.isActive()) {
            send(request, reusable, made(request, answer));
          }
        } finally {
          limit.made(channel);
        }
      });
    }
  }

  private void answerHealth(HttpRequest request, String key, Callable<Answer> answer) {
    if (granted(request, true)) {
      boolean reusable = keepAlive;
      health.get(key, () -> made(request, answer), made -> send(request, reusable, made));
    }
  }

  private boolean granted(HttpRequest request, boolean forHealth) {
    if (!limit.asks(channel, forHealth)) {
      refuse(
          request,
          routing.errors().of(503, "too many requests in progress; retry later"),
          List.of());
      return false;
    }
    answering = null;
    after(limits.timeouts().answer(), () -> late(request));
    return true;
  }

  private void send(HttpRequest request, boolean reusable, Answer made) {
    AnswerStream out = stream(request, reusable, made);
    answering = out;
    write(request, made, out);
  }

  /** A slow reader is cut off; a client that got nothing yet gets the reason. */
  private void late(HttpRequest request) {
    AnswerStream out = answering;
    if (out != null && out.begun()) {
      end();
      return;
    }
    limit.late(channel);
    endAfter(limits.timeouts().body());
    String within = GoDuration.format(limits.timeouts().answer());
    log.failed("no answer", path(request), "not within " + within);
    refuse(request, routing.errors().of(503, "no answer within " + within), List.of());
  }

  private Answer made(HttpRequest request, Callable<Answer> answer) {
    try {
      return answer.call();
    } catch (BadRequest bad) {
      return routing.errors().of(400, String.valueOf(bad.getMessage()));
    } catch (Exception failure) {
      log.failed("no answer", path(request), failure.toString());
      return routing.errors().of(500, AnswerFailure.of(failure));
    }
  }

  private AnswerStream stream(HttpRequest request, boolean reusable, Answer answer) {
    return new AnswerStream(channel, request, reusable, answer, this);
  }

  @Override
  public void begins() {
    limit.sending(channel);
  }

  /** A live answer may go on while its reader keeps up: the deadline is of what comes next. */
  @Override
  public void flushed() {
    channel
        .eventLoop()
        .execute(() -> {
          if (state == State.BUSY && channel.isActive()) {
            endAfter(limits.timeouts().answer());
          }
        });
  }

  private void write(HttpRequest request, Answer answer, AnswerStream out) {
    try {
      if (!(answer.body() instanceof LiveBody && request.method().equals(HttpMethod.HEAD))) {
        answer.body().writeTo(out);
      }
      out.close();
    } catch (IOException | RuntimeException broken) {
      if (channel.isActive()) {
        log.failed("response aborted", path(request), broken.toString());
      }
      if (out.begun()) {
        end();
      } else {
        // Nothing was sent yet: silence would look like a dead server.
        Answer why = routing.errors().of(500, AnswerFailure.of(broken));
        write(request, why, stream(request, false, why));
      }
    }
  }

  @Override
  public void sent(ChannelFuture sent) {
    if (!sent.isSuccess() || (complete && !keepAlive)) {
      end();
    } else if (complete) {
      state = State.WAITING;
      limit.answered(channel);
      endAfter(limits.timeouts().idle());
    } else {
      state = State.ENDING;
      limit.finished(channel);
      endAfter(LINGER);
      endOutput();
    }
  }

  /**
   * Ends the answer for the client. What it still sends is read for a moment: closing with unread
   * bytes would reset the connection, and the client might lose its answer.
   */
  private void endOutput() {
    if (channel instanceof DuplexChannel plain
        && channel.pipeline().get(SslHandler.class) == null) {
      var _ = plain.shutdownOutput();
    }
  }

  /** The path without the query, which may hold secrets. */
  private static String path(HttpRequest request) {
    String uri = request.uri();
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    end(); // the client reset the connection or speaks no TLS, so there is no one left to answer
  }
}
