package io.probelet.probe.grpc;

import io.netty.buffer.ByteBuf;
import io.probelet.health.GoDuration;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.RedirectBudget;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.h2.H2Connection;
import io.probelet.probe.h2.H2Options;
import io.probelet.probe.net.Attempt;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.Endpoint;
import io.probelet.probe.net.NetFailure;
import io.probelet.probe.net.ProbeConnection;
import io.probelet.probe.net.Tls;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a gRPC probe, as grpc-go carries it out. A server counts as connected once it has
 * sent its SETTINGS; until then it is tried again, after longer and longer delays, as long as there
 * is time. A call that the server says it has not processed is made once more.
 *
 * <p>Where no further attempt fits into the timeout the failure is reported at once, with the
 * reason: the kubelet waits for the rest of the time, and says that it has run out.
 */
final class HealthCall implements ProbeConnection.Listener, GrpcListener {
  private static final String METHOD = "grpc.health.v1.Health/Check";

  /** What grpc-go takes. */
  private static final int MAX_MESSAGE = 4 * 1024 * 1024;

  private final Dialer dialer;
  private final Grpc handler;
  private final Endpoint endpoint;
  private final Retries retries;
  private final String userAgent;
  private final RedirectBudget further;
  private final long begun;
  private @Nullable Attempt attempt;
  private @Nullable H2Connection connection;
  private @Nullable HealthResponse response;
  private int messages;

  /**
   * Whether the server was connected once; from then on only what it did not process is repeated.
   */
  private boolean connected;

  private boolean repeated;

  HealthCall(
      Dialer dialer,
      Grpc handler,
      Endpoint endpoint,
      Retries retries,
      String userAgent,
      RedirectBudget further) {
    this.dialer = dialer;
    this.handler = handler;
    this.endpoint = endpoint;
    this.retries = retries;
    this.userAgent = userAgent;
    this.further = further;
    begun = dialer.loop().time().nanoTime();
  }

  void begin(Consumer<ProbeOutcome> done) {
    attempt = Attempt.begin(dialer.loop(), retries.timeout(), phase -> timedOut(), done);
    dial();
  }

  private void dial() {
    TlsOptions options = handler.tls();
    String authority = handler.authority();
    if (options != null && options.serverName() == null && authority != null) {
      options = options.named(hostOf(authority));
    }
    Tls tls = options == null ? null : new Tls(options, List.of(Tls.H2));
    dialer.dial(attempt(), endpoint, tls, this);
  }

  /** An address of IPv6 is in brackets. */
  private static String hostOf(String authority) {
    int colon = authority.lastIndexOf(':');
    String host = colon > authority.lastIndexOf(']') ? authority.substring(0, colon) : authority;
    return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
  }

  /** As in grpc-go, the name that is verified stands in for the address. */
  private String authority() {
    TlsOptions tls = handler.tls();
    String given = handler.authority();
    if (given == null && tls != null) {
      given = tls.serverName();
    }
    return given == null ? endpoint.toString() : given;
  }

  private Attempt attempt() {
    return Objects.requireNonNull(attempt, "not begun");
  }

  @Override
  public void connected(ProbeConnection made) {
    connection = H2Connection.open(made.channel(), H2Options.GRPC_PROBE);
    call(connection);
  }

  private void call(H2Connection on) {
    response = null;
    messages = 0;
    GrpcRequest request =
        new GrpcRequest(handler.tls() != null, authority(), METHOD, userAgent, retries.timeout());
    GrpcCall.start(on, request, HealthMessages.request(handler.service()), MAX_MESSAGE, this);
  }

  @Override
  public void failed(NetFailure failure) {
    if (failure.fault() == null) {
      unconnected(failure.message(), failure.definite());
    } else {
      end(failure.verdict(""));
    }
  }

  private void unconnected(String why, boolean definite) {
    if (connected) { // once it was, grpc-go's calls fail fast
      end(broken(new GrpcStatus(GrpcCode.UNAVAILABLE, why)));
      return;
    }
    Optional<Duration> delay =
        retries.next(Duration.ofNanos(dialer.loop().time().nanoTime() - begun));
    if (delay.isEmpty()) {
      end(notConnected(why, definite));
      return;
    }
    var unused =
        dialer
            .loop()
            .eventLoop()
            .schedule(
                () -> attempt().guard(this::dialAgain),
                delay.get().toNanos(),
                TimeUnit.NANOSECONDS);
  }

  private void dialAgain() {
    if (!attempt().over() && charged()) {
      dial();
    }
  }

  /** W-13: a request beyond the first is charged to the pod. */
  private boolean charged() {
    Optional<Verdict.ProberError> refused = further.charge();
    refused.ifPresent(this::end);
    return refused.isEmpty();
  }

  @Override
  public void began() {
    attempt().enter(Phase.READING);
  }

  @Override
  public void part(ByteBuf part, boolean last) {
    if (response == null) {
      response = new HealthResponse();
    }
    if (messages == 0) {
      response.add(part);
    }
    if (last && ++messages > 1) {
      end(broken(new GrpcStatus(GrpcCode.INTERNAL, "server sent more than one message")));
    }
  }

  @Override
  public void unprocessed(GrpcStatus status) {
    if (repeated || !isSettled()) {
      ended(status);
      return;
    }
    repeated = true;
    connected = true;
    H2Connection open = connection;
    if (!charged()) {
      return;
    }
    if (open != null && open.isOpen()) {
      call(open);
    } else {
      dial();
    }
  }

  @Override
  public void ended(GrpcStatus status) {
    if (isSettled()) {
      end(verdict(status));
    } else {
      unconnected(status.message(), false); // it connected, and broke
    }
  }

  private boolean isSettled() {
    return connection != null && connection.settled();
  }

  private Verdict verdict(GrpcStatus status) {
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
    if (response == null) {
      return broken(new GrpcStatus(GrpcCode.INTERNAL, "server sent no message"));
    }
    OptionalInt answer = response.status();
    if (answer.isEmpty()) {
      return broken(new GrpcStatus(GrpcCode.INTERNAL, "server sent a malformed message"));
    }
    int health = answer.getAsInt();
    return health == HealthMessages.SERVING
        ? new Verdict.Success("service healthy")
        : new Verdict.Failure(
            "service unhealthy (responded with \"" + HealthMessages.name(health) + "\")",
            Verdict.Cause.STATUS);
  }

  private static Verdict broken(GrpcStatus status) {
    boolean definite = !status.is(GrpcCode.UNAVAILABLE); // as which a lost connection counts
    return new Verdict.Failure("error: health rpc probe failed: " + status, definite);
  }

  private Verdict timedOut() {
    return connected || isSettled()
        ? unanswered()
        : notConnected("context deadline exceeded", false);
  }

  private Verdict unanswered() {
    return Verdict.Failure.indefinite(
            "timeout: health rpc did not complete within " + GoDuration.format(retries.timeout()))
        .by(Verdict.Cause.TIMEOUT);
  }

  private Verdict notConnected(String why, boolean definite) {
    return new Verdict.Failure(
        "timeout: failed to connect service \"%s\" within %s: %s"
            .formatted(endpoint, GoDuration.format(retries.timeout()), why),
        definite);
  }

  private void end(Verdict verdict) {
    attempt().end(verdict);
  }
}
