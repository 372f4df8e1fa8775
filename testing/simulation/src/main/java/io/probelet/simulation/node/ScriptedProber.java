package io.probelet.simulation.node;

import io.probelet.health.GoDuration;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.Probers;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.exec.ExecProber;
import io.probelet.probe.net.Attempt.Phase;
import io.probelet.probe.net.Destination;
import io.probelet.probe.net.Endpoint;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.Behavior.Response;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Probes scripted containers over a simulated network, with the outcomes of the real probers.
 * Commands run through the real {@link ExecProber} and the simulated runtime.
 */
public final class ScriptedProber {
  private static final Duration HANDSHAKE = Duration.ofMillis(2);
  private static final long CONNECT_NANOS = Duration.ofMillis(1).toNanos();
  private static final long FROZEN_NANOS = Duration.ofMillis(2).toNanos();
  private static final int SERVICE_UNAVAILABLE = 503;

  private final Simulation world;
  private final SimulatedProcess process;
  private final SimulatedLoop loop;
  private final SimulatedRuntime containers;
  private final RandomGenerator random;

  private ScriptedProber(
      Simulation world, SimulatedProcess process, SimulatedLoop loop, SimulatedRuntime containers) {
    this.world = world;
    this.process = process;
    this.loop = loop;
    this.containers = containers;
    this.random = process.random("prober");
  }

  /**
   * Creates a prober of all handlers.
   *
   * @param process whose probes these are
   * @param loop a loop of that process
   * @param containers what is probed
   * @param runtime runs commands; a connection of that process
   * @param blocking threads of that process
   */
  public static Prober<ProbeHandler> of(
      Simulation world,
      SimulatedProcess process,
      SimulatedLoop loop,
      SimulatedRuntime containers,
      ContainerRuntime runtime,
      ExecutorService blocking) {
    ScriptedProber prober = new ScriptedProber(world, process, loop, containers);
    return new Probers(
        prober::http,
        prober::tcp,
        prober::datagram,
        new ExecProber(loop, blocking, runtime),
        prober::grpc);
  }

  private void http(
      HttpGet get, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    probe(get.port(), get.host(), target, timeout, done, endpoint -> new HttpWords(get, endpoint));
  }

  private void tcp(
      TcpSocket socket, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    probe(socket.port(), socket.host(), target, timeout, done, TcpWords::new);
  }

  private void datagram(
      Datagram datagram, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    probe(datagram.port(), datagram.host(), target, timeout, done, DatagramWords::new);
  }

  private void grpc(Grpc call, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    probe(
        new Port.Numeric(call.port()),
        null,
        target,
        timeout,
        done,
        endpoint -> new GrpcWords(call, endpoint, timeout));
  }

  /** What a protocol's prober says in each case. */
  private interface Words {
    /** Whether a connection is all it wants. */
    default boolean onlyConnects() {
      return false;
    }

    default Duration handshake() {
      return Duration.ZERO;
    }

    Verdict right();

    Verdict wrong();

    /** Whether it asks for readiness and not only for life. */
    default boolean asksForReadiness() {
      return false;
    }

    Verdict refused();

    Verdict broken();

    Verdict late(Phase phase);
  }

  @FunctionalInterface
  private interface Protocol {
    Words at(Endpoint endpoint);
  }

  private void probe(
      @Nullable Port port,
      @Nullable String host,
      ProbeTarget target,
      Duration timeout,
      Consumer<ProbeOutcome> done,
      Protocol protocol) {
    switch (Destination.at(target, port, host)) {
      case Destination.Unknown unknown -> done.accept(unknown.outcome());
      case Endpoint endpoint ->
          new Exchange(
                  instance(endpoint, target), endpoint.port(), protocol.at(endpoint), timeout, done)
              .begin();
    }
  }

  /** Null if nothing has the address. */
  private @Nullable ContainerInstance instance(Endpoint endpoint, ProbeTarget target) {
    ScriptedPod pod = containers.at(endpoint.host());
    ScriptedContainer container = pod == null ? null : pod.container(target.container().name());
    return container == null ? null : container.newest();
  }

  /** One probe: planned when it begins, and decided when its end has come. */
  private final class Exchange {
    private final @Nullable ContainerInstance instance;
    private final Words words;
    private final long timeout;
    private final Consumer<ProbeOutcome> done;
    private final long start = process.nanoTime();
    private final Response response;
    private final long connect;
    private final long answer;

    Exchange(
        @Nullable ContainerInstance instance,
        int port,
        Words words,
        Duration timeout,
        Consumer<ProbeOutcome> done) {
      this.instance = instance;
      this.words = words;
      this.timeout = timeout.toNanos();
      this.done = done;
      connect = random.nextLong(CONNECT_NANOS / 5, CONNECT_NANOS);
      if (instance == null) {
        response = Response.UNREACHABLE;
        answer = Long.MAX_VALUE;
      } else {
        boolean listens = instance.running() && instance.container().ports().contains(port);
        Behavior behavior = listens ? instance.at(world.now()) : Behavior.REFUSING;
        response = behavior.response();
        answer =
            connect
                + words.handshake().toNanos()
                + SimulatedRuntime.between(behavior, instance).toNanos();
      }
    }

    void begin() {
      long takes =
          switch (response) {
            case UNREACHABLE -> timeout;
            case REFUSED -> connect;
            case NONE -> words.onlyConnects() ? connect : timeout;
            case RIGHT, WRONG, UNREADY ->
                words.onlyConnects() ? connect : Math.min(answer, timeout);
          };
      long arrives = world.now() + takes;
      containers.probeBegins(process, instance, Duration.ofNanos(takes));
      loop.exactlyAt(start + takes, () -> end(takes, arrives));
    }

    /**
     * A process that was frozen before it was connected may find that only now, and sends its
     * request. Or it finds the response and the end of the timeout together; which of them it sees
     * first is left to chance.
     */
    private void end(long planned, long arrives) {
      long took = process.nanoTime() - start;
      boolean wasFrozen = took - planned > FROZEN_NANOS;
      boolean hadSent = process.stalledAt() > start + connect;
      if (wasFrozen && !hadSent && planned == answer && random.nextBoolean()) {
        long again = Math.clamp(took + answer - connect, took, Math.max(took, timeout));
        loop.exactlyAt(start + again, () -> end(again, world.now()));
        return;
      }
      boolean late = planned >= timeout || (took >= timeout && random.nextBoolean());
      done.accept(
          new ProbeOutcome(
              late ? words.late(phase()) : verdict(arrives),
              new ProbeTimings(
                  0,
                  ProbeTimings.NOT_REACHED,
                  response == Response.UNREACHABLE ? ProbeTimings.NOT_REACHED : connect,
                  words.handshake().isZero()
                      ? ProbeTimings.NOT_REACHED
                      : connect + words.handshake().toNanos(),
                  late || words.onlyConnects() ? ProbeTimings.NOT_REACHED : answer,
                  took)));
    }

    private Phase phase() {
      return response == Response.UNREACHABLE ? Phase.CONNECTING : Phase.WAITING;
    }

    private Verdict verdict(long arrives) {
      if (response == Response.REFUSED) {
        return words.refused();
      }
      if (words.onlyConnects()) {
        return words.right();
      }
      if (instance != null && instance.ended() < arrives) {
        return words.broken();
      }
      boolean right =
          response == Response.RIGHT || (response == Response.UNREADY && !words.asksForReadiness());
      return right ? words.right() : words.wrong();
    }
  }

  private static String refused(Endpoint endpoint) {
    return "dial tcp " + endpoint + ": connect: connection refused";
  }

  private static Failure late(String text) {
    return Failure.indefinite(text).by(Cause.TIMEOUT);
  }

  private record TcpWords(Endpoint endpoint) implements Words {
    @Override
    public boolean onlyConnects() {
      return true;
    }

    @Override
    public Verdict right() {
      return new Verdict.Success("");
    }

    @Override
    public Verdict wrong() {
      return right();
    }

    @Override
    public Verdict refused() {
      return new Failure(ScriptedProber.refused(endpoint), Cause.CONNECT);
    }

    @Override
    public Verdict broken() {
      return right();
    }

    @Override
    public Verdict late(Phase phase) {
      return ScriptedProber.late(endpoint.timedOut(phase));
    }
  }

  /** A closed port is reported by the kernel; a server that is wrong sends something else. */
  private record DatagramWords(Endpoint endpoint) implements Words {
    @Override
    public Verdict right() {
      return new Verdict.Success("ok");
    }

    @Override
    public Verdict wrong() {
      return new Failure("UDP probe failed: answer does not match \"ok\"", Cause.EXPECT);
    }

    @Override
    public Verdict refused() {
      return new Failure("read udp " + endpoint + ": read: connection refused", Cause.ANSWER);
    }

    @Override
    public Verdict broken() {
      return late(Phase.WAITING);
    }

    @Override
    public Verdict late(Phase phase) {
      return ScriptedProber.late("read udp " + endpoint + ": i/o timeout");
    }
  }

  private record HttpWords(HttpGet get, Endpoint endpoint) implements Words {
    private String context() {
      String scheme = get.scheme() == Scheme.HTTPS ? "https" : "http";
      return "Get \"" + scheme + "://" + endpoint + get.path() + "\": ";
    }

    @Override
    public boolean asksForReadiness() {
      return Behavior.asksForReadiness(get);
    }

    @Override
    public Duration handshake() {
      return get.scheme() == Scheme.HTTPS ? HANDSHAKE : Duration.ZERO;
    }

    @Override
    public Verdict right() {
      return new Verdict.Success("ok");
    }

    @Override
    public Verdict wrong() {
      HttpExpectation expected = get.expectation();
      if (expected.anyAnswer()) {
        return right();
      }
      String wanted = expected.statuses().isEmpty() ? "" : ", expected " + expected.statuses();
      return new Failure(
          "HTTP probe failed with statuscode: " + SERVICE_UNAVAILABLE + wanted,
          true,
          Cause.STATUS,
          SERVICE_UNAVAILABLE);
    }

    @Override
    public Verdict refused() {
      return new Failure(context() + ScriptedProber.refused(endpoint), Cause.CONNECT);
    }

    @Override
    public Verdict broken() {
      return Failure.indefinite(
              context() + "read tcp " + endpoint + ": read: connection reset by peer")
          .by(Cause.ANSWER);
    }

    @Override
    public Verdict late(Phase phase) {
      return ScriptedProber.late(
          context()
              + (phase == Phase.CONNECTING
                  ? endpoint.timedOut(phase)
                  : "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"));
    }
  }

  private record GrpcWords(Grpc call, Endpoint endpoint, Duration timeout) implements Words {
    @Override
    public boolean asksForReadiness() {
      return Behavior.asksForReadiness(call);
    }

    @Override
    public Verdict right() {
      return new Verdict.Success("service healthy");
    }

    @Override
    public Verdict wrong() {
      return new Failure("service unhealthy (responded with \"NOT_SERVING\")", Cause.STATUS);
    }

    @Override
    public Verdict refused() {
      return new Failure(notConnected(ScriptedProber.refused(endpoint)), Cause.CONNECT);
    }

    @Override
    public Verdict broken() {
      return Failure.indefinite(
              "error: health rpc probe failed: rpc error: code = Unavailable desc = error reading"
                  + " from server: EOF")
          .by(Cause.ANSWER);
    }

    @Override
    public Verdict late(Phase phase) {
      return ScriptedProber.late(
          phase == Phase.CONNECTING
              ? notConnected("context deadline exceeded")
              : "timeout: health rpc did not complete within " + GoDuration.format(timeout));
    }

    private String notConnected(String why) {
      return "timeout: failed to connect service \"%s\" within %s: %s"
          .formatted(endpoint, GoDuration.format(timeout), why);
    }
  }
}
