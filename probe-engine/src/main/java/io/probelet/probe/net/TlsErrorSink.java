package io.probelet.probe.net;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Ends the pipeline during the handshake, whose future reports errors; Netty would log them. */
@Sharable
final class TlsErrorSink extends ChannelInboundHandlerAdapter {
  static final TlsErrorSink INSTANCE = new TlsErrorSink();

  private TlsErrorSink() {}

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    // the handshake's future has it
  }
}
