package io.probelet.probe.net;

import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.Verdict;
import io.probelet.probe.net.Attempt.Phase;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** Succeeds when a connection can be made and sends nothing (H-8). */
public final class TcpProber implements Prober<TcpSocket> {
  private static final Verdict CONNECTED = new Verdict.Success("");

  private final Dialer dialer;

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   */
  public TcpProber(Dialer dialer) {
    this.dialer = dialer;
  }

  @Override
  public void probe(
      TcpSocket handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Destination.at(target, handler.port(), handler.host())) {
      case Destination.Unknown unknown -> done.accept(unknown.outcome());
      case Endpoint endpoint -> {
        Attempt attempt = Attempt.begin(dialer.loop(), timeout, new LateConnection(endpoint), done);
        dialer.open(attempt, endpoint, new Connected(attempt));
      }
    }
  }

  private record LateConnection(Endpoint endpoint) implements Function<Phase, Verdict> {
    @Override
    public Verdict apply(Phase phase) {
      return Verdict.Failure.indefinite(endpoint.timedOut(phase));
    }
  }

  private record Connected(Attempt attempt) implements ProbeConnection.Listener {
    @Override
    public void connected(ProbeConnection connection) {
      attempt.end(CONNECTED);
    }

    @Override
    public void failed(NetFailure failure) {
      attempt.end(failure.verdict(""));
    }
  }
}
