package io.probelet.agent.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.Threads;
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
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.web.http.HttpServers;
import io.probelet.web.metrics.QueueMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import javax.net.ssl.SSLSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The probe engine with its probers and the restarts it decides. */
public final class ProbeService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeService.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration ANSWER = Duration.ofMillis(700);

  /** What the requests of preStop hooks call themselves (D-7). */
  public static final String LIFECYCLE_AGENT = "kube-lifecycle/" + UserAgent.KUBERNETES;

  private final AgentNetwork network;
  private final Threads threads;
  private final ExecutorService blocking;
  private final List<LoopProber> probers;
  private final ProbeEngine engine;

  private final UserAgent userAgent = new UserAgent(version());

  private ProbeService(
      AgentNetwork network,
      ContainerRuntime runtime,
      ContainerStopper stopper,
      RestartGate gate,
      StartupMemory startups,
      StatisticsMemory statistics,
      ProbeLimits limits,
      RandomGenerator random,
      TimeSource time) {
    this.network = network;
    threads = time.threads();
    blocking =
        Executors.newThreadPerTaskExecutor(threads.ofVirtual().name("blocking-", 0).factory());
    probers =
        network.lanes(userAgent).stream()
            .map(lane ->
                new LoopProber(
                    lane.loop(),
                    new Probers(
                        lane.http(),
                        lane.tcp(),
                        lane.datagram(),
                        new ExecProber(lane.loop(), blocking, runtime),
                        lane.grpc())))
            .toList();
    engine =
        new ProbeEngine(
            probers, random, gate, limits.within(network.maxOpenFiles()), startups, statistics);
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
    return unguarded(new MachineNetwork(loops, time), runtime, limits, time);
  }

  /**
   * Puts probers on a network; nothing is probed yet.
   *
   * @param network where it lives; closed with the service
   * @param runtime where exec probes run; closed by its owner
   * @param gate has the last word on that
   * @param startups knows what startup probes found before
   * @param statistics knows what probes have seen before
   * @param random spreads probes
   * @return the service, to be closed by the caller
   */
  public static ProbeService start(
      AgentNetwork network,
      ContainerRuntime runtime,
      ContainerStopper stopper,
      RestartGate gate,
      StartupMemory startups,
      StatisticsMemory statistics,
      RandomGenerator random,
      TimeSource time) {
    return new ProbeService(
        network, runtime, stopper, gate, startups, statistics, ProbeLimits.DEFAULT, random, time);
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
    return unguarded(
        new MachineNetwork(ProbeLoops.start(1, time), onHandshake, time),
        runtime,
        ProbeLimits.DEFAULT,
        time);
  }

  private static ProbeService unguarded(
      AgentNetwork network, ContainerRuntime runtime, ProbeLimits limits, TimeSource time) {
    return new ProbeService(
        network,
        runtime,
        decision -> runtime.stop(decision.containerId(), decision.grace()),
        RestartGate.OPEN,
        StartupMemory.NONE,
        StatisticsMemory.NONE,
        limits,
        new Random(),
        time);
  }

  /** {@return the version of Probelet that runs} */
  public static String version() {
    String version = ProbeService.class.getPackage().getImplementationVersion();
    return version == null ? "unpackaged" : version;
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
    network.addQueuesTo(registry);
  }

  /** {@return the loops probes run on} */
  List<ProbeLoop> loops() {
    return probers.stream().map(LoopProber::loop).toList();
  }

  /** {@return what opens HTTP servers} */
  HttpServers servers() {
    return network.servers();
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
      threads.get(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)), ANSWER);
    } catch (ExecutionException | TimeoutException late) {
      LOG.debug("an event loop does not respond", late); // which, is seen below
    }
    List<String> problems = new ArrayList<>();
    for (int loop = 0; loop < answers.size(); loop++) {
      CompletableFuture<LoopProgress> answer = answers.get(loop);
      String name = "event loop " + loop + ": ";
      if (!answer.isDone()) {
        problems.add(name + "no answer within " + ANSWER.toMillis() + " ms");
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
    threads
        .completeOnTimeout(engine.removeAll().thenApply(_ -> true), false, TIMEOUT)
        .exceptionally(_ -> false) // a loop that takes no tasks any more has no probes either
        .join();
  }

  /** Stops probing, and ends the loops. */
  @Override
  public void close() {
    stopProbing();
    network.close();
    blocking.shutdownNow();
  }
}
