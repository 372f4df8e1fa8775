package io.probelet.cli.once;

import io.probelet.health.dns.DnsType;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.TlsOptions;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a probe from a URL. */
final class UrlProbe {
  private static final int DNS_PORT = 53;
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;
  private static final int LAST_PORT = 65_535;

  private UrlProbe() {}

  /**
   * Reads a URL: http, https, h2c, ws, wss, tcp, tls, dns, icmp, grpc or grpcs.
   *
   * @param method for the first five
   * @param authority for gRPC; null for the address
   * @param unixSocket connected to instead of the address; null for none
   * @throws IllegalArgumentException naming the error and the allowed forms
   */
  static SingleProbe parse(
      String url,
      Method method,
      List<HttpHeader> headers,
      @Nullable String authority,
      @Nullable Path unixSocket,
      TlsOptions tls,
      Duration timeout) {
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
          case "http", "https", "h2c", "ws", "wss" ->
              http(url, uri, scheme, bare, method, headers, unixSocket, tls);
          case "tcp" ->
              new ProbeHandler.TcpSocket(
                  unixSocket == null ? new Port.Numeric(port(url, uri)) : unix(unixSocket), bare);
          case "tls" ->
              new ProbeHandler.TcpSocket(new Port.Numeric(port(url, uri)), bare, tls, List.of());
          case "dns" -> dns(url, uri, bare);
          case "icmp" -> icmp(url, uri, bare);
          case "grpc", "grpcs" ->
              new ProbeHandler.Grpc(
                  port(url, uri), service(uri), authority, scheme.equals("grpcs") ? tls : null);
          default -> throw wrong(url, "unknown scheme");
        };
    return SingleProbe.at(url, handler, bare, timeout);
  }

  private static ProbeHandler http(
      String url,
      URI uri,
      String scheme,
      String host,
      Method method,
      List<HttpHeader> headers,
      @Nullable Path unixSocket,
      TlsOptions tls) {
    boolean secure = scheme.equals("https") || scheme.equals("wss");
    int port = uri.getPort() != -1 ? uri.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return new ProbeHandler.HttpGet(
        unixSocket == null ? new Port.Numeric(valid(url, port)) : unix(unixSocket),
        host,
        path + query,
        secure ? Scheme.HTTPS : Scheme.HTTP,
        headers,
        tls,
        HttpExpectation.KUBELET,
        method,
        switch (scheme) {
          case "h2c" -> Protocol.HTTP2;
          case "ws", "wss" -> Protocol.WEBSOCKET;
          default -> Protocol.HTTP1;
        });
  }

  /** Such as {@code dns://10.96.0.10/kubernetes.default.svc.cluster.local?type=A} (RFC 4501). */
  private static ProbeHandler dns(String url, URI uri, String host) {
    int port = uri.getPort() == -1 ? DNS_PORT : valid(url, uri.getPort());
    String query = uri.getQuery() == null ? "type=A" : uri.getQuery();
    String name = query.startsWith("type=") ? query.substring("type=".length()) : "";
    DnsType type =
        DnsType.of(name.toUpperCase(Locale.ROOT))
            .orElseThrow(() -> wrong(url, "the query is ?type= and a type of records"));
    return new ProbeHandler.Dns(
        new Port.Numeric(port), host, service(uri), type, List.of("NOERROR"), List.of(), false);
  }

  private static ProbeHandler icmp(String url, URI uri, String host) {
    if (uri.getPort() != -1 || !uri.getRawPath().isEmpty()) {
      throw wrong(url, "icmp has neither a port nor a path");
    }
    return new ProbeHandler.Icmp(host);
  }

  private static Port unix(Path socket) {
    return new Port.UnixSocket(socket.toAbsolutePath().toString());
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
            + "; write http://host:port/path, https://…, tcp://host:port, h2c://…, ws://…,"
            + " tls://host:port, dns://server/name, icmp://host or"
            + " grpc://host:port/service");
  }
}
