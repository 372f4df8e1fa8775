package io.probelet.web.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.LiveBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * Sends one answer: in one piece when it fits the buffer, in chunks when it does not. Writing waits
 * until the chunk before has left, so that a slow reader costs one buffer and not the whole answer.
 * Only a live answer is sent before its end by flushing.
 */
final class AnswerStream extends OutputStream {
  static final int CHUNK_BYTES = 32 * 1024;
  private static final int FIRST_BYTES = 1024;
  private static final int UNAUTHORIZED = 401;

  private final Channel channel;
  private final HttpVersion version;
  private final boolean head;
  private final HttpResponseStatus status;
  private final HttpHeaders headers;
  private final Progress progress;
  private final boolean live;
  private byte[] buffer = new byte[FIRST_BYTES];
  private int filled;
  private volatile boolean begun;

  /** Is told of the progress of an answer. */
  interface Progress {
    /** The client can read the first of it; called by the thread that makes it, once. */
    void begins();

    /** What a live answer has said so far has been sent, in part or all. */
    void flushed();

    /**
     * All has been sent, or cannot be; called on the loop.
     *
     * @param sent which of both
     */
    void sent(ChannelFuture sent);
  }

  /**
   * Creates a stream on which nothing has been sent.
   *
   * @param keepAlive whether the connection may be used again
   * @param answer the answer; its content is written by others
   */
  AnswerStream(
      Channel channel, HttpRequest request, boolean keepAlive, Answer answer, Progress progress) {
    this.channel = channel;
    this.version =
        request.protocolVersion().equals(HttpVersion.HTTP_1_0)
            ? HttpVersion.HTTP_1_0
            : HttpVersion.HTTP_1_1;
    this.head = request.method().equals(HttpMethod.HEAD);
    this.status = HttpResponseStatus.valueOf(answer.status());
    this.progress = progress;
    this.live = answer.body() instanceof LiveBody;
    headers =
        DefaultHttpHeadersFactory.headersFactory()
            .newHeaders()
            .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
            .set(
                HttpHeaderNames.CONNECTION,
                keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE)
            .set(HttpHeaderNames.CACHE_CONTROL, HttpHeaderValues.NO_STORE)
            .set("X-Content-Type-Options", "nosniff");
    answer.headers().forEach(headers::set);
    if (answer.status() == UNAUTHORIZED) {
      headers.set(HttpHeaderNames.WWW_AUTHENTICATE, "Bearer");
    }
  }

  /** {@return whether anything of it has been sent, for any thread} */
  boolean begun() {
    return begun;
  }

  /** Names the methods that would be answered. */
  void allow(List<String> methods) {
    headers.set(HttpHeaderNames.ALLOW, String.join(", ", methods));
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int from = offset;
    int left = length;
    while (left > 0) {
      if (filled == CHUNK_BYTES) {
        sendChunk();
      }
      int step = Math.min(left, CHUNK_BYTES - filled);
      if (filled + step > buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.min(CHUNK_BYTES, 2 * (filled + step)));
      }
      System.arraycopy(bytes, from, buffer, filled, step);
      filled += step;
      from += step;
      left -= step;
    }
  }

  @Override
  public void flush() throws IOException {
    if (!live) {
      return;
    }
    if (!channel.isActive()) {
      throw new IOException("the client went away");
    }
    if (filled > 0) {
      sendChunk();
    } else {
      progress.flushed();
    }
  }

  /** Sends the rest. */
  @Override
  public void close() {
    Object rest;
    boolean inPieces = begun;
    begin();
    if (inPieces) {
      rest = new DefaultLastHttpContent(Unpooled.wrappedBuffer(buffer, 0, head ? 0 : filled));
    } else {
      rest =
          new DefaultFullHttpResponse(
              version,
              status,
              Unpooled.wrappedBuffer(buffer, 0, head ? 0 : filled),
              headers.setInt(HttpHeaderNames.CONTENT_LENGTH, filled),
              DefaultHttpHeadersFactory.trailersFactory().newHeaders());
    }
    // Listening before it is written: a client may have read the answer, and asked again, before a
    // listener that comes later is called.
    ChannelFutureListener end = progress::sent;
    var _ = channel.writeAndFlush(rest, channel.newPromise().addListener(end));
  }

  private void begin() {
    if (!begun) {
      begun = true;
      progress.begins();
    }
  }

  private void sendChunk() throws IOException {
    if (!begun) {
      begin();
      HttpResponse response = new DefaultHttpResponse(version, status, headers);
      // HTTP/1.0 knows no chunks: there the end of the connection is the end of the content.
      HttpUtil.setTransferEncodingChunked(response, version.equals(HttpVersion.HTTP_1_1));
      await(channel.writeAndFlush(response));
    }
    if (!head) {
      await(
          channel.writeAndFlush(new DefaultHttpContent(Unpooled.wrappedBuffer(buffer, 0, filled))));
    }
    filled = 0;
    if (live) {
      progress.flushed();
    }
  }

  private static void await(ChannelFuture sent) throws IOException {
    try {
      sent.await();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the server is stopping");
    }
    if (!sent.isSuccess()) {
      throw new IOException("the client went away", sent.cause());
    }
  }
}
