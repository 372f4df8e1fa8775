package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.net.Attempt.Phase;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** The TLS handshake on an established connection. */
record Handshake(
    Attempt attempt,
    Endpoint endpoint,
    SslContext context,
    Tls tls,
    Consumer<SSLSession> onHandshake,
    ProbeConnection.Listener listener)
    implements ProbeConnection.Listener {

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // the listener reports
  public void connected(ProbeConnection connection) {
    Channel channel = connection.channel();
    SslHandler handler = TlsEngines.handler(context, tls, endpoint, channel.alloc());
    HandshakeLimiter meter = new HandshakeLimiter(this::refused);
    channel.pipeline().addLast(meter, handler, meter.data(), TlsErrorSink.INSTANCE);
    handler
        .handshakeFuture()
        .addListener(end -> {
          meter.onHandshake();
          ended(connection, handler, end);
        });
  }

  @Override
  public void failed(NetFailure failure) {
    listener.failed(failure);
  }

  private void refused(NetFailure failure) {
    if (!attempt.over()) {
      listener.failed(failure);
    }
  }

  /** Of all certificates shown, as the chain ends with the first that does. */
  private static long earliestExpiry(SSLSession session) {
    long earliest = ProbeOutcome.NO_CERTIFICATE;
    try {
      for (Certificate certificate : session.getPeerCertificates()) {
        if (certificate instanceof X509Certificate shown) {
          earliest = Math.min(earliest, shown.getNotAfter().toInstant().getEpochSecond());
        }
      }
    } catch (SSLPeerUnverifiedException none) {
      return ProbeOutcome.NO_CERTIFICATE; // a handshake without certificates
    }
    return earliest;
  }

  private void ended(ProbeConnection connection, SslHandler handler, Future<?> end) {
    if (attempt.over()) {
      return;
    }
    if (end.isSuccess()) {
      attempt.enter(Phase.WAITING);
      attempt.presented(earliestExpiry(handler.engine().getSession()));
      onHandshake.accept(handler.engine().getSession());
      connection.channel().pipeline().remove(TlsErrorSink.INSTANCE);
      String protocol = handler.engine().getApplicationProtocol();
      connection.agreed(protocol == null ? "" : protocol);
      attempt.guard(() -> listener.connected(connection));
    } else {
      listener.failed(TlsErrors.failure(endpoint, end.cause()));
    }
  }
}
