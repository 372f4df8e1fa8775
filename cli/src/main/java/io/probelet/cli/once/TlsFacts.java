package io.probelet.cli.once;

import io.probelet.fleet.terminal.Terminal;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The parameters of a TLS connection.
 *
 * @param version such as TLSv1.3
 * @param chain the target's certificates, its own first; at most ten
 */
record TlsFacts(String version, String cipher, List<Shown> chain) {
  private static final int MAX_CERTIFICATES = 10;
  private static final int MAX_NAME_LENGTH = 256;

  /** Keeps an unmodifiable copy of the chain. */
  TlsFacts {
    chain = List.copyOf(chain);
  }

  /** One certificate. Its names are untrusted. */
  record Shown(String subject, String issuer, Instant from, Instant until) {}

  /** Reads a session. */
  static TlsFacts of(SSLSession session) {
    return new TlsFacts(session.getProtocol(), session.getCipherSuite(), chain(session));
  }

  private static List<Shown> chain(SSLSession session) {
    List<Shown> chain = new ArrayList<>();
    try {
      for (Certificate each : session.getPeerCertificates()) {
        if (each instanceof X509Certificate certificate && chain.size() < MAX_CERTIFICATES) {
          chain.add(
              new Shown(
                  Terminal.line(certificate.getSubjectX500Principal().getName(), MAX_NAME_LENGTH),
                  Terminal.line(certificate.getIssuerX500Principal().getName(), MAX_NAME_LENGTH),
                  certificate.getNotBefore().toInstant(),
                  certificate.getNotAfter().toInstant()));
        }
      }
    } catch (SSLPeerUnverifiedException none) {
      return List.of(); // a handshake without certificates
    }
    return chain;
  }
}
