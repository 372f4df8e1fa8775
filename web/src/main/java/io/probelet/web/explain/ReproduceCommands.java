package io.probelet.web.explain;

import io.probelet.monitor.evidence.Redaction;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Icmp;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.http.Secrets;
import io.probelet.probe.net.Destination;
import io.probelet.probe.net.Endpoint;
import io.probelet.web.explain.ExplainView.Reproduce;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Commands that ask a target what a probe asks it, with its real address and port, to be pasted
 * into a shell on the node. A pod's author chooses hosts and paths: whatever is not plain is quoted
 * for the shell, and what may hold a secret is left out.
 */
final class ReproduceCommands {
  private static final int MAX_COMMANDS = 8;
  private static final int MAX_LENGTH = 600;
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9@%+:,./_-]+");
  private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7e]+");

  private final ProbeTarget target;
  private final List<Reproduce> commands = new ArrayList<>();

  private ReproduceCommands(ProbeTarget target) {
    this.target = target;
  }

  /**
   * {@return the commands, at most 8; none for commands in containers, without an address, and for
   * text that does not belong into a shell}
   */
  static List<Reproduce> of(ProbeHandler handler, ProbeTarget target) {
    ReproduceCommands all = new ReproduceCommands(target);
    all.add(handler);
    return List.copyOf(all.commands);
  }

  private void add(ProbeHandler handler) {
    switch (handler) {
      case HttpGet http -> http(http);
      case TcpSocket tcp -> {
        Endpoint at = endpoint(tcp.port(), tcp.host());
        if (at != null && !at.host().startsWith("-")) { // that would be an option
          add(tcp(tcp, at), tcp.dialog().isEmpty() ? "" : "dialog");
        }
      }
      case Grpc grpc -> grpc(grpc);
      case UdpSocket udp -> {
        Endpoint at = endpoint(udp.port(), udp.host());
        if (at != null && !at.host().startsWith("-")) {
          add("nc -uv " + quoted(at.host()) + " " + at.port(), "datagram");
        }
      }
      case Dns dns -> {
        Endpoint at = endpoint(dns.port(), dns.host());
        if (at != null && !at.host().startsWith("-") && !dns.name().startsWith("-")) {
          String name = dns.name().isEmpty() ? "." : quoted(dns.name());
          String tcp = dns.byTcp() ? "+tcp " : "";
          add(
              "dig "
                  + tcp
                  + "-p "
                  + at.port()
                  + " @"
                  + quoted(at.host())
                  + " "
                  + dns.type()
                  + " "
                  + name,
              "");
        }
      }
      case Icmp icmp -> {
        Endpoint at = endpoint(null, icmp.host());
        if (at != null && !at.host().startsWith("-")) {
          add("ping -c 1 " + quoted(at.host()), "");
        }
      }
      case Exec _ -> {} // its arguments may be secrets
      case AllOf all -> all.parts().forEach(this::add);
      case AnyOf any -> any.parts().forEach(this::add);
    }
  }

  private static String tcp(TcpSocket tcp, Endpoint at) {
    TlsOptions tls = tcp.tls();
    String socket = at.unixSocket();
    if (socket != null) {
      return "nc -vU " + quoted(socket);
    }
    if (tls == null || tcp.startsTls()) {
      return (tcp.dialog().isEmpty() ? "nc -vz " : "nc -v ") + quoted(at.host()) + " " + at.port();
    }
    String name = tls.serverName();
    return "openssl s_client -connect "
        + quoted(at.toString())
        + (name == null ? "" : " -servername " + quoted(name));
  }

  private void http(HttpGet http) {
    Endpoint at = endpoint(http.port(), http.host());
    if (at == null) {
      return;
    }
    boolean tls = http.scheme() == Scheme.HTTPS;
    String path = Secrets.withoutSecrets(http.path());
    boolean query = path.endsWith(Secrets.HIDDEN);
    String shown = query ? path.substring(0, path.length() - Secrets.HIDDEN.length()) : path;
    String socket = at.unixSocket();
    String server = socket == null ? at.toString() : at.host();
    String url =
        (tls ? "https://" : "http://") + server + (shown.startsWith("/") ? "" : "/") + shown;
    boolean headers = !http.headers().isEmpty();
    add(
        (tls ? "curl -gkv " : "curl -gv ")
            + (socket == null ? "" : "--unix-socket " + quoted(socket) + " ")
            + options(http)
            + quoted(url),
        query && headers ? "query and headers" : query ? "query" : headers ? "headers" : "");
  }

  private static String options(HttpGet http) {
    String protocol =
        switch (http.protocol()) {
          case HTTP1 -> "";
          case HTTP2 -> "--http2-prior-knowledge ";
          case WEBSOCKET ->
              "--http1.1 -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H"
                  + " 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==' ";
        };
    return protocol
        + switch (http.method()) {
          case GET -> "";
          case HEAD -> "-I ";
          case POST -> "-d '' ";
        };
  }

  private void grpc(Grpc grpc) {
    Endpoint at = endpoint(new Port.Numeric(grpc.port()), null);
    if (at != null) {
      add(
          "grpc_health_probe -addr="
              + quoted(at.toString())
              + tls(grpc.tls())
              + (grpc.service().isEmpty() ? "" : " -service=" + quoted(grpc.service())),
          grpc.authority() == null ? "" : "authority");
    }
  }

  private static String tls(@Nullable TlsOptions tls) {
    if (tls == null) {
      return "";
    }
    String name = tls.serverName();
    return " -tls -tls-no-verify" + (name == null ? "" : " -tls-server-name=" + quoted(name));
  }

  private @Nullable Endpoint endpoint(@Nullable Port port, @Nullable String host) {
    boolean known = host == null || Secrets.withoutSecrets(host).equals(host);
    return known && Destination.at(target, port, host) instanceof Endpoint at ? at : null;
  }

  private void add(String command, String without) {
    if (commands.size() < MAX_COMMANDS
        && command.length() <= MAX_LENGTH
        && PRINTABLE.matcher(command).matches() // neither what was hidden nor what a shell acts on
        && new Redaction().line(command).equals(command)) {
      commands.add(new Reproduce(command, without));
    }
  }

  /** A word of a POSIX shell. */
  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
