package io.probelet.probe.net;

import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.rule.BodyRuleThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Succeeds when a connection can be made (H-8), a TLS handshake succeeds (H-13), and a dialog comes
 * to its end (H-14).
 */
public final class TcpProber implements Prober<TcpSocket> {
  private static final Verdict CONNECTED = new Verdict.Success("");

  private final Dialer dialer;
  private final BodyRuleThreads rules;

  /**
   * Creates a prober for one loop that checks answers on threads of its own.
   *
   * @param dialer makes the connections
   */
  public TcpProber(Dialer dialer) {
    this(dialer, new BodyRuleThreads());
  }

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param rules checks answers; may be shared between loops
   */
  public TcpProber(Dialer dialer, BodyRuleThreads rules) {
    this.dialer = dialer;
    this.rules = rules;
  }

  @Override
  public void probe(
      TcpSocket handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Destination.at(target, handler.port(), handler.host())) {
      case Destination.Unknown unknown -> done.accept(unknown.outcome());
      case Endpoint endpoint -> {
        if (!handler.dialog().isEmpty()) {
          new TcpDialog(dialer, rules, target.pod(), handler, endpoint).begin(timeout, done);
          return;
        }
        Attempt attempt = Attempt.begin(dialer.loop(), timeout, new LateConnection(endpoint), done);
        TlsOptions tls = handler.tls();
        if (tls == null) {
          dialer.open(attempt, endpoint, new Connected(attempt));
        } else {
          dialer.dial(attempt, endpoint, new Tls(tls, List.of()), new Secured(attempt));
        }
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

  private record Secured(Attempt attempt) implements ProbeConnection.Listener {
    @Override
    public void connected(ProbeConnection connection) {
      long expiry = attempt.certificateExpiry();
      attempt.end(
          expiry == ProbeOutcome.NO_CERTIFICATE
              ? CONNECTED
              : new Verdict.Success("certificates expire at " + Instant.ofEpochSecond(expiry)));
    }

    @Override
    public void failed(NetFailure failure) {
      attempt.end(failure.verdict(""));
    }
  }
}
