package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.net.InetSocketAddress;

/** A connection as a Netty channel, for what has handlers: TLS and HTTP/2. */
final class ChannelLink implements Link {
  private final Channel channel;
  private boolean closed;

  ChannelLink(Channel channel) {
    this.channel = channel;
  }

  Channel channel() {
    return channel;
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the listener reports
  public void connect(InetSocketAddress remote, Outcome outcome) {
    channel.connect(remote).addListener((ChannelFuture ended) -> connectEnded(ended, outcome));
  }

  private void connectEnded(ChannelFuture ended, Outcome outcome) {
    if (closed) {
      return;
    }
    if (ended.isSuccess()) {
      outcome.connected();
    } else {
      close();
      outcome.refused(SocketErrors.failure("", ended.cause()));
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      // Past its handlers: no farewell of TLS or HTTP/2 is sent.
      channel.unsafe().close(channel.voidPromise());
    }
  }
}
