package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection as a Netty channel, for what has handlers: TLS and HTTP/2. */
final class ChannelConnection extends ProbeConnection {
  private final Channel channel;
  private final byte[] scratch;
  private final Endpoint peer;
  private boolean closed;
  private @Nullable Exchange exchange;

  /**
   * Takes a channel over.
   *
   * @param scratch lent for each piece that is read
   * @param peer as messages name it
   */
  ChannelConnection(Channel channel, byte[] scratch, Endpoint peer) {
    this.channel = channel;
    this.scratch = scratch;
    this.peer = peer;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the listener reports
  void connect(SocketAddress remote, Listener listener) {
    channel.connect(remote).addListener((ChannelFuture ended) -> connectEnded(ended, listener));
  }

  private void connectEnded(ChannelFuture ended, Listener listener) {
    if (closed) {
      return;
    }
    if (ended.isSuccess()) {
      listener.connected(this);
    } else {
      close();
      listener.failed(SocketErrors.failure("", ended.cause()));
    }
  }

  @Override
  void read() {
    channel.config().setAutoRead(true);
  }

  @Override
  void close() {
    if (!closed) {
      closed = true;
      // Past its handlers: no farewell of TLS or HTTP/2 is sent.
      channel.unsafe().close(channel.voidPromise());
    }
  }

  @Override
  public Channel channel() {
    return channel;
  }

  @Override
  public void exchange(Listener listener) {
    exchange = new Exchange(listener);
    channel.pipeline().addLast(exchange);
  }

  @Override
  void endExchange() {
    Exchange ending = exchange;
    if (ending != null) {
      ending.ended = true;
      exchange = null;
      channel.pipeline().remove(ending);
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise fails as an exception event
  public void send(byte[] message) {
    channel.writeAndFlush(Unpooled.wrappedBuffer(message), channel.voidPromise());
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
          int length = Math.min(data.readableBytes(), scratch.length);
          data.readBytes(scratch, 0, length);
          if (ended) {
            // What came with the answer to STARTTLS is not protected, and must not seem so.
            listener.failed(new NetFailure(null, "tls: data of the server before the handshake"));
            return;
          }
          listener.received(scratch, length);
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
      listener.failed(NetFailure.reading(peer, cause));
    }
  }
}
