package io.probelet.manifest;

import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** One of the authorities that this platform trusts. */
final class AnyAuthority {
  private AnyAuthority() {}

  /** Its certificate. */
  static String pem() throws Exception {
    TrustManagerFactory platform =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    platform.init((KeyStore) null);
    X509TrustManager trusted = (X509TrustManager) platform.getTrustManagers()[0];
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(trusted.getAcceptedIssuers()[0].getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }
}
