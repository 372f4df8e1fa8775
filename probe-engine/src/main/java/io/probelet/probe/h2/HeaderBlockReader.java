package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Flags;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameListener;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2FrameTypes;
import org.jspecify.annotations.Nullable;

/**
 * Netty's reader of frames, with two differences.
 *
 * <ul>
 *   <li>Netty would keep all of a header block that comes in several frames until its end,
 *       megabytes of it for every connection of a hostile target.
 *   <li>Netty is stricter than Go. Frames and settings that concern no request of ours are passed
 *       over here, as in Go (H-7).
 * </ul>
 */
final class HeaderBlockReader implements Http2FrameReader {
  /** Takes the headers of streams that were never opened, which are unpacked all the same. */
  private static final Http2FrameListener NOBODY = new Http2FrameAdapter();

  private static final int SETTING_BYTES = 6;

  private final Http2Connection connection;
  private final int maxHeaderListSize;
  private final HeaderListDecoder decoder;
  private final Http2FrameReader reader;

  /** The header block that goes on in the next frame. */
  private @Nullable LongHeaderBlock block;

  HeaderBlockReader(Http2Connection connection, int maxHeaderListSize) {
    this.connection = connection;
    this.maxHeaderListSize = maxHeaderListSize;
    this.decoder = new HeaderListDecoder(maxHeaderListSize);
    this.reader = new DefaultHttp2FrameReader(decoder);
  }

  @Override
  public void readFrame(ChannelHandlerContext ctx, ByteBuf in, Http2FrameListener listener)
      throws Http2Exception {
    int header = Http2CodecUtil.FRAME_HEADER_LENGTH;
    if (in.readableBytes() < header) {
      return;
    }
    int length = in.getUnsignedMedium(in.readerIndex());
    if (length > Http2CodecUtil.DEFAULT_MAX_FRAME_SIZE) {
      throw broken(
          Http2Error.FRAME_SIZE_ERROR, "a frame of %d bytes, which exceeds the limit", length);
    }
    if (in.readableBytes() < header + length) {
      return;
    }
    ByteBuf frame = in.readSlice(header + length);
    int type = frame.getByte(3);
    Http2Flags flags = new Http2Flags(frame.getUnsignedByte(4));
    int streamId = frame.getInt(5) & Integer.MAX_VALUE;
    if (type == Http2FrameTypes.PUSH_PROMISE) {
      throw broken(Http2Error.PROTOCOL_ERROR, "a pushed stream, although push is disabled");
    }
    Http2FrameListener receiver = isForeign(streamId) ? NOBODY : listener;
    if (block != null) {
      continueBlock(ctx, receiver, block, frame, flags);
    } else if (type == Http2FrameTypes.HEADERS && !flags.endOfHeaders()) {
      beginBlock(frame, streamId, flags);
    } else if (type == Http2FrameTypes.SETTINGS && !flags.ack()) {
      reader.readFrame(ctx, withoutUnused(frame), listener);
    } else if (!isPassedOver(type, streamId)) {
      reader.readFrame(ctx, frame, receiver);
    }
  }

  /** {@return whether a stream was never opened; streams are opened from here only} */
  private boolean isForeign(int streamId) {
    return streamId != 0 && !connection.local().mayHaveCreatedStream(streamId);
  }

  /** Priorities mean nothing to a client, and may be malformed. */
  private boolean isPassedOver(int type, int streamId) {
    return switch (type) {
      case Http2FrameTypes.PRIORITY -> streamId != 0;
      case Http2FrameTypes.DATA, Http2FrameTypes.RST_STREAM, Http2FrameTypes.WINDOW_UPDATE ->
          isForeign(streamId);
      default -> type > Http2FrameTypes.CONTINUATION || type < 0;
    };
  }

  /** Leaves out settings that no request depends on. */
  private static ByteBuf withoutUnused(ByteBuf frame) {
    int header = Http2CodecUtil.FRAME_HEADER_LENGTH;
    ByteBuf kept = Unpooled.buffer(frame.readableBytes());
    kept.writeBytes(frame, header);
    while (frame.isReadable()) {
      int length = Math.min(SETTING_BYTES, frame.readableBytes());
      boolean unused =
          length == SETTING_BYTES
              && switch (frame.getUnsignedShort(frame.readerIndex())) {
                case Http2CodecUtil.SETTINGS_ENABLE_PUSH, // nothing is pushed to us
                    Http2CodecUtil.SETTINGS_MAX_FRAME_SIZE, // ours have the least size
                    Http2CodecUtil.SETTINGS_ENABLE_CONNECT_PROTOCOL ->
                    true;
                default -> false;
              };
      if (unused) {
        frame.skipBytes(length);
      } else {
        kept.writeBytes(frame, length);
      }
    }
    return kept.setMedium(0, kept.readableBytes() - header);
  }

  private void beginBlock(ByteBuf frame, int streamId, Http2Flags flags) throws Http2Exception {
    frame.skipBytes(Http2CodecUtil.FRAME_HEADER_LENGTH);
    int prefix = flags.getPaddingPresenceFieldLength() + flags.getNumPriorityBytes();
    int padding =
        flags.paddingPresent() && frame.isReadable()
            ? frame.getUnsignedByte(frame.readerIndex())
            : 0;
    if (streamId == 0 || frame.readableBytes() < prefix + padding) {
      throw broken(Http2Error.PROTOCOL_ERROR, "malformed HEADERS");
    }
    frame.skipBytes(prefix);
    block = new LongHeaderBlock(decoder, maxHeaderListSize, streamId, flags.endOfStream());
    block.add(frame.readSlice(frame.readableBytes() - padding));
  }

  private void continueBlock(
      ChannelHandlerContext ctx,
      Http2FrameListener listener,
      LongHeaderBlock begun,
      ByteBuf frame,
      Http2Flags flags)
      throws Http2Exception {
    int streamId = frame.getInt(5) & Integer.MAX_VALUE;
    if (frame.getByte(3) != Http2FrameTypes.CONTINUATION || streamId != begun.streamId()) {
      throw broken(
          Http2Error.PROTOCOL_ERROR, "a frame within the headers of stream %d", begun.streamId());
    }
    begun.add(frame.skipBytes(Http2CodecUtil.FRAME_HEADER_LENGTH));
    if (flags.endOfHeaders()) {
      block = null;
      listener.onHeadersRead(ctx, streamId, begun.end(), 0, begun.last());
    }
  }

  private static Http2Exception broken(Http2Error error, String what, Object... args) {
    return Http2Exception.connectionError(error, what, args);
  }

  @Override
  public Configuration configuration() {
    return reader.configuration();
  }

  @Override
  public void close() {
    reader.close();
  }
}
