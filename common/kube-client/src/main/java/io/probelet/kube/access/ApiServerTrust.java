package io.probelet.kube.access;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.probelet.health.TimeSource;
import io.probelet.health.tls.ServerVerifier;
import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the API server as kubectl does. The client's own trust manager would also accept an
 * expired authority, and all platform authorities in addition to the cluster's.
 */
final class ApiServerTrust {
  private ApiServerTrust() {}

  /**
   * Replaces the client's trust manager, unless the user has configured insecure TLS or a key
   * store.
   *
   * @throws IllegalArgumentException if the authority cannot be used
   */
  static void apply(StandardHttpClientBuilder<?, ?, ?> settings, Config config, TimeSource time) {
    if (settings.getSslContext() == null
        || !config.getMasterUrl().startsWith("https:")
        || config.isTrustCerts()
        || config.isDisableHostnameVerification()
        || config.getTrustStoreFile() != null) {
      return;
    }
    try {
      ServerVerifier verifier =
          isEmpty(config.getCaCertData()) && isEmpty(config.getCaCertFile())
              ? ServerVerifier.trustingPlatform(time)
              : ServerVerifier.trusting(authority(config), time);
      settings.sslContext(settings.getKeyManagers(), new TrustManager[] {verifier});
    } catch (CertificateException unusable) {
      throw new IllegalArgumentException(
          "the API server's certificate authority cannot be used: " + unusable.getMessage(),
          unusable);
    } catch (IOException | GeneralSecurityException failed) {
      throw new IllegalArgumentException(failed.getMessage(), failed);
    }
  }

  private static boolean isEmpty(@Nullable String text) {
    return text == null || text.isEmpty();
  }

  private static byte[] authority(Config config) throws IOException {
    try (InputStream pem =
        CertUtils.getInputStreamFromDataOrFile(config.getCaCertData(), config.getCaCertFile())) {
      return pem.readAllBytes();
    }
  }
}
