package io.probelet.probe.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.probe.ProbeHandler.Method;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The headers of a probe's requests (H-2). Lives on one loop. */
final class RequestHead {
  /** Nothing but what every request has. */
  static final RequestHead NONE = new RequestHead(null, List.of(), true, null);

  /** A POST without a body says so. */
  private static final byte[] EMPTY = "\r\nContent-Length: 0".getBytes(UTF_8);

  private static final byte[] NOTHING = new byte[0];

  private static final Map<Method, byte[]> METHODS =
      new EnumMap<>(
          Map.of(
              Method.GET, "GET ".getBytes(UTF_8),
              Method.HEAD, "HEAD ".getBytes(UTF_8),
              Method.POST, "POST ".getBytes(UTF_8)));
  private static final byte[] HOST = " HTTP/1.1\r\nHost: ".getBytes(UTF_8);

  /** Describe a body, which a probe has none of. */
  private static final Set<String> LEFT_OUT =
      Set.of("content-length", "transfer-encoding", "trailer");

  private final @Nullable String host;
  private final List<HeaderField> headers;
  private final boolean close;
  private final @Nullable String broken;

  /** Encoded with the first request: all probes without headers of their own send the same. */
  private byte @Nullable [] lines;

  private RequestHead(
      @Nullable String host, List<HeaderField> headers, boolean close, @Nullable String broken) {
    this.host = host;
    this.headers = headers;
    this.close = close;
    this.broken = broken;
  }

  /**
   * {@return what is sent instead of the URL's authority; null for none, empty if it is no host}
   */
  @Nullable String host() {
    return host;
  }

  /**
   * {@return the headers in the order they are sent, without Host and Connection; names as the
   * kubelet writes them}
   */
  List<HeaderField> headers() {
    return headers;
  }

  /** {@return why no request can be made of these headers, null if it can} */
  @Nullable String broken() {
    return broken;
  }

  /** {@return the request of HTTP/1.1 to a URL} */
  byte[] request(Method method, ProbeUrl url) {
    byte[] verb = METHODS.getOrDefault(method, NOTHING);
    byte[] length = method == Method.POST ? EMPTY : NOTHING;
    byte[] target = url.target().getBytes(UTF_8);
    byte[] named = (host == null ? url.authority() : host).getBytes(UTF_8);
    byte[] others = lines();
    return ByteBuffer.allocate(
            verb.length
                + target.length
                + HOST.length
                + named.length
                + length.length
                + others.length)
        .put(verb)
        .put(target)
        .put(HOST)
        .put(named)
        .put(length)
        .put(others)
        .array();
  }

  /** {@return what follows the host, up to the end of the head} */
  private byte[] lines() {
    byte[] known = lines;
    if (known == null) {
      StringBuilder text = new StringBuilder("\r\n");
      for (HeaderField header : headers) {
        text.append(header.name()).append(": ").append(header.value()).append("\r\n");
      }
      text.append(close ? "Connection: close\r\n\r\n" : "\r\n");
      known = text.toString().getBytes(UTF_8);
      lines = known;
    }
    return known;
  }

  /** Adds the defaults to what was given. */
  static RequestHead of(List<HeaderField> given, String defaultUserAgent) {
    String host = null;
    String userAgent = null;
    String accept = null;
    boolean close = true;
    boolean upgrade = false;
    boolean upgradeToken = false;
    List<HeaderField> others = new ArrayList<>(given.size() + 2);
    for (HeaderField header : given) {
      String name = header.name();
      String value = header.value().strip();
      String wrong = fault(name, value);
      if (wrong != null) {
        return new RequestHead(null, List.of(), true, wrong);
      }
      switch (name.toLowerCase(Locale.ROOT)) {
        case "host" -> host = host == null ? value : host;
        case "user-agent" -> userAgent = userAgent == null ? value : userAgent;
        case String body when LEFT_OUT.contains(body) -> {}
        case "accept" -> {
          accept = accept == null ? value : accept;
          others.add(new HeaderField("Accept", value));
        }
        case "connection" -> {
          close &= !hasToken(value, "close");
          upgradeToken |= hasToken(value, "upgrade");
          others.add(new HeaderField("Connection", value));
        }
        case "upgrade" -> {
          upgrade |= !value.isEmpty();
          others.add(new HeaderField("Upgrade", value));
        }
        default -> others.add(new HeaderField(canonical(name), value));
      }
    }
    if (accept == null) {
      others.add(new HeaderField("Accept", "*/*"));
    } else if (accept.isEmpty()) {
      others.removeIf(header -> header.name().equals("Accept"));
    }
    String agent = userAgent == null ? defaultUserAgent : userAgent;
    if (!agent.isEmpty()) {
      others.addFirst(new HeaderField("User-Agent", agent));
    }
    String sentHost = host == null || host.isEmpty() ? null : HostHeader.of(host);
    return new RequestHead(sentHost, others, close && !(upgrade && upgradeToken), null);
  }

  /**
   * The headers of the request that an answer leads to, as Go makes them: they say where it came
   * from and who is meant by the URL, unless the probe does.
   *
   * @param kept sent instead of the URL's authority, null for none
   * @param referer where the request came from, null if that must not be sent
   * @param authorization what the URL asks for, null for none
   */
  RequestHead redirected(
      @Nullable String kept, @Nullable String referer, @Nullable String authorization) {
    List<HeaderField> next = new ArrayList<>(headers);
    setUnlessGiven(next, "Authorization", authorization);
    setUnlessGiven(next, "Referer", referer);
    return new RequestHead(kept, next, close, null);
  }

  /** A first value that is empty does not count as given. */
  private static void setUnlessGiven(List<HeaderField> to, String name, @Nullable String value) {
    for (HeaderField each : to) {
      if (each.name().equals(name)) {
        if (!each.value().isEmpty()) {
          return;
        }
        break;
      }
    }
    if (value != null) {
      to.removeIf(each -> each.name().equals(name));
      to.add(new HeaderField(name, value));
    }
  }

  /** {@return the error of a header, without its value, which may be a secret} */
  private static @Nullable String fault(String name, String value) {
    boolean token = !name.isEmpty() && name.chars().allMatch(HeaderField::isTokenByte);
    if (!token) {
      return "net/http: invalid header field name \"" + Quoted.of(name) + "\"";
    }
    boolean valid = value.chars().allMatch(c -> c > 0xff || HeaderField.isValueByte(c));
    return valid ? null : "net/http: invalid header field value for \"" + name + "\"";
  }

  private static boolean hasToken(String value, String token) {
    for (String part : value.split(",", -1)) {
      if (part.strip().equalsIgnoreCase(token)) {
        return true;
      }
    }
    return false;
  }

  /** Foo-Bar for foo-bAR. */
  private static String canonical(String name) {
    StringBuilder written = new StringBuilder(name.length());
    boolean first = true;
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      written.append(first ? Character.toUpperCase(c) : Character.toLowerCase(c));
      first = c == '-';
    }
    return written.toString();
  }

  /** A header as it goes on the wire. Its value may be a secret, so no text form shows it. */
  record HeaderField(String name, String value) {
    private static final boolean[] TOKEN = new boolean[128];

    static {
      for (char c = '!'; c <= '~'; c++) {
        TOKEN[c] = "\"(),/:;<=>?@[\\]{}".indexOf(c) < 0;
      }
    }

    /** Whether a byte may stand in a header's name. */
    static boolean isTokenByte(int b) {
      return b >= 0 && b < TOKEN.length && TOKEN[b];
    }

    /** Whether a byte, 0 to 255, may stand in a header's value. */
    static boolean isValueByte(int b) {
      return (b >= ' ' && b != 0x7f) || b == '\t';
    }

    @Override
    public String toString() {
      return name;
    }
  }
}
