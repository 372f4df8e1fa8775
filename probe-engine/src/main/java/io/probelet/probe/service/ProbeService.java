package io.probelet.probe.service;

import io.probelet.health.SystemClock;
import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
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
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.service.ProbeNetwork.Queue;
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
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running probe engine with its event loops, its probers and the restarts it decides.
 *
 * <pre>{@code
 * try (ProbeService service = ProbeService.builder().stopper(this::restart).start()) {
 *   service.engine().addListener(listener);   // hears results
 *   service.engine().add(pod);                // what to probe
 *   service.engine().observed(observation);   // which of its containers run, and where
 * }
 * }</pre>
 */
public final class ProbeService implements AutoCloseable {
  /** The version of Kubernetes whose kubelet this engine follows. */
  public static final String KUBERNETES = "1.36";

  private static final Logger LOG = LoggerFactory.getLogger(ProbeService.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final Duration ANSWER = Duration.ofMillis(700);

  private final ProbeNetwork network;
  private final Threads threads;
  private final ExecutorService blocking;
  private final List<LoopProber> probers;
  private final ProbeEngine engine;

  private ProbeService(Builder with) {
    network = with.network == null ? SocketNetwork.start(1, with.time) : with.network;
    threads = with.time.threads();
    blocking =
        Executors.newThreadPerTaskExecutor(threads.ofVirtual().name("blocking-", 0).factory());
    ContainerRuntime runtime = with.runtime;
    ContainerStopper stopper =
        with.stopper == null
            ? decision -> runtime.stop(decision.containerId(), decision.grace())
            : with.stopper;
    probers = network.probers(with.userAgent, loop -> new ExecProber(loop, blocking, runtime));
    engine =
        new ProbeEngine(
            probers,
            with.random,
            with.gate,
            with.limits.within(network.maxOpenFiles()),
            with.startups,
            with.statistics);
    engine.addListener(
        new Restarter(probers.getFirst().loop(), blocking, stopper, engine.listeners()));
  }

  /** {@return settings of a service, all with defaults} */
  public static Builder builder() {
    return new Builder();
  }

  /** {@return the engine: add pods and listeners there} */
  public ProbeEngine engine() {
    return engine;
  }

  /** {@return the queues in which probes wait} */
  public List<Queue> queues() {
    List<Queue> queues = new ArrayList<>();
    queues.add(new Queue("probes", engine::waiting, 0));
    queues.addAll(network.queues());
    return queues;
  }

  /** {@return the loops that probes run on, at least one} */
  public List<ProbeLoop> loops() {
    return probers.stream().map(LoopProber::loop).toList();
  }

  /**
   * Carries out one probe, outside any worker.
   *
   * @param handler what the probe does
   * @param target what is probed
   * @param timeout bound over the whole attempt
   * @param done takes the outcome, on an event loop; must not block
   */
  public void probe(
      ProbeHandler handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    LoopProber first = probers.getFirst();
    first.loop().execute(() -> first.prober().probe(handler, target, timeout, done));
  }

  /**
   * Checks whether every event loop answers and makes progress with its probes. Blocks for less
   * than a second, which is what the kubelet grants.
   *
   * @return what is wrong, naming the loop; empty when all is well
   * @throws InterruptedException if the caller gave up waiting
   */
  public Optional<String> unresponsive() throws InterruptedException {
    List<CompletableFuture<LoopProgress>> answers = engine.progress();
    try {
      threads.get(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)), ANSWER);
    } catch (ExecutionException | TimeoutException late) {
      LOG.debug("an event loop does not respond", late); // which one is determined below
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

  /** Stops probing at once. Probes in progress get no outcome, and no restart is decided. */
  public void stopProbing() {
    threads
        .completeOnTimeout(engine.removeAll().thenApply(done -> true), false, TIMEOUT)
        .exceptionally(ended -> false) // a loop that takes no more tasks has no probes either
        .join();
  }

  /** Stops probing, and ends the event loops. The runtime stays open. */
  @Override
  public void close() {
    stopProbing();
    network.close();
    blocking.shutdownNow();
  }

  /** Settings of a {@link ProbeService}. Each call replaces one default. */
  public static final class Builder {
    private @Nullable ProbeNetwork network;
    private @Nullable ContainerStopper stopper;
    private ContainerRuntime runtime =
        ContainerRuntime.none("the program that embeds the probe engine has no container runtime");
    private RestartGate gate = RestartGate.OPEN;
    private StartupMemory startups = StartupMemory.NONE;
    private StatisticsMemory statistics = StatisticsMemory.NONE;
    private ProbeLimits limits = ProbeLimits.DEFAULT;
    private Supplier<String> userAgent = () -> "kube-probe/" + KUBERNETES;
    private RandomGenerator random = new Random();
    private TimeSource time = SystemClock.INSTANCE;

    private Builder() {}

    /**
     * Sets the network that carries the probes.
     *
     * @param value closed with the service; the default is one event loop on this machine's sockets
     * @return this
     */
    public Builder network(ProbeNetwork value) {
      network = value;
      return this;
    }

    /**
     * Sets the runtime that runs exec probes and, without a stopper, stops containers.
     *
     * @param value stays open when the service closes; the default fails every call
     * @return this
     */
    public Builder runtime(ContainerRuntime value) {
      runtime = value;
      return this;
    }

    /**
     * Sets the stopper of containers whose probe has failed.
     *
     * @param value called on virtual threads, and again later if it fails; the default has the
     *     runtime stop it
     * @return this
     */
    public Builder stopper(ContainerStopper value) {
      stopper = value;
      return this;
    }

    /**
     * Sets the gate that may hold restarts back.
     *
     * @param value the default allows all
     * @return this
     */
    public Builder gate(RestartGate value) {
      gate = value;
      return this;
    }

    /**
     * Sets the startup results of an earlier process.
     *
     * @param value the default remembers nothing
     * @return this
     */
    public Builder startups(StartupMemory value) {
      startups = value;
      return this;
    }

    /**
     * Sets the statistics of an earlier process.
     *
     * @param value the default remembers nothing
     * @return this
     */
    public Builder statistics(StatisticsMemory value) {
      statistics = value;
      return this;
    }

    /**
     * Sets the limits of probing.
     *
     * @param value applies as far as the limit of open files allows; the default suits a node
     * @return this
     */
    public Builder limits(ProbeLimits value) {
      limits = value;
      return this;
    }

    /**
     * Sets the User-Agent of HTTP and gRPC probes (H-2: the kubelet's, as servers may admit nothing
     * else).
     *
     * @param value asked for each probe; the default is {@code kube-probe/1.36}
     * @return this
     */
    public Builder userAgent(Supplier<String> value) {
      userAgent = value;
      return this;
    }

    /**
     * Sets the random source that spreads probe starts.
     *
     * @param value used on all event loops
     * @return this
     */
    public Builder random(RandomGenerator value) {
      random = value;
      return this;
    }

    /**
     * Sets the clocks and threads.
     *
     * @param value those of the network, if one is set; the default is the machine's
     * @return this
     */
    public Builder time(TimeSource value) {
      time = value;
      return this;
    }

    /**
     * Starts the service. Nothing is probed until the engine has pods.
     *
     * @return the service, to be closed by the caller
     */
    public ProbeService start() {
      return new ProbeService(this);
    }
  }
}
