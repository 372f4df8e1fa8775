package io.probelet.agent.run;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoop;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Probers;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.LoopProgress;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.Restarter;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.engine.StatisticsMemory;
import io.probelet.probe.exec.ExecProber;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.grpc.GrpcProber;
import io.probelet.probe.http.BodyRuleThreads;
import io.probelet.probe.http.HeaderValues;
import io.probelet.probe.http.HttpProber;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.net.SystemNames;
import io.probelet.probe.net.TcpProber;
import io.probelet.probe.net.TlsContexts;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.web.metrics.QueueMetrics;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The probe engine on real loops, with its probers and the restarts it decides. */
public final class ProbeService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeService.class);
  private static final int TIMEOUT_SECONDS = 2;
  private static final int ANSWER_MILLIS = 700;

  /** What the requests of preStop hooks call themselves (D-7). */
  public static final String LIFECYCLE_AGENT = "kube-lifecycle/" + UserAgent.KUBERNETES;

  /** What answers HTTP must answer when probing hangs, above all then. */
  private final ProbeLoops answering;

  private final ProbeLoops loops;
  private final ExecutorService blocking;
  private final List<LoopProber> probers;
  private final ProbeEngine engine;
  private final SystemNames names = new SystemNames();
  private final FileThreads files = new FileThreads();
  private final BodyRuleThreads bodyRules = new BodyRuleThreads();

  private final UserAgent userAgent = new UserAgent(version());

  private ProbeService(
      ProbeLoops loops,
      ContainerRuntime runtime,
      ContainerStopper stopper,
      RestartGate gate,
      StartupMemory startups,
      StatisticsMemory statistics,
      ProbeLimits limits,
      Consumer<SSLSession> onHandshake,
      TimeSource time) {
    this.loops = loops;
    answering = ProbeLoops.start(1, "http-", time);
    blocking =
        Executors.newThreadPerTaskExecutor(
            time.threads().ofVirtual().name("blocking-", 0).factory());
    TlsContexts contexts = new TlsContexts(files, time);
    HeaderValues headers = new HeaderValues(files, time);
    probers =
        loops.all().stream()
            .map(loop ->
                prober(
                    loop,
                    new Dialer(loop, names, contexts, onHandshake),
                    headers,
                    bodyRules,
                    runtime))
            .toList();
    engine =
        new ProbeEngine(
            probers, new Random(), gate, limits.within(maxOpenFiles()), startups, statistics);
    engine.addListener(
        new Restarter(probers.getFirst().loop(), blocking, stopper, engine.listeners()));
  }

  /**
   * Puts probers on loops; nothing is probed yet.
   *
   * @param loops where it lives; closed with the service
   * @param runtime where exec probes run and containers are stopped; closed by its owner
   * @return the service, to be closed by the caller
   */
  public static ProbeService start(ProbeLoops loops, ContainerRuntime runtime, TimeSource time) {
    return start(loops, runtime, ProbeLimits.DEFAULT, time);
  }

  /**
   * Puts probers on loops with limits other than usual; nothing is probed yet.
   *
   * @param loops where it lives; closed with the service
   * @param runtime where exec probes run and containers are stopped; closed by its owner
   * @param limits what probing may cost, as far as the files that may be open go
   * @return the service, to be closed by the caller
   */
  public static ProbeService start(
      ProbeLoops loops, ContainerRuntime runtime, ProbeLimits limits, TimeSource time) {
    return new ProbeService(
        loops,
        runtime,
        decision -> runtime.stop(decision.containerId(), decision.grace()),
        RestartGate.OPEN,
        StartupMemory.NONE,
        StatisticsMemory.NONE,
        limits,
        _ -> {},
        time);
  }

  /**
   * Puts probers on loops; nothing is probed yet.
   *
   * @param loops where it lives; closed with the service
   * @param runtime where exec probes run; closed by its owner
   * @param gate has the last word on that
   * @param startups knows what startup probes found before
   * @param statistics knows what probes have seen before
   * @return the service, to be closed by the caller
   */
  public static ProbeService start(
      ProbeLoops loops,
      ContainerRuntime runtime,
      ContainerStopper stopper,
      RestartGate gate,
      StartupMemory startups,
      StatisticsMemory statistics,
      TimeSource time) {
    return new ProbeService(
        loops, runtime, stopper, gate, startups, statistics, ProbeLimits.DEFAULT, _ -> {}, time);
  }

  /**
   * Puts probers on one loop, for a few probes of which everything is of interest.
   *
   * @param runtime where exec probes run; closed by its owner
   * @param onHandshake called on the loop with each TLS handshake that came to its end
   * @return the service, to be closed by the caller
   */
  public static ProbeService startOnce(
      ContainerRuntime runtime, Consumer<SSLSession> onHandshake, TimeSource time) {
    return new ProbeService(
        ProbeLoops.start(1, time),
        runtime,
        decision -> runtime.stop(decision.containerId(), decision.grace()),
        RestartGate.OPEN,
        StartupMemory.NONE,
        StatisticsMemory.NONE,
        ProbeLimits.DEFAULT,
        onHandshake,
        time);
  }

  private static long maxOpenFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : 0;
  }

  /** {@return the version of Probelet that runs} */
  public static String version() {
    String version = ProbeService.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
  }

  private LoopProber prober(
      NetLoop loop,
      Dialer dialer,
      HeaderValues headers,
      BodyRuleThreads bodyRules,
      ContainerRuntime runtime) {
    ProbeLoop probeLoop = loop.probeLoop();
    return new LoopProber(
        probeLoop,
        new Probers(
            new HttpProber(dialer, userAgent, headers, bodyRules),
            new TcpProber(dialer),
            new ExecProber(probeLoop, blocking, runtime),
            new GrpcProber(dialer, userAgent)));
  }

  /** {@return the engine: add pods and listeners there} */
  public ProbeEngine engine() {
    return engine;
  }

  /** {@return what HTTP and gRPC probes call themselves, to be set} */
  public UserAgent userAgent() {
    return userAgent;
  }

  /** Adds how full the queues are in which probes wait. */
  void addQueuesTo(MeterRegistry registry) {
    QueueMetrics.add(registry, "probes", engine::waiting);
    QueueMetrics.add(registry, "names", names::underWay, SystemNames.MAX_THREADS);
    QueueMetrics.add(registry, "files", files::waiting, FileThreads.MAX_WAITING);
    QueueMetrics.add(registry, "bodies", bodyRules::waiting, BodyRuleThreads.MAX_WAITING);
  }

  /** {@return the loops probes run on} */
  List<ProbeLoop> loops() {
    return probers.stream().map(LoopProber::loop).toList();
  }

  /** {@return an event loop beside those of the probes, for HTTP servers} */
  public EventLoop eventLoop() {
    return answering.all().getFirst().eventLoop();
  }

  /**
   * Carries out one probe, outside any worker.
   *
   * @param timeout bound over the whole attempt
   * @param done takes the outcome, on an event loop
   */
  public void probe(
      ProbeHandler handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    LoopProber first = probers.getFirst();
    first.loop().execute(() -> first.prober().probe(handler, target, timeout, done));
  }

  /**
   * Checks whether every event loop answers and gets on with its probes. Blocks for less than a
   * second, which is what the kubelet grants.
   *
   * @return what is wrong, naming the loop; empty when all is well
   * @throws InterruptedException if the caller gave up waiting
   */
  public Optional<String> unresponsive() throws InterruptedException {
    List<CompletableFuture<LoopProgress>> answers = engine.progress();
    try {
      CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
          .get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException late) {
      LOG.debug("an event loop does not respond", late); // which, is seen below
    }
    List<String> problems = new ArrayList<>();
    for (int loop = 0; loop < answers.size(); loop++) {
      CompletableFuture<LoopProgress> answer = answers.get(loop);
      String name = "event loop " + loop + ": ";
      if (!answer.isDone()) {
        problems.add(name + "no answer within " + ANSWER_MILLIS + " ms");
      } else if (answer.isCompletedExceptionally()) {
        problems.add(name + answer.exceptionNow());
      } else {
        answer.resultNow().problem().ifPresent(problem -> problems.add(name + problem));
      }
    }
    return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
  }

  /** Stops probing at once; probes under way get no outcome, and nothing is decided any more. */
  public void stopProbing() {
    engine
        .removeAll()
        .completeOnTimeout(null, TIMEOUT_SECONDS, TimeUnit.SECONDS)
        .exceptionally(_ -> null) // a loop that takes no tasks any more has no probes either
        .join();
  }

  /** Stops probing, and ends the loops. */
  @Override
  public void close() {
    stopProbing();
    loops.close();
    answering.close();
    blocking.shutdownNow();
  }
}
