package io.probelet.kube.access;

import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Prevents sending credentials over plain HTTP unless the user configured it. For a server without
 * a scheme the client tries TLS once and falls back to HTTP, even after a timeout.
 */
final class ServerScheme {
  static final String REFUSAL =
      "the kubeconfig's server must begin with https:// or http:// and a host";

  private static final String PLAIN = "http://";

  private ServerScheme() {}

  /**
   * Adds https to a server without a scheme.
   *
   * @param variable the server set by an environment variable, overriding the kubeconfig's; empty
   *     for none
   * @param kubeconfigs the texts read by the client; the first with a cluster counts
   * @throws IOException if neither TLS nor credentials are configured; the message is for the user
   */
  static Config require(Config config, String variable, List<String> kubeconfigs)
      throws IOException {
    String url = config.getMasterUrl();
    if (!url.toLowerCase(Locale.ROOT).startsWith(PLAIN)
        || isWritten(url, variable.isEmpty() ? server(config, kubeconfigs) : variable)) {
      return config;
    }
    if (!isSecured(config)) {
      throw new IOException(REFUSAL);
    }
    config.setMasterUrl("https://" + url.substring(PLAIN.length()));
    return config;
  }

  /** The client only adds the last slash to a server with a scheme. */
  private static boolean isWritten(String url, @Nullable String server) {
    return server != null && url.equals(server.endsWith("/") ? server : server + "/");
  }

  /** {@return the server of the context's cluster, looked up as the client does} */
  private static @Nullable String server(Config config, List<String> kubeconfigs) {
    NamedContext context = config.getCurrentContext();
    if (context == null) {
      return null;
    }
    String name = context.getContext().getCluster();
    return kubeconfigs.stream()
        .map(KubeConfigUtils::parseConfigFromString)
        .filter(kubeconfig -> kubeconfig != null && kubeconfig.getClusters() != null)
        .flatMap(
            kubeconfig -> kubeconfig.getClusters().reversed().stream()) // the last entry counts
        .filter(cluster -> cluster.getCluster() != null && Objects.equals(cluster.getName(), name))
        .findFirst()
        .map(cluster -> cluster.getCluster().getServer())
        .orElse(null);
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
