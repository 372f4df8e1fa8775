package io.probelet.probe.grpc;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.net.Destination;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.Endpoint;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Asks {@code grpc.health.v1.Health/Check} whether a service is healthy (H-10), over a connection
 * of its own.
 */
public final class GrpcProber implements Prober<Grpc> {
  /** How long grpc-go waits before it connects for the second time. */
  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);

  private final Dialer dialer;
  private final Supplier<String> userAgent;
  private final Duration firstDelay;

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param userAgent sent with each request, asked for each probe; empty sends none
   */
  public GrpcProber(Dialer dialer, Supplier<String> userAgent) {
    this(dialer, userAgent, FIRST_DELAY);
  }

  /** Creates a prober that connects for the second time after another delay. */
  GrpcProber(Dialer dialer, Supplier<String> userAgent, Duration firstDelay) {
    this.dialer = dialer;
    this.userAgent = userAgent;
    this.firstDelay = firstDelay;
  }

  @Override
  public void probe(
      Grpc handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Destination.at(target, new Port.Numeric(handler.port()), null)) {
      case Destination.Unknown unknown -> done.accept(unknown.outcome());
      case Endpoint endpoint ->
          new HealthCall(
                  dialer,
                  handler,
                  endpoint,
                  new Retries(timeout, firstDelay),
                  userAgent.get(),
                  target.further())
              .begin(done);
    }
  }
}
