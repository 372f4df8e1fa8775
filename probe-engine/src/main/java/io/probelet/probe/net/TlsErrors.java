package io.probelet.probe.net;

import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says in one line why a TLS handshake failed. */
final class TlsErrors {
  private static final String ALERT = "Received fatal alert: ";

  private TlsErrors() {}

  static NetFailure failure(Endpoint endpoint, Throwable cause) {
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

  /** Finds what the JDK has against a certificate, deep below the handshake's exception. */
  private static @Nullable String certificateTrouble(Throwable cause) {
    String found = null;
    for (Throwable each = cause; each != null; each = each.getCause()) {
      String here =
          switch (each) {
            case CertificateExpiredException expired ->
                "certificate has expired: " + expired.getMessage();
            case CertificateNotYetValidException early ->
                "certificate is not yet valid: " + early.getMessage();
            case CertPathBuilderException _ -> "certificate signed by unknown authority";
            case CertificateException other -> String.valueOf(other.getMessage());
            case GeneralSecurityException other -> String.valueOf(other.getMessage());
            default -> null;
          };
      found = here == null ? found : here;
    }
    return found;
  }
}
