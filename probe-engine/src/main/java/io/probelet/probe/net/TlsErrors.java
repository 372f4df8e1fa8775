package io.probelet.probe.net;

import io.netty.handler.ssl.NotSslRecordException;
import io.probelet.health.tls.ServerVerifier;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one line why a TLS handshake failed. */
final class TlsErrors {
  private static final String ALERT = "Received fatal alert: ";

  private TlsErrors() {}

  static NetFailure failure(Endpoint endpoint, Throwable cause) {
    Optional<String> refusal = ServerVerifier.refusal(cause);
    if (refusal.isPresent()) {
      return new NetFailure(null, refusal.get());
    }
    String security = certificateTrouble(cause);
    if (security != null) {
      return new NetFailure(null, "tls: failed to verify certificate: " + security);
    }
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof NotSslRecordException) {
      return new NetFailure(null, "tls: first record does not look like a TLS handshake");
    }
    int alerted = message.indexOf(ALERT);
    if (alerted >= 0) {
      String alert = message.substring(alerted + ALERT.length()).replace('_', ' ');
      return new NetFailure(null, "remote error: tls: " + alert);
    }
    if (cause instanceof ClosedChannelException || closedByPeer(cause)) {
      return NetFailure.broken("tls: connection closed by the server during the handshake");
    }
    if (cause instanceof SSLException) {
      return new NetFailure(null, "tls: " + message);
    }
    return SocketErrors.failure("tls handshake with " + endpoint + ": read: ", cause);
  }

  private static boolean closedByPeer(Throwable cause) {
    return (cause instanceof SSLException && cause.getCause() instanceof ClosedChannelException)
        || String.valueOf(cause.getMessage()).startsWith("Connection closed while SSL/TLS");
  }

  /** Finds the certificate error below the exception of an unverified handshake. */
  private static @Nullable String certificateTrouble(Throwable cause) {
    String found = null;
    for (Throwable each = cause; each != null; each = each.getCause()) {
      found = each instanceof GeneralSecurityException ? String.valueOf(each.getMessage()) : found;
    }
    return found;
  }
}
