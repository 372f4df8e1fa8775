package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2FrameTypes;
import io.netty.handler.codec.http2.Http2FrameWriter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The wire of one connection: bytes to frames, frames to bytes, and the chores between peers. */
@SuppressWarnings("FutureReturnValueIgnored") // a write fails only with its channel
final class FrameHandler extends ByteToMessageDecoder {
  private static final int QUOTED = 24;

  /** Enough buckets for the few headers a request has; Netty rounds up to a power of two. */
  private static final int ENCODER_BUCKETS = 16;

  private final H2Connection connection;
  private final H2Options options;
  private final HeaderListDecoder decoder;
  private final Http2FrameReader reader;
  private final Http2FrameWriter writer;
  private final Frames frames = new Frames();
  private @Nullable ChannelHandlerContext context;
  private boolean prefaceSeen;

  /** The header block that goes on in the next frame. */
  private @Nullable LongHeaderBlock block;

  FrameHandler(H2Connection connection, H2Options options) {
    this.connection = connection;
    this.options = options;
    this.decoder = new HeaderListDecoder(options.maxHeaderListSize());
    this.reader = new DefaultHttp2FrameReader(decoder);
    // The peer's limit on header lists is advice; what breaks it, the peer will say.
    this.writer =
        new DefaultHttp2FrameWriter(
            new DefaultHttp2HeadersEncoder(
                Http2HeadersEncoder.NEVER_SENSITIVE, true, ENCODER_BUCKETS));
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
    ctx.write(Http2CodecUtil.connectionPrefaceBuf(), ctx.voidPromise());
    Http2Settings settings = new Http2Settings();
    settings.pushEnabled(false).maxHeaderListSize(options.maxHeaderListSize());
    if (options.streamWindow() != H2Options.DEFAULT_WINDOW) {
      settings.initialWindowSize(options.streamWindow());
    }
    writer.writeSettings(ctx, settings, ctx.newPromise());
    if (options.connectionWindow() != H2Options.DEFAULT_WINDOW) {
      writeWindowUpdate(0, options.connectionWindow() - H2Options.DEFAULT_WINDOW);
    }
  }

  void writeHeaders(int streamId, Http2Headers headers, boolean last) {
    writer.writeHeaders(context(), streamId, headers, 0, last, context().newPromise());
  }

  void writeData(int streamId, ByteBuf data, boolean last) {
    writer.writeData(context(), streamId, data, 0, last, context().newPromise());
  }

  void writeReset(int streamId, Http2Error code) {
    writer.writeRstStream(context(), streamId, code.code(), context().newPromise());
  }

  void writeWindowUpdate(int streamId, int increment) {
    writer.writeWindowUpdate(context(), streamId, increment, context().newPromise());
  }

  private ChannelHandlerContext context() {
    return Objects.requireNonNull(context, "not in a pipeline");
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (!ctx.channel().isOpen() || !(prefaceSeen || beginsWithSettings(in))) {
      return;
    }
    try {
      readFrame(ctx, in);
    } catch (Http2Exception broken) {
      broken(in, broken);
    }
  }

  private void readFrame(ChannelHandlerContext ctx, ByteBuf in) throws Http2Exception {
    int header = Http2CodecUtil.FRAME_HEADER_LENGTH;
    int start = in.readerIndex();
    if (in.readableBytes() < header) {
      return;
    }
    int length = in.getUnsignedMedium(start);
    if (length > Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE) {
      throw Http2Exception.connectionError(
          Http2Error.FRAME_SIZE_ERROR, "a frame of %d bytes, which is too long", length);
    }
    if (in.readableBytes() < header + length) {
      return;
    }
    ByteBuf frame = in.readSlice(header + length);
    Http2Flags flags = new Http2Flags(frame.getUnsignedByte(4));
    boolean headers = frame.getByte(3) == Http2FrameTypes.HEADERS;
    if (block != null) {
      continueBlock(block, frame, flags);
    } else if (headers && !flags.endOfHeaders()) {
      beginBlock(frame, flags);
    } else {
      reader.readFrame(ctx, frame, frames);
    }
  }

  private void beginBlock(ByteBuf frame, Http2Flags flags) throws Http2Exception {
    int streamId = frame.getInt(5) & Integer.MAX_VALUE;
    frame.skipBytes(Http2CodecUtil.FRAME_HEADER_LENGTH);
    int prefix = flags.getPaddingPresenceFieldLength() + flags.getNumPriorityBytes();
    int padding =
        flags.paddingPresent() && frame.isReadable()
            ? frame.getUnsignedByte(frame.readerIndex())
            : 0;
    if (streamId == 0 || frame.readableBytes() < prefix + padding) {
      throw Http2Exception.connectionError(Http2Error.PROTOCOL_ERROR, "malformed HEADERS");
    }
    frame.skipBytes(prefix);
    block =
        new LongHeaderBlock(decoder, options.maxHeaderListSize(), streamId, flags.endOfStream());
    block.add(frame.readSlice(frame.readableBytes() - padding));
  }

  private void continueBlock(LongHeaderBlock begun, ByteBuf frame, Http2Flags flags)
      throws Http2Exception {
    int streamId = frame.getInt(5) & Integer.MAX_VALUE;
    if (frame.getByte(3) != Http2FrameTypes.CONTINUATION || streamId != begun.streamId()) {
      throw Http2Exception.connectionError(
          Http2Error.PROTOCOL_ERROR, "a frame within the headers of stream %d", begun.streamId());
    }
    begun.add(frame.skipBytes(Http2CodecUtil.FRAME_HEADER_LENGTH));
    if (flags.endOfHeaders()) {
      block = null;
      headersRead(streamId, begun.end(), begun.last());
    }
  }

  private void headersRead(int streamId, Http2Headers headers, boolean last) {
    String fault = headers instanceof HeaderList list ? list.fault() : null;
    if (fault == null) {
      connection.onHeaders(streamId, headers, last);
    } else {
      connection.onStreamError(streamId, Http2Error.PROTOCOL_ERROR, "broken HTTP/2: " + fault);
    }
  }

  /** Tells an HTTP/2 server from anything else by its first frame, which must be SETTINGS. */
  private boolean beginsWithSettings(ByteBuf in) {
    if (in.readableBytes() < Http2CodecUtil.FRAME_HEADER_LENGTH) {
      return false;
    }
    int start = in.readerIndex();
    boolean acknowledges = (in.getByte(start + 4) & 1) != 0;
    prefaceSeen =
        in.getByte(start + 3) == Http2FrameTypes.SETTINGS
            && !acknowledges
            && in.getInt(start + 5) == 0;
    if (!prefaceSeen) {
      String quoted =
          in.toString(start, Math.min(QUOTED, in.readableBytes()), StandardCharsets.ISO_8859_1);
      in.skipBytes(in.readableBytes());
      connection.fail(
          new H2Failure.Malformed(
              "not an HTTP/2 server: its answer begins with \"" + printable(quoted) + "\""));
    }
    return prefaceSeen;
  }

  static String printable(String text) {
    return text.codePoints()
        .map(each -> each < ' ' || each > '~' ? '.' : each)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private void broken(ByteBuf in, Http2Exception broken) {
    String message = "broken HTTP/2: " + broken.getMessage();
    if (broken instanceof Http2Exception.StreamException onStream) {
      connection.onStreamError(onStream.streamId(), broken.error(), message);
      return;
    }
    in.skipBytes(in.readableBytes());
    goAway(broken.error());
    connection.fail(new H2Failure.Malformed(message));
  }

  /** Tells the peer that it broke the rules; the caller then ends the connection. */
  void goAway(Http2Error error) {
    writer.writeGoAway(context(), 0, error.code(), Unpooled.EMPTY_BUFFER, context().newPromise());
    context().flush();
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    super.channelReadComplete(ctx);
    ctx.flush(); // acknowledgements and windows, once for all that was read
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    connection.fail(new H2Failure.Closed(null));
  }

  /** TLS ends with a word of its own; the connection below may stand for ever. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof SslCloseCompletionEvent closed && closed.isSuccess()) {
      connection.fail(new H2Failure.Closed(null));
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    connection.fail(new H2Failure.Closed(cause));
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    reader.close();
    writer.close();
  }

  /** Passes frames on to the connection and does what needs no decision. */
  private final class Frames extends Http2FrameAdapter {
    @Override
    public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
        throws Http2Exception {
      Long tableSize = settings.headerTableSize();
      if (tableSize != null) {
        writer.configuration().headersConfiguration().maxHeaderTableSize(tableSize);
      }
      Integer frameSize = settings.maxFrameSize();
      if (frameSize != null) {
        writer.configuration().frameSizePolicy().maxFrameSize(frameSize);
      }
      refuseFlood(ctx);
      writer.writeSettingsAck(ctx, ctx.newPromise());
      connection.onSettings(settings);
    }

    @Override
    public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
      refuseFlood(ctx);
      writer.writePing(ctx, true, data, ctx.newPromise());
    }

    /** A peer that asks without reading our answers would fill our memory. */
    private void refuseFlood(ChannelHandlerContext ctx) throws Http2Exception {
      if (!ctx.channel().isWritable()) {
        throw Http2Exception.connectionError(
            Http2Error.ENHANCE_YOUR_CALM, "the peer asks and does not read the answers");
      }
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx, int streamId, Http2Headers headers, int padding, boolean last) {
      headersRead(streamId, headers, last);
    }

    @Override
    public void onHeadersRead(
        ChannelHandlerContext ctx,
        int streamId,
        Http2Headers headers,
        int dependency,
        short weight,
        boolean exclusive,
        int padding,
        boolean last) {
      headersRead(streamId, headers, last);
    }

    @Override
    public int onDataRead(
        ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean last) {
      int length = data.readableBytes() + padding;
      connection.onData(streamId, data, padding, last);
      return length;
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long code) {
      connection.onReset(streamId, code);
    }

    @Override
    public void onGoAwayRead(
        ChannelHandlerContext ctx, int lastStreamId, long code, ByteBuf debug) {
      connection.onGoAway(lastStreamId, code, debug.toString(StandardCharsets.UTF_8));
    }

    @Override
    public void onWindowUpdateRead(ChannelHandlerContext ctx, int streamId, int increment) {
      connection.onWindowUpdate(streamId, increment);
    }

    @Override
    public void onPushPromiseRead(
        ChannelHandlerContext ctx, int streamId, int promised, Http2Headers headers, int padding)
        throws Http2Exception {
      throw Http2Exception.connectionError(
          Http2Error.PROTOCOL_ERROR, "a pushed stream, which was ruled out");
    }
  }
}
