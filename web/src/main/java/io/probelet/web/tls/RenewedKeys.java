package io.probelet.web.tls;

import io.probelet.kube.certificate.ServingCertificate;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** One key at a time, which may change. */
final class RenewedKeys extends X509ExtendedKeyManager {
  private static final String ALIAS = "serving";

  private volatile ServingCertificate current;

  RenewedKeys(ServingCertificate current) {
    this.current = current;
  }

  /** Takes another for new connections. */
  void use(ServingCertificate next) {
    current = next;
  }

  @Override
  public String chooseEngineServerAlias(
      String type, Principal @Nullable [] issuers, SSLEngine engine) {
    return ALIAS;
  }

  @Override
  public String chooseServerAlias(
      String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return ALIAS;
  }

  @Override
  public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
    return new String[] {ALIAS};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return current.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return current.key();
  }

  @Override
  public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
    return null;
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
