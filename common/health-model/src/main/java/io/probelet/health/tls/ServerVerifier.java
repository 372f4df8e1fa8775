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
 * of the chain is valid now, the root too; every trusted certificate is a root, the server's own as
 * well; its alternative names are for the server that was asked for. The time is asked for at each
 * handshake, so that what expires later is refused later.
 *
 * <p>Servers choose what they show. So certificates, signatures that are computed, and names that
 * are compared have limits; all else is as long as the chain.
 */
public final class ServerVerifier extends ServerTrust {
  /** Certificates of a server. More are refused; real servers show two to five. */
  public static final int MAX_CERTIFICATES = 100;

  private final CertificatePool roots = new CertificatePool();
  private final TimeSource time;

  private ServerVerifier(TimeSource time) {
    this.time = time;
  }

  /**
   * Trusts what these have signed, and themselves. Those that Go would not read are left out.
   *
   * @param trusted at least one
   * @param time what certificates have to be valid at
   * @return the verifier
   * @throws CertificateException if there is none, or none that can be used
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
   * Trusts what these have signed, and themselves.
   *
   * @param pem certificates as text, at least one
   * @param time what certificates have to be valid at
   * @return the verifier
   * @throws CertificateException if that is not what the text is
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
    } catch (RuntimeException broken) { // some that a pod's author brings have the JDK throw these
      throw new CertificateException("cannot parse the server's certificates", broken);
    }
    return trusting(trusted, time);
  }

  /**
   * Trusts what the platform's authorities have signed.
   *
   * @param time what certificates have to be valid at
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
            // as Go leaves it out; who needs it is refused
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
   * {@return a context of TLS for clients of servers that are verified}
   *
   * @throws GeneralSecurityException if the JDK has no TLS
   */
  public SSLContext context() throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {this}, null);
    return context;
  }

  /**
   * Finds why a server was refused.
   *
   * @param failed what a handshake ended with, or what that became
   * @return what this has said; empty if it was not this
   */
  public static Optional<String> refusal(@Nullable Throwable failed) {
    for (Throwable each = failed; each != null; each = each.getCause()) {
      if (each instanceof RefusedException) {
        return Optional.of(String.valueOf(each.getMessage()));
      }
    }
    return Optional.empty();
  }

  /** What handshakes end with. */
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
   * @throws CertificateException says why it cannot be trusted, in Go's words
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
