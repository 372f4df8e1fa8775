package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.net.Attempt.Phase;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The TLS handshake on an established connection. */
record Handshake(
    Attempt attempt,
    TimeSource time,
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

  /** H-13: whether certificates are valid for too short a time, and for how long. */
  private @Nullable NetFailure tooShort(long expiry) {
    Duration least = tls.options().minValidity();
    if (least == null || expiry == ProbeOutcome.NO_CERTIFICATE) {
      return null;
    }
    Instant end = Instant.ofEpochSecond(expiry);
    Duration left = Duration.between(time.wallTime(), end);
    return left.compareTo(least) >= 0
        ? null
        : new NetFailure(
            null,
            "tls: a certificate expires at %s, in %s, and minValidity is %s"
                .formatted(
                    end,
                    GoDuration.format(left.truncatedTo(ChronoUnit.SECONDS)),
                    GoDuration.format(least)));
  }

  private void ended(ProbeConnection connection, SslHandler handler, Future<?> end) {
    if (attempt.over()) {
      return;
    }
    if (end.isSuccess()) {
      long expiry = earliestExpiry(handler.engine().getSession());
      attempt.presented(expiry);
      NetFailure tooShort = tooShort(expiry);
      if (tooShort != null) {
        listener.failed(tooShort);
        return;
      }
      attempt.enter(Phase.WAITING);
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
