package io.probelet.probe;

import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.AnyOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import java.time.Duration;
import java.util.function.Consumer;

/** Hands each probe to the prober for its handler, and combines those of allOf and anyOf. */
public final class Probers implements Prober {
  private final For<HttpGet> http;
  private final For<TcpSocket> tcp;
  private final For<Exec> exec;
  private final For<Grpc> grpc;

  /**
   * A prober for one kind of handler, under the rules of {@link Prober}.
   *
   * @param <H> the kind of handler
   */
  @FunctionalInterface
  public interface For<H extends ProbeHandler> {
    /**
     * Starts one attempt.
     *
     * @param handler what to do
     * @param target the container to probe
     * @param timeout bound over the whole attempt, greater than zero
     * @param done takes the outcome
     */
    void probe(H handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done);
  }

  /**
   * Joins the probers of one loop.
   *
   * @param http for httpGet
   * @param tcp for tcpSocket
   * @param exec for exec
   * @param grpc for grpc
   */
  public Probers(For<HttpGet> http, For<TcpSocket> tcp, For<Exec> exec, For<Grpc> grpc) {
    this.http = http;
    this.tcp = tcp;
    this.exec = exec;
    this.grpc = grpc;
  }

  @Override
  public void probe(
      ProbeHandler handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (handler) {
      case HttpGet get -> http.probe(get, target, timeout, done);
      case TcpSocket socket -> tcp.probe(socket, target, timeout, done);
      case Exec command -> exec.probe(command, target, timeout, done);
      case Grpc call -> grpc.probe(call, target, timeout, done);
      case AllOf all -> Combination.allOf(done).start(all.parts(), this, target, timeout);
      case AnyOf any -> Combination.anyOf(done).start(any.parts(), this, target, timeout);
    }
  }
}
