package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import org.jspecify.annotations.Nullable;

/** A connection as a Netty channel, for what has handlers: TLS and HTTP/2. */
final class ChannelConnection extends NettyConnection {
  private @Nullable Exchange exchange;

  /**
   * Takes a channel over.
   *
   * @param scratch lent for each piece that is read
   * @param peer as messages name it
   */
  ChannelConnection(Channel channel, byte[] scratch, Endpoint peer) {
    super(channel, scratch, peer);
  }

  @Override
  public void exchange(Listener listener) {
    exchange = new Exchange(listener);
    channel().pipeline().addLast(exchange);
  }

  @Override
  void endExchange() {
    Exchange ending = exchange;
    if (ending != null) {
      ending.ended = true;
      exchange = null;
      channel().pipeline().remove(ending);
    }
  }

  /** The end of the pipeline while bytes are exchanged. */
  private final class Exchange extends ChannelInboundHandlerAdapter {
    private final Listener listener;
    private boolean ended;

    Exchange(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf data = (ByteBuf) message;
      try {
        while (data.isReadable()) {
          int length = Math.min(data.readableBytes(), scratch().length);
          data.readBytes(scratch(), 0, length);
          if (ended) {
            // What came with the answer to STARTTLS is not protected, and must not seem so.
            listener.failed(new NetFailure(null, "tls: data of the server before the handshake"));
            return;
          }
          listener.received(scratch(), length);
        }
      } finally {
        data.release();
      }
    }

    /** TLS has its own closing message; the connection below may stay open forever. */
    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof SslCloseCompletionEvent end && end.isSuccess()) {
        listener.ended();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      listener.ended();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      listener.failed(NetFailure.reading(peer(), cause));
    }
  }
}
