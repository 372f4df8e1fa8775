package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.probelet.health.GoDuration;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Probers;
import io.probelet.probe.Verdict;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Options;
import io.probelet.probe.net.Aim;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.DialListener;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.Endpoint;
import io.probelet.probe.net.NetFailure;
import io.probelet.probe.net.Phase;
import io.probelet.probe.net.Tls;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks {@code grpc.health.v1.Health/Check} whether a service is healthy (H-10), over a connection
 * of its own.
 *
 * <p>A server counts as connected once it has sent its SETTINGS. The kubelet tries again and again
 * until then and always says that the time ran out; here the first refusal is the answer, with the
 * reason, so that a closed port costs no timeout.
 */
public final class GrpcProber implements Probers.For<Grpc> {
  private static final String METHOD = "grpc.health.v1.Health/Check";

  /** Far more than a health answer needs. */
  private static final int MAX_MESSAGE = 64 * 1024;

  private final Dialer dialer;
  private final Supplier<String> userAgent;

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param userAgent sent with each request; empty sends none
   */
  public GrpcProber(Dialer dialer, String userAgent) {
    this(dialer, () -> userAgent);
  }

  /**
   * Creates a prober for one loop.
   *
   * @param dialer makes the connections
   * @param userAgent sent with each request, asked for each probe; empty sends none
   */
  public GrpcProber(Dialer dialer, Supplier<String> userAgent) {
    this.dialer = dialer;
    this.userAgent = userAgent;
  }

  @Override
  public void probe(
      Grpc handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    switch (Aim.at(target, new Port.Numeric(handler.port()), null)) {
      case Aim.Astray astray -> done.accept(astray.outcome());
      case Endpoint endpoint -> new Check(handler, endpoint, timeout).begin(done);
    }
  }

  /** One attempt. */
  private final class Check implements DialListener, GrpcListener {
    private final Grpc handler;
    private final Endpoint endpoint;
    private final Duration timeout;
    private final MessageAssembly assembly = new MessageAssembly();
    private @Nullable Attempt attempt;
    private @Nullable H2Connection connection;
    private @Nullable OptionalInt answer;

    Check(Grpc handler, Endpoint endpoint, Duration timeout) {
      this.handler = handler;
      this.endpoint = endpoint;
      this.timeout = timeout;
    }

    void begin(Consumer<ProbeOutcome> done) {
      Tls tls = handler.tls() == null ? null : new Tls(handler.tls(), List.of(Tls.H2));
      attempt = Attempt.begin(dialer.loop(), timeout, _ -> timedOut(), done);
      dialer.dial(attempt, endpoint, tls, this);
    }

    @Override
    public void connected(Channel channel, String protocol) {
      connection = H2Connection.open(channel, H2Options.PROBE);
      GrpcRequest request =
          new GrpcRequest(
              handler.tls() != null, endpoint.toString(), METHOD, userAgent.get(), timeout);
      GrpcCall.start(
          connection, request, HealthMessages.request(handler.service()), MAX_MESSAGE, this);
    }

    @Override
    public void failed(NetFailure failure) {
      end(failure.verdict(failure.fault() == null ? notConnected() : ""));
    }

    @Override
    public void began() {
      if (attempt != null) {
        attempt.enter(Phase.READING);
      }
    }

    @Override
    public void part(ByteBuf part, boolean last) {
      ByteBuf message = assembly.add(part, last);
      if (message != null) {
        answer = HealthMessages.status(message);
      }
    }

    @Override
    public void ended(GrpcStatus status) {
      end(verdict(status));
    }

    private Verdict verdict(GrpcStatus status) {
      if (connection == null || !connection.settled()) {
        return Verdict.Failure.indefinite(notConnected() + status.message());
      }
      if (status.is(GrpcCode.UNIMPLEMENTED)) {
        return new Verdict.Failure(
            "error: this server does not implement the grpc health protocol"
                + " (grpc.health.v1.Health): "
                + status.message());
      }
      if (status.is(GrpcCode.DEADLINE_EXCEEDED)) {
        return unanswered();
      }
      if (!status.is(GrpcCode.OK)) {
        return broken(status);
      }
      if (answer == null || answer.isEmpty()) {
        return broken(
            new GrpcStatus(
                GrpcCode.INTERNAL,
                answer == null ? "server sent no message" : "server sent a malformed message"));
      }
      int health = answer.getAsInt();
      return health == HealthMessages.SERVING
          ? new Verdict.Success("service healthy")
          : new Verdict.Failure(
              "service unhealthy (responded with \"" + HealthMessages.name(health) + "\")");
    }

    private static Verdict broken(GrpcStatus status) {
      boolean definite = !status.is(GrpcCode.UNAVAILABLE); // as which a lost connection counts
      return new Verdict.Failure("error: health rpc probe failed: " + status, definite);
    }

    private Verdict timedOut() {
      boolean settled = connection != null && connection.settled();
      return settled
          ? unanswered()
          : Verdict.Failure.indefinite(
              "timeout: failed to connect service \""
                  + endpoint
                  + "\" within "
                  + GoDuration.format(timeout)
                  + ": context deadline exceeded");
    }

    private Verdict unanswered() {
      return Verdict.Failure.indefinite(
          "timeout: health rpc did not complete within " + GoDuration.format(timeout));
    }

    private String notConnected() {
      return "error: failed to connect service at \"" + endpoint + "\": ";
    }

    private void end(Verdict verdict) {
      if (attempt != null) {
        attempt.end(verdict);
      }
    }
  }
}
