package io.probelet.probe.net;

import io.netty.channel.Channel;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.util.function.Consumer;

/** Succeeds when a connection can be made and sends nothing (H-8). */
public final class TcpProber {
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

  /**
   * Starts one attempt; to be called on the dialer's loop.
   *
   * @param handler where to connect
   * @param target the container it is aimed at
   * @param timeout bound over lookup and connect
   * @param done takes the outcome, on the loop, once
   */
  public void probe(
      TcpSocket handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Aim.at(target, handler.port(), handler.host())) {
      case Aim.Astray astray -> done.accept(astray.outcome());
      case Endpoint endpoint -> {
        Attempt attempt =
            Attempt.begin(
                dialer.loop(),
                timeout,
                phase -> new Verdict.Failure(endpoint.timedOut(phase)),
                done);
        dialer.dial(attempt, endpoint, null, new Connected(attempt));
      }
    }
  }

  private record Connected(Attempt attempt) implements DialListener {
    @Override
    public void connected(Channel channel, String protocol) {
      attempt.end(CONNECTED);
    }

    @Override
    public void failed(NetFailure failure) {
      attempt.end(failure.verdict(""));
    }
  }
}
