package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionDecoder;
import io.netty.handler.codec.http2.DefaultHttp2ConnectionEncoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2ConnectionEncoder;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2PromisedRequestVerifier;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.UniformStreamByteDistributor;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Netty's HTTP/2 as one client's connection has it, and what becomes of its errors. */
final class ConnectionHandler extends Http2ConnectionHandler {
  private static final int QUOTED = 24;

  /** Enough buckets for the few headers a request has; Netty rounds up to a power of two. */
  private static final int ENCODER_BUCKETS = 16;

  private final H2Connection owner;
  private final H2Options options;
  private boolean prefaceSeen;

  private ConnectionHandler(
      H2Connection owner,
      H2Options options,
      Http2ConnectionDecoder decoder,
      Http2ConnectionEncoder encoder,
      Http2Settings settings) {
    super(decoder, encoder, settings, true, false);
    this.owner = owner;
    this.options = options;
  }

  static ConnectionHandler of(H2Connection owner, H2Options options) {
    Http2Connection connection = new DefaultHttp2Connection(false);
    connection
        .remote()
        .flowController(
            new DefaultHttp2RemoteFlowController(
                connection, new UniformStreamByteDistributor(connection)));
    // The peer's limit on header lists is advice; what breaks it, the peer will say.
    Http2ConnectionEncoder encoder =
        new DefaultHttp2ConnectionEncoder(
            connection,
            new DefaultHttp2FrameWriter(
                new DefaultHttp2HeadersEncoder(
                    Http2HeadersEncoder.NEVER_SENSITIVE, true, ENCODER_BUCKETS)));
    Http2ConnectionDecoder decoder =
        new DefaultHttp2ConnectionDecoder(
            connection,
            encoder,
            new HeaderBlockReader(connection, options.maxHeaderListSize()),
            Http2PromisedRequestVerifier.ALWAYS_VERIFY,
            true,
            true,
            false,
            false);
    Http2Settings settings = new Http2Settings();
    settings.pushEnabled(false).maxHeaderListSize(options.maxHeaderListSize());
    if (options.streamWindow() != H2Options.DEFAULT_WINDOW) {
      settings.initialWindowSize(options.streamWindow());
    }
    return new ConnectionHandler(owner, options, decoder, encoder, settings);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) throws Exception {
    super.handlerAdded(ctx);
    if (options.connectionWindow() != H2Options.DEFAULT_WINDOW) {
      decoder()
          .flowController()
          .incrementWindowSize(
              connection().connectionStream(),
              options.connectionWindow() - H2Options.DEFAULT_WINDOW);
    }
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
    if (ctx.channel().isOpen() && (prefaceSeen || beginsWithSettings(in))) {
      super.decode(ctx, in, out);
    }
  }

  /**
   * {@return whether this is an HTTP/2 server, whose first frame must be SETTINGS} An
   * acknowledgment of ours counts as empty ones, as in Go.
   */
  private boolean beginsWithSettings(ByteBuf in) {
    if (in.readableBytes() < Http2CodecUtil.FRAME_HEADER_LENGTH) {
      return false;
    }
    int start = in.readerIndex();
    prefaceSeen = in.getByte(start + 3) == Http2FrameTypes.SETTINGS && in.getInt(start + 5) == 0;
    if (prefaceSeen) {
      in.setByte(start + 4, 0);
    } else {
      String quoted =
          in.toString(start, Math.min(QUOTED, in.readableBytes()), StandardCharsets.ISO_8859_1);
      in.skipBytes(in.readableBytes());
      owner.fail(
          new H2Failure.Malformed(
              "not an HTTP/2 server: its response starts with \"" + printable(quoted) + "\""));
    }
    return prefaceSeen;
  }

  static String printable(String text) {
    return text.codePoints()
        .map(each -> each < ' ' || each > '~' ? '.' : each)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  @Override
  protected void onConnectionError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      @Nullable Http2Exception broken) {
    super.onConnectionError(ctx, outbound, cause, broken); // notifies the peer
    owner.fail(
        broken == null
            ? new H2Failure.Closed(cause)
            : new H2Failure.Malformed("broken HTTP/2: " + broken.getMessage()));
  }

  @Override
  protected void onStreamError(
      ChannelHandlerContext ctx,
      boolean outbound,
      Throwable cause,
      Http2Exception.StreamException broken) {
    if (!outbound) { // else it is over already, and what was left to send is not sent
      owner.fail(broken.streamId(), "broken HTTP/2: " + broken.getMessage());
    }
    super.onStreamError(ctx, outbound, cause, broken); // notifies the peer
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    owner.fail(new H2Failure.Closed(null));
  }

  /** TLS has its own closing message; the connection below may stay open forever. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof SslCloseCompletionEvent closed && closed.isSuccess()) {
      owner.fail(new H2Failure.Closed(null));
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    owner.fail(new H2Failure.Closed(cause));
  }
}
