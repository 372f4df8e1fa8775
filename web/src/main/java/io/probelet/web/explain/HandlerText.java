package io.probelet.web.explain;

import io.probelet.health.GoDuration;
import io.probelet.health.ShortText;
import io.probelet.monitor.evidence.Redaction;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Icmp;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.http.Secrets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Handlers in words, without possible secrets: readers of these words have shown no credentials.
 */
public final class HandlerText {
  private static final int MAX_LENGTH = 600;
  private static final int MAX_WORD_LENGTH = 200;
  private static final int MAX_PARTS = 8;
  private static final int MAX_HEADERS = 16;
  private static final String OWN_ADDRESS = "<pod>";

  /** Shown where nothing is verified. */
  static final String ANY_CERTIFICATE = "any certificate";

  private HandlerText() {}

  /** {@return what a handler does, in at most 600 characters} */
  public static String of(ProbeHandler handler) {
    return cut(text(handler, 0), MAX_LENGTH);
  }

  private static String text(ProbeHandler handler, int depth) {
    return switch (handler) {
      case HttpGet http ->
          "%s %s://%s%s%s%s"
              .formatted(
                  http.method(),
                  http.scheme().name().toLowerCase(Locale.ROOT),
                  at(http.host(), http.port()),
                  path(http.path()),
                  protocol(http.protocol()),
                  headers(http.headers()));
      case TcpSocket tcp ->
          (tcp.tls() == null || tcp.startsTls() ? "connect to " : "TLS handshake with ")
              + at(tcp.host(), tcp.port())
              + dialog(tcp);
      case UdpSocket udp ->
          "send a datagram to " + host(udp.host()) + ":" + word(udp.port().toString());
      case Dns dns ->
          "ask %s:%s for %s %s%s"
              .formatted(
                  host(dns.host()),
                  word(dns.port().toString()),
                  dns.type(),
                  word(dns.name().isEmpty() ? "." : dns.name()),
                  dns.byTcp() ? " by TCP" : "");
      case Icmp icmp -> "ping " + host(icmp.host());
      case Exec exec -> command(exec.command());
      case Grpc grpc ->
          "grpc.health.v1.Health/Check on port "
              + grpc.port()
              + (grpc.service().isEmpty() ? "" : " for service " + word(grpc.service()))
              + authority(grpc.authority());
      case AllOf all -> parts("all of: ", all.parts(), depth);
      case AnyOf any -> parts("any of: ", any.parts(), depth);
    };
  }

  private static String protocol(Protocol protocol) {
    return switch (protocol) {
      case HTTP1 -> "";
      case HTTP2 -> " by HTTP/2";
      case WEBSOCKET -> " to open a WebSocket";
    };
  }

  private static String authority(@Nullable String authority) {
    return authority == null ? "" : " as " + word(authority);
  }

  /** What is said may hold a secret. */
  private static String dialog(TcpSocket tcp) {
    int steps = tcp.dialog().size();
    return steps == 0
        ? ""
        : " and a dialog of " + steps + " steps" + (tcp.startsTls() ? " with STARTTLS" : "");
  }

  private static String parts(String words, List<ProbeHandler> parts, int depth) {
    String shown =
        parts.stream()
            .limit(MAX_PARTS)
            .map(part -> text(part, depth + 1))
            .collect(Collectors.joining("; "));
    int others = parts.size() - MAX_PARTS;
    String all = words + shown + (others > 0 ? "; and " + others + " more" : "");
    return depth > 0 ? "(" + all + ")" : all;
  }

  /** A query may hold a token, and so may a path: the kubelet's messages show them, ours do not. */
  private static String path(String path) {
    String shown = Secrets.withoutSecrets(path);
    return word(new Redaction().line(shown.startsWith("/") ? shown : "/" + shown));
  }

  private static String headers(List<HttpHeader> headers) {
    if (headers.isEmpty()) {
      return "";
    }
    String names =
        headers.stream()
            .limit(MAX_HEADERS)
            .map(header -> word(header.name()) + ": " + Redaction.MARK)
            .collect(Collectors.joining(", "));
    int others = headers.size() - MAX_HEADERS;
    return " with " + names + (others > 0 ? " and " + others + " more headers" : "");
  }

  /** Arguments may hold passwords; users with permission find them in the pod's spec. */
  private static String command(List<String> command) {
    String program = word(new Redaction().line(command.getFirst()));
    int arguments = command.size() - 1;
    return switch (arguments) {
      case 0 -> "run " + program;
      case 1 -> "run " + program + " " + Redaction.MARK + " (1 argument)";
      default -> "run " + program + " " + Redaction.MARK + " (" + arguments + " arguments)";
    };
  }

  /** {@return whom a handler trusts; null if that is no question for it} */
  static @Nullable String tls(ProbeHandler handler) {
    TlsOptions tls =
        switch (handler) {
          case HttpGet http when http.scheme() == ProbeHandler.Scheme.HTTPS -> http.tls();
          case Grpc grpc -> grpc.tls();
          case TcpSocket tcp -> tcp.tls();
          default -> null;
        };
    if (tls == null) {
      return null;
    }
    if (!tls.verify()) {
      return ANY_CERTIFICATE + client(tls) + validity(tls);
    }
    CaCertificates authorities = tls.authorities();
    String name = tls.serverName();
    return "verified by "
        + (authorities == null ? "this machine's authorities" : "authorities of its own")
        + (name == null ? "" : ", as " + word(name))
        + client(tls)
        + validity(tls);
  }

  private static String validity(TlsOptions tls) {
    Duration least = tls.minValidity();
    return least == null ? "" : ", valid for " + GoDuration.format(least) + " or longer";
  }

  private static String client(TlsOptions tls) {
    return tls.certFile() == null ? "" : ", with a client certificate";
  }

  /** {@return what a handler expects beyond the kubelet's rules; null for nothing} */
  static @Nullable String expectation(ProbeHandler handler) {
    if (!(handler instanceof HttpGet http) || http.expectation().equals(HttpExpectation.KUBELET)) {
      return null;
    }
    HttpExpectation expected = http.expectation();
    int rules = expected.body().size();
    String statuses =
        expected.statuses().isEmpty()
            ? expected.condition() == null ? "status 200 to 399" : "any status"
            : expected.statuses().size() <= MAX_PARTS
                ? "status " + expected.statuses().toString().replaceAll("[\\[\\]]", "")
                : "one of " + expected.statuses().size() + " statuses";
    int headers = expected.headers().size();
    return statuses
        + switch (headers) {
          case 0 -> "";
          case 1 -> ", and 1 rule for the headers";
          default -> ", and " + headers + " rules for the headers";
        }
        + switch (rules) {
          case 0 -> "";
          case 1 -> ", and 1 rule for the body";
          default -> ", and " + rules + " rules for the body";
        }
        + (expected.condition() == null ? "" : ", and an expression for the response");
  }

  private static String at(@Nullable String host, Port port) {
    return port instanceof Port.UnixSocket
        ? "unix:" + word(port.toString()) + ":"
        : host(host) + ":" + word(port.toString());
  }

  private static String host(@Nullable String host) {
    return host == null ? OWN_ADDRESS : word(Secrets.withoutSecrets(host));
  }

  private static String word(String text) {
    return cut(text, MAX_WORD_LENGTH);
  }

  private static String cut(String text, int length) {
    return ShortText.of(text, length);
  }
}
