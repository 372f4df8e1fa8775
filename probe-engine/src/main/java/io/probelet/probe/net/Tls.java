package io.probelet.probe.net;

import io.probelet.probe.TlsOptions;
import java.util.List;

/**
 * TLS for one connection.
 *
 * @param options how far the peer is trusted
 * @param protocols offered by ALPN, best first; empty offers none
 */
public record Tls(TlsOptions options, List<String> protocols) {
  /** Name of HTTP/2 in ALPN. */
  public static final String H2 = "h2";

  /** Name of HTTP/1.1 in ALPN. */
  public static final String HTTP_1_1 = "http/1.1";

  /** Keeps an unmodifiable copy of the list. */
  public Tls {
    protocols = List.copyOf(protocols);
  }
}
