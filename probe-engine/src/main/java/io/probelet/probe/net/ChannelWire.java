package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** A wire at the end of a channel's pipeline. */
final class ChannelWire extends ChannelInboundHandlerAdapter implements Wire {
  private final Channel channel;
  private final Endpoint endpoint;
  private final byte[] scratch;
  private final WireListener listener;

  ChannelWire(Channel channel, Endpoint endpoint, byte[] scratch, WireListener listener) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.scratch = scratch;
    this.listener = listener;
  }

  void open() {
    channel.pipeline().addLast(this);
    listener.connected(this);
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise fails as an exception event
  public void send(byte[] message) {
    channel.writeAndFlush(Unpooled.wrappedBuffer(message), channel.voidPromise());
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf data = (ByteBuf) message;
    try {
      while (data.isReadable()) {
        int length = Math.min(data.readableBytes(), scratch.length);
        data.readBytes(scratch, 0, length);
        listener.received(scratch, length);
      }
    } finally {
      data.release();
    }
  }

  /** TLS ends with a message of its own; the connection below may stay open for ever. */
  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof SslCloseCompletionEvent closed && closed.isSuccess()) {
      listener.ended();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    listener.ended();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    listener.failed(NetFailure.reading(endpoint, cause));
  }
}
