package io.probelet.probe.h2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/** Hands the frames that Netty lets pass to who waits for them. */
final class ResponseFrames extends Http2FrameAdapter {
  private final H2Connection connection;

  ResponseFrames(H2Connection connection) {
    this.connection = connection;
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
      boolean last)
      throws Http2Exception {
    if (headers instanceof HeaderList list) {
      String fault = list.fault();
      if (fault != null) {
        throw broken(streamId, fault);
      }
      list.showLengths();
    }
    H2Stream stream = connection.find(streamId);
    if (stream == null) {
      return;
    }
    if (stream.responded && !last) {
      throw broken(streamId, "a second header block that does not end the response");
    }
    if (!stream.responded && !last && isInterim(headers)) {
      return;
    }
    if (last) {
      connection.complete(streamId);
    }
    if (stream.responded) {
      stream.listener.trailers(headers);
    } else {
      stream.responded = true;
      stream.listener.headers(headers, last);
    }
  }

  /** Whether there is another response to come; one of gRPC's content is what it came for. */
  private static boolean isInterim(Http2Headers headers) {
    CharSequence status = headers.status();
    CharSequence type = headers.get("content-type");
    return status != null
        && status.length() == 3
        && status.charAt(0) == '1'
        && (type == null || !AsciiString.of(type).startsWith("application/grpc"));
  }

  @Override
  public int onDataRead(
      ChannelHandlerContext ctx, int streamId, ByteBuf data, int padding, boolean last)
      throws Http2Exception {
    int length = data.readableBytes() + padding;
    H2Stream stream = connection.find(streamId);
    if (stream == null) {
      return length;
    }
    if (!stream.responded) {
      throw broken(streamId, "a response body before its headers");
    }
    if (last) {
      connection.complete(streamId);
    }
    stream.listener.data(data, last);
    return length;
  }

  @Override
  public void onRstStreamRead(ChannelHandlerContext ctx, int streamId, long code) {
    H2Stream stream = connection.take(streamId);
    if (stream != null) {
      stream.listener.failed(new H2Failure.Reset(code));
    }
  }

  @Override
  public void onGoAwayRead(ChannelHandlerContext ctx, int lastStreamId, long code, ByteBuf debug) {
    connection.goneAway(new H2Failure.GoneAway(code, debug.toString(StandardCharsets.UTF_8)));
  }

  @Override
  public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings)
      throws Http2Exception {
    refuseFlood(ctx);
    connection.startWaiting();
  }

  @Override
  public void onPingRead(ChannelHandlerContext ctx, long data) throws Http2Exception {
    refuseFlood(ctx);
  }

  /** A peer that asks without reading our answers would fill our memory. */
  private static void refuseFlood(ChannelHandlerContext ctx) throws Http2Exception {
    if (!ctx.channel().isWritable()) {
      throw Http2Exception.connectionError(
          Http2Error.ENHANCE_YOUR_CALM, "the peer sends requests and does not read the replies");
    }
  }

  private static Http2Exception broken(int streamId, String what) {
    return Http2Exception.streamError(streamId, Http2Error.PROTOCOL_ERROR, what);
  }
}
