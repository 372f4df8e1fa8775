package io.probelet.health.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** A trust manager for clients that verifies servers. It accepts no client certificates. */
public abstract class ServerTrust extends X509ExtendedTrustManager {
  /** Stateless. */
  protected ServerTrust() {}

  /**
   * Verifies a server.
   *
   * @param shown the server's certificate, followed by others
   * @param serverName a host's name or address; null if it is unknown
   * @throws CertificateException if the server is not trusted
   */
  protected abstract void handshake(X509Certificate[] shown, @Nullable String serverName)
      throws CertificateException;

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    handshake(chain, engine.getPeerHost());
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    handshake(
        chain,
        socket instanceof SSLSocket secure ? secure.getHandshakeSession().getPeerHost() : null);
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    handshake(chain, null);
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    throw noServer();
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw noServer();
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw noServer();
  }

  private static CertificateException noServer() {
    return new CertificateException("client certificates are not supported");
  }

  @Override
  public final X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
