package io.probelet.manifest.policy;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.TlsOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings with the administrator's secrets, which annotations name and never see.
 *
 * @param namespaces whose pods may do so
 * @param hosts where its secrets may be sent; probes with it may go there
 * @param tls how peers are trusted, and the client certificate; null for none of both
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
