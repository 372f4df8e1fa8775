package io.probelet.probe.http;

import io.netty.util.NetUtil;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.net.Endpoint;
import java.io.ByteArrayOutputStream;
import java.util.Base64;
import java.util.Locale;
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

  /** The URL for messages, with the query redacted. */
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

  /**
   * Where a URL points to.
   *
   * @param user user and password as written, null if there is none
   * @param host name or IP address without brackets, possibly empty
   * @param port 0 to 65535, or -1 if none is given
   */
  record Authority(@Nullable String user, String host, int port) {
    private static final String NEVER_IN_A_HOST = " #%/?@[\\]^`{|}"; // but <, > and ", as in Go

    /** What may stand before a host, beside letters and digits. */
    private static final String IN_A_USER = "-._:~!$&'()*+,;=%@";

    /** Parses host and port behind an optional user; null if they are malformed. */
    static @Nullable Authority parse(String text) {
      int at = text.lastIndexOf('@');
      String user = at < 0 ? null : text.substring(0, at);
      if (user != null && !isUser(user)) {
        return null;
      }
      String rest = text.substring(at + 1);
      String host;
      if (rest.startsWith("[")) {
        int bracket = rest.indexOf(']');
        if (bracket < 0) {
          return null;
        }
        host = rest.substring(1, bracket);
        rest = rest.substring(bracket + 1);
      } else {
        int colon = rest.indexOf(':');
        host = colon < 0 ? rest : rest.substring(0, colon);
        rest = colon < 0 ? "" : rest.substring(colon);
      }
      int port = port(rest);
      return port < -1 || !isHost(host) ? null : new Authority(user, host, port);
    }

    private static boolean isUser(String text) {
      return UrlText.onlyOf(text, IN_A_USER) && UrlText.validEscapes(text);
    }

    /** {@return what an Authorization header says of user and password, null if there is none} */
    @Nullable String basic() {
      if (user == null) {
        return null;
      }
      int colon = user.indexOf(':');
      ByteArrayOutputStream plain = new ByteArrayOutputStream(user.length() + 1);
      plain.writeBytes(UrlText.unescape(colon < 0 ? user : user.substring(0, colon)));
      plain.write(':');
      plain.writeBytes(UrlText.unescape(colon < 0 ? "" : user.substring(colon + 1)));
      return "Basic " + Base64.getEncoder().encodeToString(plain.toByteArray());
    }

    /** {@return whether a text may be sent as the host of a request} */
    static boolean isHost(String text) {
      if (text.indexOf(':') >= 0 && (!NetUtil.isValidIpV6Address(text) || text.endsWith("%"))) {
        return false; // only IPv6 addresses have colons
      }
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean zone = c == '%' && text.indexOf(':') >= 0; // fe80::1%eth0
        if (c < ' ' || c == 0x7f || (NEVER_IN_A_HOST.indexOf(c) >= 0 && !zone)) {
          return false;
        }
      }
      return true;
    }

    /** -1 for none, -2 for what is no port. */
    private static int port(String withColon) {
      if (withColon.isEmpty() || withColon.equals(":")) {
        return -1;
      }
      if (withColon.charAt(0) != ':' || withColon.length() > 6) {
        return -2;
      }
      int port = 0;
      for (int i = 1; i < withColon.length(); i++) {
        int digit = withColon.charAt(i) - '0';
        if (digit < 0 || digit > 9) {
          return -2;
        }
        port = port * 10 + digit;
      }
      return port <= 65_535 ? port : -2;
    }
  }

  /**
   * A URL reference taken apart as Go does it, which accepts more than the standard.
   *
   * @param scheme in lower case, null if there is none
   * @param authority user, host and port as written, null if there is none
   * @param opaque whether a scheme is followed by neither authority nor absolute path
   * @param path as written, possibly empty
   * @param query as written, null if there is no question mark
   */
  record Reference(
      @Nullable String scheme,
      @Nullable String authority,
      boolean opaque,
      String path,
      @Nullable String query) {

    /** Parses a reference; null if even Go finds none in it. */
    static @Nullable Reference parse(String text) {
      if (hasControlCharacter(text)) {
        return null;
      }
      int hash = text.indexOf('#');
      if (hash >= 0 && !UrlText.validEscapes(text.substring(hash + 1))) {
        return null;
      }
      String rest = hash >= 0 ? text.substring(0, hash) : text;

      int colon = schemeEnd(rest);
      if (colon == 0) {
        return null; // a scheme is missing
      }
      String scheme = colon < 0 ? null : rest.substring(0, colon).toLowerCase(Locale.ROOT);
      rest = rest.substring(colon + 1);

      int question = rest.indexOf('?');
      String query = question < 0 ? null : rest.substring(question + 1);
      rest = question < 0 ? rest : rest.substring(0, question);

      if (!rest.startsWith("/")) {
        if (scheme != null) {
          return new Reference(scheme, null, true, rest, query);
        }
        int slash = rest.indexOf('/');
        if ((slash < 0 ? rest : rest.substring(0, slash)).indexOf(':') >= 0) {
          return null; // could be taken for a scheme
        }
      }
      String authority = null;
      if (rest.startsWith("//") && (scheme != null || !rest.startsWith("///"))) {
        int slash = rest.indexOf('/', 2);
        authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
        rest = slash < 0 ? "" : rest.substring(slash);
        if (Authority.parse(authority) == null) {
          return null;
        }
      }
      return UrlText.validEscapes(rest)
          ? new Reference(scheme, authority, false, rest, query)
          : null;
    }

    /** The colon behind a scheme; 0 if nothing stands before it, -1 if there is no scheme. */
    private static int schemeEnd(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter || (i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
          continue;
        }
        return c == ':' ? i : -1;
      }
      return -1;
    }

    private static boolean hasControlCharacter(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c < ' ' || c == 0x7f) {
          return true;
        }
      }
      return false;
    }
  }
}
