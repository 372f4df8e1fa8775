package io.probelet.agent.run;

import io.netty.channel.EventLoop;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Probers;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.Restarter;
import io.probelet.probe.exec.ExecProber;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.grpc.GrpcProber;
import io.probelet.probe.http.HeaderValues;
import io.probelet.probe.http.HttpProber;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.net.SystemNames;
import io.probelet.probe.net.TcpProber;
import io.probelet.probe.net.TlsContexts;
import io.probelet.probe.runtime.ContainerRuntime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The probe engine on real loops, with its probers and the restarts it decides. */
public final class ProbeService implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 2;

  private final ProbeLoops loops;
  private final ExecutorService blocking;
  private final List<LoopProber> probers;
  private final ProbeEngine engine;

  /** What HTTP and gRPC probes call themselves (H-2). */
  private static final String USER_AGENT = "probelet/" + version();

  private ProbeService(
      ProbeLoops loops,
      ContainerRuntime runtime,
      ContainerStopper stopper,
      RestartGate gate,
      TimeSource time) {
    this.loops = loops;
    blocking =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("blocking-", 0).factory());
    SystemNames names = new SystemNames();
    FileThreads files = new FileThreads();
    TlsContexts contexts = new TlsContexts(files, time);
    HeaderValues headers = new HeaderValues(files, time);
    probers =
        loops.all().stream()
            .map(loop -> prober(loop, new Dialer(loop, names, contexts), headers, runtime))
            .toList();
    engine = new ProbeEngine(probers, new Random(), gate);
    engine.addListener(
        new Restarter(probers.getFirst().loop(), blocking, stopper, engine.listeners()));
  }

  /**
   * Puts probers on loops; nothing is probed yet.
   *
   * @param loops where it lives; closed with the service
   * @param runtime where exec probes run and containers are stopped; closed by its owner
   * @param time the clocks to go by
   * @return the service, to be closed by the caller
   */
  public static ProbeService start(ProbeLoops loops, ContainerRuntime runtime, TimeSource time) {
    return start(
        loops,
        runtime,
        decision -> runtime.stop(decision.containerId(), decision.grace()),
        RestartGate.OPEN,
        time);
  }

  /**
   * Puts probers on loops; nothing is probed yet.
   *
   * @param loops where it lives; closed with the service
   * @param runtime where exec probes run; closed by its owner
   * @param stopper stops containers
   * @param gate has the last word on that
   * @param time the clocks to go by
   * @return the service, to be closed by the caller
   */
  public static ProbeService start(
      ProbeLoops loops,
      ContainerRuntime runtime,
      ContainerStopper stopper,
      RestartGate gate,
      TimeSource time) {
    return new ProbeService(loops, runtime, stopper, gate, time);
  }

  /** {@return the version of Probelet that runs} */
  public static String version() {
    String version = ProbeService.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  private LoopProber prober(
      NetLoop loop, Dialer dialer, HeaderValues headers, ContainerRuntime runtime) {
    ProbeLoop probeLoop = loop.probeLoop();
    return new LoopProber(
        probeLoop,
        new Probers(
            new HttpProber(dialer, USER_AGENT, headers),
            new TcpProber(dialer),
            new ExecProber(probeLoop, blocking, runtime),
            new GrpcProber(dialer, USER_AGENT)));
  }

  /** {@return the engine: add pods and listeners there} */
  public ProbeEngine engine() {
    return engine;
  }

  /** {@return the loops probes run on} */
  List<ProbeLoop> loops() {
    return probers.stream().map(LoopProber::loop).toList();
  }

  /** {@return the event loop on which something else, an HTTP server say, may live too} */
  public EventLoop eventLoop() {
    return loops.all().getFirst().eventLoop();
  }

  /**
   * Carries out one probe, outside any worker.
   *
   * @param handler what to do
   * @param target what it is aimed at
   * @param timeout bound over the whole attempt
   * @param done takes the outcome, on an event loop
   */
  public void probe(
      ProbeHandler handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    LoopProber first = probers.getFirst();
    first.loop().execute(() -> first.prober().probe(handler, target, timeout, done));
  }

  /**
   * Looks whether every event loop takes tasks. Blocks for up to two seconds.
   *
   * @return what is wrong; empty when all is well
   * @throws InterruptedException if the caller gave up waiting
   */
  public Optional<String> unresponsive() throws InterruptedException {
    CountDownLatch answers = new CountDownLatch(probers.size());
    probers.forEach(prober -> prober.loop().execute(answers::countDown));
    return answers.await(PATIENCE_SECONDS, TimeUnit.SECONDS)
        ? Optional.empty()
        : Optional.of(
            answers.getCount() + " event loops did not answer within " + PATIENCE_SECONDS + " s");
  }

  /** Stops probing at once; probes under way get no outcome. */
  @Override
  public void close() {
    engine
        .removeAll()
        .completeOnTimeout(null, PATIENCE_SECONDS, TimeUnit.SECONDS)
        .exceptionally(_ -> null) // a loop that takes no tasks any more has no probes either
        .join();
    loops.close();
    blocking.shutdownNow();
  }
}
