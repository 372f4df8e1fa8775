package io.probelet.probe.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.DatagramPacket;
import org.jspecify.annotations.Nullable;

/**
 * A socket of UDP or ICMP that is connected to one peer: the kernel drops what others send, and
 * reports a closed port or an unreachable host. Each message is handed on as one piece.
 */
final class DatagramConnection extends NettyConnection {
  private final String network;
  private @Nullable Listener listener;

  /**
   * Takes a channel over.
   *
   * @param scratch lent for each datagram that is read
   * @param peer as messages name it
   * @param network udp or icmp
   */
  DatagramConnection(Channel channel, byte[] scratch, Endpoint peer, String network) {
    super(channel, scratch, peer);
    this.network = network;
    channel.pipeline().addLast(new Datagrams());
  }

  @Override
  public void exchange(Listener to) {
    listener = to;
  }

  @Override
  void endExchange() {
    listener = null;
  }

  private final class Datagrams extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      DatagramPacket packet = (DatagramPacket) message;
      try {
        ByteBuf data = packet.content();
        int length = Math.min(data.readableBytes(), scratch().length);
        data.readBytes(scratch(), 0, length);
        Listener to = listener;
        if (to != null && !isClosed()) {
          to.received(scratch(), length);
        }
      } finally {
        packet.release();
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      Listener to = listener;
      if (to != null && !isClosed()) {
        to.failed(SocketErrors.failure("read " + network + " " + peer() + ": read: ", cause));
      }
    }
  }
}
