package io.probelet.probe.net;

import io.probelet.health.tls.CertificateKeys;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts every certificate, expired, self-signed or made for another name, as the kubelet does
 * (H-7). But a server shows none that would take long to compute with, as all probes of a loop wait
 * meanwhile.
 */
final class AnyServer extends X509ExtendedTrustManager {
  /** Needs nothing. */
  AnyServer() {}

  private static void check(X509Certificate[] chain) throws CertificateException {
    for (X509Certificate certificate : chain) {
      CertificateKeys.check(certificate);
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain);
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
