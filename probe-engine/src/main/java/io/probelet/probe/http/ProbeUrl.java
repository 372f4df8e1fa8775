package io.probelet.probe.http;

import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.net.Endpoint;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The URL of one request.
 *
 * @param scheme HTTP or HTTPS
 * @param endpoint where to connect
 * @param authority host and port as they stand in the URL and the Host header
 * @param path escaped, begins with a slash
 * @param query escaped, null for none
 * @param authorization what the URL's user and password come to as a header; null for none
 */
record ProbeUrl(
    Scheme scheme,
    Endpoint endpoint,
    String authority,
    String path,
    @Nullable String query,
    @Nullable String authorization) {

  /** What a redirect comes to. */
  sealed interface Next {
    /**
     * The next request, to the same host.
     *
     * @param absolute whether the Location had a scheme
     */
    record Follow(ProbeUrl url, boolean absolute) implements Next {}

    /** Another host, where the chain stops (H-4). */
    record OtherHost() implements Next {}

    /** No URL that could be requested. */
    record Broken(String why) implements Next {}
  }

  /** Builds the first URL of a probe (H-1). */
  static ProbeUrl of(Scheme scheme, Endpoint endpoint, String text) {
    if (UrlText.isPlainPath(text)) { // as nearly all are
      return new ProbeUrl(
          scheme, endpoint, authority(endpoint.host(), endpoint.port()), text, null, null);
    }
    String path = UrlText.bytes(text);
    Reference reference = Reference.parse(path);
    String escaped;
    String query = null;
    // What has a scheme but no path behind it, like "a:b", is more likely an odd path than a URL.
    if (reference == null || reference.opaque()) {
      escaped = UrlText.escape(path);
    } else {
      escaped = UrlText.escapedPath(reference.path());
      query = reference.query();
    }
    return new ProbeUrl(
        scheme,
        endpoint,
        authority(endpoint.host(), endpoint.port()),
        escaped.startsWith("/") ? escaped : "/" + escaped,
        query == null ? null : UrlText.wireQuery(query),
        null);
  }

  /** Resolves the Location of an answer, each char a byte, to this URL (H-4). */
  Next follow(String location) {
    Reference reference = Reference.parse(location);
    if (reference == null) {
      return new Next.Broken("failed to parse Location header \"" + Quoted.of(location) + "\"");
    }
    Scheme nextScheme = scheme;
    if (reference.scheme() != null) {
      switch (reference.scheme()) {
        case "http" -> nextScheme = Scheme.HTTP;
        case "https" -> nextScheme = Scheme.HTTPS;
        default -> {
          Next named = absolute(scheme, reference, null);
          return named instanceof Next.Follow
              ? new Next.Broken("unsupported protocol scheme \"" + reference.scheme() + "\"")
              : named;
        }
      }
    }
    String query = reference.query() == null ? null : UrlText.wireQuery(reference.query());
    if (reference.scheme() != null || reference.authority() != null) {
      return absolute(nextScheme, reference, query);
    }
    boolean samePath = reference.path().isEmpty();
    String target = UrlText.resolvePath(path, UrlText.escapedPath(reference.path()));
    return new Next.Follow(
        new ProbeUrl(
            scheme,
            endpoint,
            authority,
            target,
            samePath && query == null ? this.query : query,
            authorization),
        false);
  }

  private Next absolute(Scheme nextScheme, Reference reference, @Nullable String query) {
    String written = Objects.requireNonNullElse(reference.authority(), "");
    Authority next = Authority.parse(written);
    if (next == null) {
      return new Next.Broken("failed to parse Location header: invalid host");
    }
    if (!next.host().equals(endpoint.host())) {
      return new Next.OtherHost();
    }
    int port = next.port() >= 0 ? next.port() : nextScheme == Scheme.HTTPS ? 443 : 80;
    if (port == 0) {
      return new Next.Broken("dial tcp: address 0: invalid port");
    }
    return new Next.Follow(
        new ProbeUrl(
            nextScheme,
            new Endpoint(next.host(), port),
            authority(next.host(), next.port()),
            UrlText.resolvePath("", UrlText.escapedPath(reference.path())),
            query,
            next.basic()),
        reference.scheme() != null);
  }

  /** The request's target: path and query. */
  String target() {
    return query == null ? path : path + "?" + query;
  }

  /** {@return the Referer of a request that this one led to, null if it must not be sent} */
  @Nullable String refererOf(ProbeUrl next) {
    boolean downgraded = scheme == Scheme.HTTPS && next.scheme() == Scheme.HTTP;
    return downgraded ? null : base() + target();
  }

  private String base() {
    return (scheme == Scheme.HTTPS ? "https://" : "http://") + authority;
  }

  /** The URL as messages show it: that there is a query, and not what it says. */
  @Override
  public String toString() {
    return base() + Secrets.withoutSecrets(target());
  }

  private static String authority(String host, int port) {
    String shown = host;
    if (host.indexOf(':') >= 0) {
      int zone = host.indexOf('%'); // means something on this machine only
      shown = "[" + (zone < 0 ? host : host.substring(0, zone)) + "]";
    }
    return port < 0 ? shown : shown + ":" + port;
  }
}
