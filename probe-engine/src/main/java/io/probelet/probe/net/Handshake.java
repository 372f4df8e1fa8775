package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;

/** The TLS handshake on a connection that stands. */
record Handshake(
    Attempt attempt, Endpoint endpoint, SslContext context, Tls tls, DialListener listener) {

  @SuppressWarnings("FutureReturnValueIgnored") // the listener reports
  void start(Channel channel) {
    attempt.enter(Phase.SECURING);
    SslHandler handler = TlsEngines.handler(context, tls, endpoint, channel.alloc());
    HandshakeMeter meter = new HandshakeMeter(this::refused);
    channel.pipeline().addLast(meter, handler, Silencer.INSTANCE);
    handler
        .handshakeFuture()
        .addListener(shaken -> {
          meter.shaken();
          ended(channel, handler, shaken);
        });
    channel.config().setAutoRead(true);
  }

  private void refused(NetFailure failure) {
    if (!attempt.over()) {
      listener.failed(failure);
    }
  }

  private void ended(Channel channel, SslHandler handler, Future<?> shaken) {
    if (attempt.over()) {
      return;
    }
    if (shaken.isSuccess()) {
      attempt.enter(Phase.WAITING);
      channel.pipeline().remove(Silencer.INSTANCE);
      String protocol = handler.engine().getApplicationProtocol();
      Dialer.deliver(attempt, channel, protocol == null ? "" : protocol, listener);
    } else {
      listener.failed(TlsErrors.failure(endpoint, shaken.cause()));
    }
  }
}
