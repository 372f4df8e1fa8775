package io.probelet.agent.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.concurrent.Future;
import io.probelet.agent.http.Resource.Answer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One connection of a {@link PostEndpoint}: takes a request whole, has it answered, and waits for
 * the next. At every moment there is one deadline. All of it happens on the connection's loop.
 */
final class PostConnection extends SimpleChannelInboundHandler<HttpObject> {
  private final Channel channel;
  private final PostRoute route;
  private final Consumer<PostConnection> used;
  private ByteArrayOutputStream body = new ByteArrayOutputStream();
  private State state = State.WAITING;
  private boolean keepAlive;
  private @Nullable Future<?> deadline;

  private enum State {
    /** For headers. */
    WAITING,
    /** The body. */
    READING,
    /** And nothing else may come meanwhile. */
    ANSWERING,
    /** Whatever still comes is thrown away, so that who sends it gets to read why. */
    REFUSED
  }

  /**
   * Creates it for a connection that has just been made.
   *
   * @param used told when it has been of use
   */
  PostConnection(Channel channel, PostRoute route, Consumer<PostConnection> used) {
    this.channel = channel;
    this.route = route;
    this.used = used;
  }

  boolean isAnswering() {
    return state == State.ANSWERING;
  }

  void end() {
    var _ = channel.close();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    endAfter(route.limits().handshake().plus(route.limits().request()));
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  private void endAfter(Duration time) {
    if (deadline != null) {
      deadline.cancel(false);
    }
    deadline = channel.eventLoop().schedule(this::end, time.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
    if (message instanceof HttpRequest request) {
      if (state != State.WAITING) {
        end();
        return;
      }
      begin(request);
    }
    if (message instanceof HttpContent content) {
      take(content);
    }
  }

  private void begin(HttpRequest request) {
    endAfter(route.limits().request());
    body = new ByteArrayOutputStream();
    keepAlive = HttpUtil.isKeepAlive(request);
    Answer refusal = refusal(request);
    if (refusal != null) {
      refuse(refusal);
      return;
    }
    state = State.READING;
    if (HttpUtil.is100ContinueExpected(request)) {
      var _ =
          channel.writeAndFlush(
              new DefaultFullHttpResponse(
                  HttpVersion.HTTP_1_1, HttpResponseStatus.CONTINUE, Unpooled.EMPTY_BUFFER));
    }
  }

  private @Nullable Answer refusal(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return switch (request.decoderResult().cause()) {
        case TooLongHttpLineException _ -> PostRoute.text(414, "the request line is too long");
        case TooLongHttpHeaderException _ ->
            PostRoute.text(431, "the request's headers are too large");
        default -> PostRoute.text(400, "this is no HTTP request");
      };
    }
    String path = request.uri().split("\\?", 2)[0]; // the API server adds its timeout
    if (!path.equals(route.path())) {
      return PostRoute.text(404, "there is " + route.path() + " here and nothing else");
    }
    if (!request.method().equals(HttpMethod.POST)) {
      return PostRoute.text(405, request.method() + " is not allowed; use POST");
    }
    return HttpUtil.getContentLength(request, 0L) > route.limits().bodyBytes() ? tooLarge() : null;
  }

  private Answer tooLarge() {
    return PostRoute.text(413, "more than " + route.limits().bodyBytes() + " bytes");
  }

  private void take(HttpContent content) {
    if (state == State.READING && content.decoderResult().isFailure()) {
      refuse(PostRoute.text(400, "this is no HTTP request"));
    }
    if (state == State.READING) {
      int length = content.content().readableBytes();
      if (body.size() + length > route.limits().bodyBytes()) {
        refuse(tooLarge());
      } else {
        byte[] bytes = new byte[length];
        content.content().readBytes(bytes);
        body.writeBytes(bytes);
      }
    }
    if (content instanceof LastHttpContent) {
      if (state == State.READING) {
        answer();
      } else if (state == State.REFUSED) {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
      }
    }
  }

  private void refuse(Answer why) {
    state = State.REFUSED;
    body = new ByteArrayOutputStream();
    var _ = channel.writeAndFlush(response(why, false));
  }

  private void answer() {
    state = State.ANSWERING;
    endAfter(route.limits().answer());
    byte[] posted = body.toByteArray();
    body = new ByteArrayOutputStream();
    route.answer(posted, answer -> channel.eventLoop().execute(() -> send(answer)));
  }

  private void send(Answer answer) {
    channel
        .writeAndFlush(response(answer, keepAlive))
        .addListener(sent -> {
          if (sent.isSuccess() && keepAlive) {
            state = State.WAITING;
            used.accept(this);
            endAfter(route.limits().idle());
          } else {
            end();
          }
        });
  }

  private static FullHttpResponse response(Answer answer, boolean keepAlive) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      answer.body().writeTo(content);
    } catch (IOException impossible) {
      throw new IllegalStateException("into memory", impossible);
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            Unpooled.wrappedBuffer(content.toByteArray()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
        .setInt(HttpHeaderNames.CONTENT_LENGTH, content.size());
    if (!keepAlive) {
      response.headers().set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
    }
    return response;
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    end(); // the client reset the connection or speaks no TLS, so there is no one to tell
  }
}
