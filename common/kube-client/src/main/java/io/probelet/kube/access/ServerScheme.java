package io.probelet.kube.access;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.IOException;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps credentials off plain HTTP that the user did not write. For a server without a scheme the
 * client tries TLS once and falls back to HTTP, also if the server only did not answer.
 */
final class ServerScheme {
  static final String REFUSAL =
      "the kubeconfig's server must begin with https:// or http:// and a host";

  private static final String PLAIN = "http://";

  private ServerScheme() {}

  /**
   * Makes a server without a scheme an https one.
   *
   * @param sources the kubeconfigs that the server's address may come from
   * @throws IOException if neither TLS nor credentials are configured; the message is for the user
   */
  static Config require(Config config, Stream<String> sources) throws IOException {
    String url = config.getMasterUrl();
    if (!url.toLowerCase(Locale.ROOT).startsWith(PLAIN) || isWritten(url, sources)) {
      return config;
    }
    if (!isSecured(config)) {
      throw new IOException(REFUSAL);
    }
    config.setMasterUrl("https://" + url.substring(PLAIN.length()));
    return config;
  }

  private static boolean isWritten(String url, Stream<String> sources) {
    String plain = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    String variable = Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_MASTER_SYSTEM_PROPERTY, "");
    return Stream.concat(sources, Stream.of(variable))
        .map(text -> text.replace("\\/", "/").toLowerCase(Locale.ROOT))
        .anyMatch(text -> text.contains(plain.toLowerCase(Locale.ROOT)));
  }

  private static boolean isSecured(Config config) {
    return config.isTrustCerts()
        || Stream.of(
                config.getCaCertData(),
                config.getCaCertFile(),
                config.getClientCertData(),
                config.getClientCertFile(),
                config.getOauthToken(),
                config.getAutoOAuthToken(),
                config.getUsername())
            .anyMatch(ServerScheme::isGiven);
  }

  private static boolean isGiven(@Nullable String value) {
    return value != null && !value.isEmpty();
  }
}
