package io.probelet.cli.once;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.TlsOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Reads a probe from a URL. */
final class UrlProbe {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int LAST_PORT = 65_535;

  private UrlProbe() {}

  /**
   * Reads a URL: http, https, tcp, grpc or grpcs.
   *
   * @throws IllegalArgumentException naming the error and the allowed forms
   */
  static SingleProbe parse(String url, List<HttpHeader> headers, TlsOptions tls, Duration timeout) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException malformed) {
      throw wrong(url, malformed.getReason().toLowerCase(Locale.ROOT));
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    String host = uri.getHost();
    if (host == null) {
      throw wrong(url, "the host is missing");
    }
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    ProbeHandler handler =
        switch (scheme) {
          case "http", "https" -> http(url, uri, scheme.equals("https"), bare, headers, tls);
          case "tcp" -> new ProbeHandler.TcpSocket(new Port.Numeric(port(url, uri)), bare);
          case "grpc", "grpcs" ->
              new ProbeHandler.Grpc(
                  port(url, uri), service(uri), scheme.equals("grpcs") ? tls : null);
          default -> throw wrong(url, "unknown scheme");
        };
    return SingleProbe.at(url, handler, bare, timeout);
  }

  private static ProbeHandler http(
      String url, URI uri, boolean secure, String host, List<HttpHeader> headers, TlsOptions tls) {
    int port = uri.getPort() != -1 ? uri.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return new ProbeHandler.HttpGet(
        new Port.Numeric(valid(url, port)),
        host,
        path + query,
        secure ? Scheme.HTTPS : Scheme.HTTP,
        headers,
        tls,
        HttpExpectation.KUBELET);
  }

  private static int port(String url, URI uri) {
    if (uri.getPort() == -1) {
      throw wrong(url, "the port is missing");
    }
    return valid(url, uri.getPort());
  }

  private static int valid(String url, int port) {
    if (port < 1 || port > LAST_PORT) {
      throw wrong(url, "port " + port + " is out of range 1-" + LAST_PORT);
    }
    return port;
  }

  private static String service(URI uri) {
    return uri.getPath().startsWith("/") ? uri.getPath().substring(1) : "";
  }

  private static IllegalArgumentException wrong(String url, String why) {
    return new IllegalArgumentException(
        "cannot probe \""
            + url
            + "\": "
            + why
            + "; write http://host:port/path, https://…, tcp://host:port or"
            + " grpc://host:port/service");
  }
}
