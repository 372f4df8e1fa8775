package io.probelet.probe.net;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whom probes trust: every certificate, expired, self-signed or made for another name, as the
 * kubelet (H-7), or those that an authority has signed. Either way a server shows none that would
 * take long to compute with, as all probes of a loop wait meanwhile.
 */
final class ServerTrust extends X509ExtendedTrustManager {
  /**
   * Certificates that are verified; those of the web show two to five. To find its way from one to
   * the next the JDK tries all that fit, five deep, so that two hundred would take it hours.
   */
  static final int MAX_VERIFIED = 10;

  private final @Nullable X509ExtendedTrustManager verifier;

  private ServerTrust(@Nullable X509ExtendedTrustManager verifier) {
    this.verifier = verifier;
  }

  /** Trusts every certificate. */
  static ServerTrust any() {
    return new ServerTrust(null);
  }

  /**
   * Trusts what an authority has signed for the server's name.
   *
   * @param authorities at least one, or null for the platform's own
   * @throws GeneralSecurityException if they cannot be used
   */
  static ServerTrust signedBy(@Nullable List<X509Certificate> authorities)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(authorities == null ? null : store(authorities));
    for (TrustManager made : factory.getTrustManagers()) {
      if (made instanceof X509ExtendedTrustManager verifier) {
        return new ServerTrust(verifier);
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for X.509");
  }

  private static KeyStore store(List<X509Certificate> authorities) throws GeneralSecurityException {
    if (authorities.isEmpty()) {
      throw new CertificateException("no certificate");
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    try {
      store.load(null, null);
    } catch (IOException impossible) {
      throw new GeneralSecurityException(impossible);
    }
    for (int i = 0; i < authorities.size(); i++) {
      GoTls.checkKey(authorities.get(i));
      store.setCertificateEntry(Integer.toString(i), authorities.get(i));
    }
    return store;
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    X509ExtendedTrustManager verifying = bounded(chain);
    if (verifying != null) {
      verifying.checkServerTrusted(chain, type, engine);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    X509ExtendedTrustManager verifying = bounded(chain);
    if (verifying != null) {
      verifying.checkServerTrusted(chain, type, socket);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    X509ExtendedTrustManager verifying = bounded(chain);
    if (verifying != null) {
      verifying.checkServerTrusted(chain, type);
    }
  }

  /** Checks what needs no computing; {@return what checks the rest, null for nothing} */
  private @Nullable X509ExtendedTrustManager bounded(X509Certificate[] chain)
      throws CertificateException {
    for (X509Certificate certificate : chain) {
      GoTls.checkKey(certificate);
    }
    if (verifier != null && chain.length > MAX_VERIFIED) {
      throw new CertificateException(
          "%d certificates, at most %d are verified".formatted(chain.length, MAX_VERIFIED));
    }
    return verifier;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw noServer();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw noServer();
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw noServer();
  }

  private static CertificateException noServer() {
    return new CertificateException("probes are no servers");
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
