package io.probelet.probe.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.SocketAddress;

/** A connection whose bytes a Netty channel carries; what comes in depends on the kind. */
abstract class NettyConnection extends ProbeConnection {
  private final Channel channel;
  private final byte[] scratch;
  private final Endpoint peer;
  private boolean closed;

  /**
   * Takes a channel over.
   *
   * @param scratch lent for each piece that is read
   * @param peer as messages name it
   */
  NettyConnection(Channel channel, byte[] scratch, Endpoint peer) {
    this.channel = channel;
    this.scratch = scratch;
    this.peer = peer;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the listener reports
  final void connect(SocketAddress remote, Listener listener) {
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
  final void read() {
    channel.config().setAutoRead(true);
  }

  @Override
  final void close() {
    if (!closed) {
      closed = true;
      // Past its handlers: no farewell of TLS or HTTP/2 is sent.
      channel.unsafe().close(channel.voidPromise());
    }
  }

  @Override
  public final Channel channel() {
    return channel;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // a void promise fails as an exception event
  public final void send(byte[] message) {
    channel.writeAndFlush(Unpooled.wrappedBuffer(message), channel.voidPromise());
  }

  /** {@return lent for each piece that is read} */
  final byte[] scratch() {
    return scratch;
  }

  /** {@return the peer as messages name it} */
  final Endpoint peer() {
    return peer;
  }

  final boolean isClosed() {
    return closed;
  }
}
