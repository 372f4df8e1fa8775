package io.probelet.agent.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.concurrent.Future;
import io.probelet.agent.http.HttpEndpoint.Timeouts;
import io.probelet.agent.http.Resource.Answer;
import io.probelet.agent.http.Resource.BadRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection: takes one request, has it answered off the loop, and ends. */
final class Connection extends SimpleChannelInboundHandler<HttpObject> {
  private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

  private final Map<String, Resource> resources;
  private final HostNames hosts;
  private final ConnectionLimit<Channel> limit;
  private final Executor threads;
  private final Timeouts timeouts;
  private @Nullable Future<?> headDeadline;
  private @Nullable Future<?> deadline;
  private boolean taken;

  Connection(
      Map<String, Resource> resources,
      HostNames hosts,
      ConnectionLimit<Channel> limit,
      Executor threads,
      Timeouts timeouts) {
    this.resources = resources;
    this.hosts = hosts;
    this.limit = limit;
    this.threads = threads;
    this.timeouts = timeouts;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    // One bound over everything: dripping and never reading clients end alike.
    headDeadline = endAfter(timeouts.head(), ctx);
    deadline = endAfter(timeouts.all(), ctx);
  }

  private static Future<?> endAfter(Duration time, ChannelHandlerContext ctx) {
    return ctx.executor().schedule(() -> end(ctx), time.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cancel(headDeadline);
    cancel(deadline);
  }

  private static void cancel(@Nullable Future<?> deadline) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (!taken && message instanceof HttpRequest request) {
      taken = true;
      cancel(headDeadline);
      boolean mayBeAnswered = limit.asks(ctx.channel(), asksForHealth(request));
      if (mayBeAnswered) {
        threads.execute(() -> answer(ctx, request, answerTo(request)));
      } else {
        answer(ctx, request, error(503, "too many requests are being answered; ask again later"));
      }
    }
  }

  private static boolean asksForHealth(HttpRequest request) {
    return HttpEndpoint.HEALTH_PATHS.contains(path(request));
  }

  /** As it was asked for, without the query, which is nobody else's business. */
  private static String path(HttpRequest request) {
    String uri = request.uri();
    int query = uri.indexOf('?');
    return query < 0 ? uri : uri.substring(0, query);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    end(ctx); // the client reset the connection, so there is no one left to tell
  }

  private static void answer(ChannelHandlerContext ctx, HttpRequest request, Answer answer) {
    AnswerStream out =
        new AnswerStream(
            ctx.channel(),
            request.protocolVersion().equals(HttpVersion.HTTP_1_0)
                ? HttpVersion.HTTP_1_0
                : HttpVersion.HTTP_1_1,
            request.method().equals(HttpMethod.HEAD),
            answer.status(),
            answer.contentType());
    try {
      answer.body().writeTo(out);
      out.close();
    } catch (IOException | RuntimeException broken) {
      if (ctx.channel().isActive()) {
        LOG.warn("answer broke off path={} reason=\"{}\"", path(request), broken.toString());
      }
      end(ctx);
    }
  }

  private Answer answerTo(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return switch (request.decoderResult().cause()) {
        case TooLongHttpLineException _ -> error(414, "the request line is too long");
        case TooLongHttpHeaderException _ -> error(431, "the request's headers are too large");
        default -> error(400, "this is no HTTP request");
      };
    }
    Optional<String> refusal = hosts.refusal(request.headers().getAll(HttpHeaderNames.HOST));
    if (refusal.isPresent()) {
      return error(421, refusal.get());
    }
    String path;
    Map<String, List<String>> query;
    try {
      QueryStringDecoder uri = new QueryStringDecoder(request.uri());
      path = uri.path();
      query = uri.parameters();
    } catch (IllegalArgumentException undecodable) {
      return error(400, "the path or query is badly escaped: " + undecodable.getMessage());
    }
    Resource resource = resources.get(path);
    if (resource == null) {
      return error(404, "no " + path + " here; there is " + String.join(", ", resources.keySet()));
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
      return error(405, request.method() + " is not allowed; use GET or HEAD");
    }
    try {
      return resource.get(query);
    } catch (BadRequest bad) {
      return error(400, String.valueOf(bad.getMessage()));
    } catch (Exception failure) {
      LOG.warn("no answer path={} reason=\"{}\"", path, failure.toString());
      return error(500, failure.toString());
    }
  }

  private static void end(ChannelHandlerContext ctx) {
    var _ = ctx.close();
  }

  private static Answer error(int status, String message) {
    String escaped = String.valueOf(JsonStringEncoder.getInstance().quoteAsString(message));
    return Answer.of(status, Resource.JSON, "{\"error\":\"" + escaped + "\"}\n");
  }
}
