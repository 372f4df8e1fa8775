package io.probelet.health.tls;

import io.probelet.health.TimeSource;
import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies servers as Go does with {@code RootCAs} and {@code ServerName} (TLS-1): each certificate
 * of the chain is currently valid, including the root; every trusted certificate is a root,
 * including the server's own; an alternative name matches the requested server. The time is read at
 * each handshake, so that expiry is detected.
 *
 * <p>Servers choose the certificates they send. Therefore the numbers of certificates, computed
 * signatures and compared names are limited; everything else is bounded by the length of the chain.
 */
public final class ServerVerifier extends ServerTrust {
  /** The most certificates of a server; real servers send two to five. */
  public static final int MAX_CERTIFICATES = 100;

  private final CertificatePool roots = new CertificatePool();
  private final TimeSource time;

  private ServerVerifier(TimeSource time) {
    this.time = time;
  }

  /**
   * Trusts these certificates and those signed by them. Certificates that Go would reject are
   * ignored.
   *
   * @param trusted at least one
   * @param time the clock for validity
   * @return the verifier
   * @throws CertificateException if there is no usable certificate
   */
  public static ServerVerifier trusting(List<X509Certificate> trusted, TimeSource time)
      throws CertificateException {
    ServerVerifier verifier = new ServerVerifier(time);
    CertificateException unusable = new CertificateException("no certificate");
    boolean any = false;
    for (X509Certificate each : trusted) {
      try {
        verifier.add(each);
        any = true;
      } catch (CertificateException unreadable) {
        unusable = unreadable;
      }
    }
    if (!any) {
      throw unusable;
    }
    return verifier;
  }

  /**
   * Trusts these certificates and those signed by them.
   *
   * @param pem certificates as text, at least one
   * @param time the clock for validity
   * @return the verifier
   * @throws CertificateException if the text contains no valid certificate
   */
  public static ServerVerifier trusting(byte[] pem, TimeSource time) throws CertificateException {
    List<X509Certificate> trusted;
    try {
      trusted =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
    } catch (RuntimeException broken) { // thrown by the JDK for some certificates of pod authors
      throw new CertificateException("cannot parse the server's certificates", broken);
    }
    return trusting(trusted, time);
  }

  /**
   * Trusts the platform's authorities.
   *
   * @param time the clock for validity
   * @return the verifier
   * @throws GeneralSecurityException if the JDK has no trust manager
   */
  public static ServerVerifier trustingPlatform(TimeSource time) throws GeneralSecurityException {
    TrustManagerFactory platform =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    platform.init((KeyStore) null);
    ServerVerifier verifier = new ServerVerifier(time);
    for (TrustManager each : platform.getTrustManagers()) {
      if (each instanceof X509TrustManager known) {
        for (X509Certificate authority : known.getAcceptedIssuers()) {
          try {
            verifier.add(authority);
          } catch (CertificateException unreadable) {
            // ignored as in Go; servers that need it are rejected
          }
        }
      }
    }
    return verifier;
  }

  private void add(X509Certificate root) throws CertificateException {
    CertificateKeys.check(root);
    roots.add(ParsedCertificate.of(root));
  }

  /**
   * {@return a TLS context for clients, with this verification}
   *
   * @throws GeneralSecurityException if the JDK has no TLS
   */
  public SSLContext context() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {this}, null);
    return context;
  }

  /**
   * Finds the reason for a rejected server.
   *
   * @param failed the failure of a handshake, or one caused by it
   * @return the message of this verifier; empty if the cause is another
   */
  public static Optional<String> refusal(@Nullable Throwable failed) {
    for (Throwable each = failed; each != null; each = each.getCause()) {
      if (each instanceof RefusedException) {
        return Optional.of(String.valueOf(each.getMessage()));
      }
    }
    return Optional.empty();
  }

  /** The exception of failed handshakes. */
  private static final class RefusedException extends CertificateException {
    private static final long serialVersionUID = 1L;

    RefusedException(CertificateException why) {
      super("tls: failed to verify certificate: " + why.getMessage(), why);
    }
  }

  /**
   * Verifies a server.
   *
   * @param shown the server's certificate, then others in any order
   * @param serverName a host's name or address
   * @throws CertificateException with the reason, in Go's words
   */
  public void verify(X509Certificate[] shown, String serverName) throws CertificateException {
    if (shown.length == 0 || shown.length > MAX_CERTIFICATES) {
      throw new CertificateException(
          "server sent %d certificates, the limit is %d".formatted(shown.length, MAX_CERTIFICATES));
    }
    List<ParsedCertificate> parsed = new ArrayList<>();
    for (X509Certificate each : shown) {
      CertificateKeys.check(each);
      parsed.add(ParsedCertificate.of(each));
    }
    CertificatePool others = new CertificatePool();
    parsed.stream().skip(1).forEach(others::add);
    new ChainSearch(roots, others, time.wallTime())
        .verify(parsed.getFirst(), new ServerName(serverName));
  }

  @Override
  protected void handshake(X509Certificate[] shown, @Nullable String serverName)
      throws CertificateException {
    try {
      if (serverName == null || serverName.isEmpty()) {
        throw new CertificateException("no server name to verify");
      }
      verify(shown, serverName);
    } catch (CertificateException why) {
      throw new RefusedException(why);
    }
  }
}
