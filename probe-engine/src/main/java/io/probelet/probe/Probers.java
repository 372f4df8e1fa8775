package io.probelet.probe;

import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import java.time.Duration;
import java.util.function.Consumer;

/** Dispatches each probe to the prober of its handler, and combines allOf and anyOf. */
public final class Probers implements Prober<ProbeHandler> {
  private final Prober<HttpGet> http;
  private final Prober<TcpSocket> tcp;
  private final Prober<Datagram> datagram;
  private final Prober<Exec> exec;
  private final Prober<Grpc> grpc;

  /**
   * Joins the probers of one loop.
   *
   * @param http for httpGet
   * @param tcp for tcpSocket
   * @param datagram for dns, icmp and udpSocket
   * @param exec for exec
   * @param grpc for grpc
   */
  public Probers(
      Prober<HttpGet> http,
      Prober<TcpSocket> tcp,
      Prober<Datagram> datagram,
      Prober<Exec> exec,
      Prober<Grpc> grpc) {
    this.http = http;
    this.tcp = tcp;
    this.datagram = datagram;
    this.exec = exec;
    this.grpc = grpc;
  }

  @Override
  public void probe(
      ProbeHandler handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (handler) {
      case HttpGet get -> http.probe(get, target, timeout, done);
      case TcpSocket socket -> tcp.probe(socket, target, timeout, done);
      case Datagram message -> datagram.probe(message, target, timeout, done);
      case Exec command -> exec.probe(command, target, timeout, done);
      case Grpc call -> grpc.probe(call, target, timeout, done);
      case AllOf all -> Combination.allOf(done).start(all.parts(), this, target, timeout);
      case AnyOf any -> Combination.anyOf(done).start(any.parts(), this, target, timeout);
    }
  }
}
