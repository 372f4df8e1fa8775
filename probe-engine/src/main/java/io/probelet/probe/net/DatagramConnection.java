package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * A UDP socket that is connected to one peer: the kernel drops what others send, and says when the
 * peer's port is closed. Each datagram is handed on as one piece.
 */
final class DatagramConnection extends ProbeConnection {
  private final Channel channel;
  private final byte[] scratch;
  private final Endpoint peer;
  private @Nullable Listener listener;
  private boolean closed;

  /**
   * Takes a channel over.
   *
   * @param scratch lent for each datagram that is read
   * @param peer as messages name it
   */
  DatagramConnection(Channel channel, byte[] scratch, Endpoint peer) {
    this.channel = channel;
    this.scratch = scratch;
    this.peer = peer;
    channel.pipeline().addLast(new Datagrams());
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the listener reports
  void connect(SocketAddress remote, Listener to) {
    channel
        .connect(remote)
        .addListener((ChannelFuture ended) -> {
          if (closed) {
            return;
          }
          if (ended.isSuccess()) {
            to.connected(this);
          } else {
            close();
            to.failed(SocketErrors.failure("", ended.cause()));
          }
        });
  }

  @Override
  void read() {
    channel.config().setAutoRead(true);
  }

  @Override
  void close() {
    if (!closed) {
      closed = true;
      channel.unsafe().close(channel.voidPromise());
    }
  }

  @Override
  public void exchange(Listener to) {
    listener = to;
  }

  @Override
  void endExchange() {
    listener = null;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise fails as an exception event
  public void send(byte[] message) {
    channel.writeAndFlush(Unpooled.wrappedBuffer(message), channel.voidPromise());
  }

  @Override
  public Channel channel() {
    return channel;
  }

  private final class Datagrams extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      DatagramPacket packet = (DatagramPacket) message;
      try {
        ByteBuf data = packet.content();
        int length = Math.min(data.readableBytes(), scratch.length);
        data.readBytes(scratch, 0, length);
        Listener to = listener;
        if (to != null && !closed) {
          to.received(scratch, length);
        }
      } finally {
        packet.release();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      Listener to = listener;
      if (to != null && !closed) {
        to.failed(SocketErrors.failure("read udp " + peer + ": read: ", cause));
      }
    }
  }
}
