package io.probelet.probe.net;

import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Dns;
import io.probelet.probe.ProbeHandler.Icmp;
import io.probelet.probe.ProbeHandler.UdpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.rule.BodyRuleThreads;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Asks DNS servers (H-15), sends datagrams (H-16) and ICMP echo requests (H-21). */
public final class DatagramProber implements Prober<Datagram> {
  private final Dialer dialer;
  private final BodyRuleThreads rules;
  private final EchoSockets echoSockets;
  private final RandomGenerator random;

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param rules checks answers; may be shared between loops
   * @param echoSockets opens the sockets of ICMP
   * @param random makes what answers must repeat and others must not guess; shared between loops
   */
  public DatagramProber(
      Dialer dialer, BodyRuleThreads rules, EchoSockets echoSockets, RandomGenerator random) {
    this.dialer = dialer;
    this.rules = rules;
    this.echoSockets = echoSockets;
    this.random = random;
  }

  @Override
  public void probe(
      Datagram handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Destination.at(target, handler.port(), handler.host())) {
      case Destination.Unknown unknown -> done.accept(unknown.outcome());
      case Endpoint endpoint -> {
        switch (handler) {
          case Dns dns ->
              new DnsQuestion(dialer, dns, endpoint, random.nextInt(1 << 16), target.further())
                  .begin(timeout, done);
          case UdpSocket udp ->
              new UdpExchange(dialer, rules, target.pod(), udp, endpoint).begin(timeout, done);
          case Icmp _ ->
              new EchoExchange(dialer, echoSockets, endpoint, random.nextLong())
                  .begin(timeout, done);
        }
      }
    }
  }
}
