package io.probelet.agent.run;

import io.netty.util.NetUtil;
import io.probelet.health.dns.DnsType;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation.BodyRule;
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
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.TlsOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A probe of a server of our own that takes the same code as a part of the real probe.
 *
 * @param server what has to answer
 * @param handler the probe of such a server, by its port
 */
record WarmTrial(WarmServer.Sort server, Function<Port, ProbeHandler> handler) {
  /**
   * {@return the trials for one handler; none for a combination, whose parts have their own, and
   * for a command, for which there is no container}
   */
  static List<WarmTrial> of(ProbeHandler part) {
    return switch (part) {
      case HttpGet http -> ofHttp(http);
      case TcpSocket tcp -> ofTcp(tcp);
      case Grpc grpc ->
          List.of(
              new WarmTrial(
                  grpc.tls() == null ? WarmServer.Sort.PLAIN : WarmServer.Sort.TLS_HTTP2,
                  port ->
                      new Grpc(number(port), "", grpc.tls() == null ? null : TlsOptions.INSECURE)));
      case Dns dns -> ofDns(dns);
      case UdpSocket udp ->
          List.of(
              new WarmTrial(
                  WarmServer.Sort.UDP,
                  port -> new UdpSocket(port, host(udp.host()), "ok", udp.rules())));
      case Icmp icmp ->
          List.of(new WarmTrial(WarmServer.Sort.NONE, _ -> new Icmp(host(icmp.host()))));
      case AllOf _, AnyOf _, Exec _ -> List.of();
    };
  }

  /** The same to our server: what it trusts and what it sends is for the target alone. */
  private static List<WarmTrial> ofHttp(HttpGet http) {
    List<WarmTrial> trials = new ArrayList<>();
    boolean tls = http.scheme() == Scheme.HTTPS;
    boolean unix = http.port() instanceof Port.UnixSocket;
    if (tls) {
      trials.add(http(http, Scheme.HTTPS, WarmServer.Sort.TLS_HTTP1));
    }
    if (unix || !tls) {
      trials.add(http(http, Scheme.HTTP, unix ? WarmServer.Sort.UNIX : WarmServer.Sort.PLAIN));
    }
    return trials;
  }

  private static WarmTrial http(HttpGet http, Scheme scheme, WarmServer.Sort server) {
    return new WarmTrial(
        server,
        port ->
            new HttpGet(
                port,
                host(http.host()),
                "/",
                scheme,
                List.of(),
                TlsOptions.INSECURE,
                http.expectation(),
                http.method(),
                http.protocol()));
  }

  private static List<WarmTrial> ofTcp(TcpSocket tcp) {
    List<WarmTrial> trials = new ArrayList<>();
    boolean tls = tcp.tls() != null && !tcp.startsTls();
    boolean unix = tcp.port() instanceof Port.UnixSocket;
    if (tls || tcp.startsTls()) {
      trials.add(
          new WarmTrial(
              WarmServer.Sort.TLS_HTTP1, port -> tcp(tcp, port).with(TlsOptions.INSECURE)));
    }
    if (unix || !tls) {
      trials.add(
          new WarmTrial(
              unix ? WarmServer.Sort.UNIX : WarmServer.Sort.PLAIN, port -> tcp(tcp, port)));
    }
    return trials;
  }

  /** Our server speaks HTTP, whatever the target speaks. */
  private static TcpSocket tcp(TcpSocket ofTarget, Port port) {
    List<Step> dialog = new ArrayList<>();
    if (!ofTarget.dialog().isEmpty()) {
      dialog.add(new Step.Send("GET / HTTP/1.1\r\n\r\n"));
      dialog.add(new Step.Expect(new BodyRule.Contains("HTTP/1.1")));
    }
    for (Step step : ofTarget.dialog()) {
      if (step instanceof Step.Expect(BodyRule.Matches _)) {
        dialog.add(new Step.Expect(new BodyRule.Matches(BodyPattern.of("^ok$"))));
        break;
      }
    }
    return new TcpSocket(port, host(ofTarget.host()), null, dialog);
  }

  /** A question by TCP differs little from one by UDP over a connection. */
  private static List<WarmTrial> ofDns(Dns dns) {
    WarmTrial byUdp =
        new WarmTrial(
            WarmServer.Sort.DNS,
            port ->
                new Dns(
                    port,
                    host(dns.host()),
                    "localhost",
                    DnsType.A,
                    List.of("NOERROR"),
                    List.of(),
                    false));
    return dns.byTcp()
        ? List.of(
            byUdp,
            new WarmTrial(WarmServer.Sort.PLAIN, port -> new TcpSocket(port, host(dns.host()))))
        : List.of(byUdp);
  }

  private static int number(Port port) {
    return port instanceof Port.Numeric(int value) ? value : 0;
  }

  /** A name, where there is one to resolve for the target. */
  private static String host(@Nullable String ofTarget) {
    return ofTarget == null || NetUtil.createByteArrayFromIpAddressString(ofTarget) != null
        ? "127.0.0.1"
        : "localhost";
  }
}
