package io.probelet.manifest.policy;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.TlsOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings with the administrator's secrets, which annotations can name but not read.
 *
 * @param namespaces namespaces whose pods may use it
 * @param hosts where its secrets may be sent; probes with it may target these hosts
 * @param tls TLS settings and the client certificate; null for neither
 * @param headers sent with each HTTP request
 */
public record Profile(
    String name,
    NamePatterns namespaces,
    HostRules hosts,
    @Nullable TlsOptions tls,
    List<HttpHeader> headers) {
  /** Keeps an unmodifiable copy of the headers. */
  public Profile {
    headers = List.copyOf(headers);
  }
}
