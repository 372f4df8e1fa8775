package io.probelet.agent.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.PodObjects;
import io.probelet.health.TimeSource;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Containers.Warnings;
import io.probelet.web.http.UnixSocketServer;
import io.probelet.web.metrics.QueueMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes pods that clients hand over on a Unix socket, and tells them of results and restarts. The
 * clients run the containers: they report which instances run, and restart those that fail.
 */
public final class ProbeServer implements ProbeListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeServer.class);

  private final PodRules rules;
  private final TimeSource time;
  private final String instance;
  private final KnownPods known = new KnownPods();
  private final EventBuffer events;
  private final PendingRestarts restarts;
  private final PendingCommands commands;
  private @Nullable ProbeLoops loops;
  private @Nullable UnixSocketServer server;

  /**
   * Creates a server that does not listen yet, so that an engine can be built around it.
   *
   * @param rules the limits of pods: their authors are not trusted
   * @param random names this server, so that a client recognizes another one
   */
  public ProbeServer(PodRules rules, RandomGenerator random, TimeSource time) {
    this.rules = rules;
    this.time = time;
    instance = HexFormat.of().toHexDigits(random.nextLong());
    events = new EventBuffer(time);
    restarts =
        new PendingRestarts(
            events, time.threads(), pod -> known.find(pod).map(ClusterPod::reported));
    commands = new PendingCommands(known, events, time.threads());
  }

  /**
   * {@return a stopper that has the clients restart the containers of their pods}
   *
   * @param others stops all other containers
   */
  public ContainerStopper stopper(ContainerStopper others) {
    return decision -> (isServed(decision.subject().pod()) ? restarts : others).stop(decision);
  }

  /**
   * {@return a runtime that has the clients run commands in the containers of their pods}
   *
   * @param others for all other containers, and everything else
   */
  public ContainerRuntime runtime(ContainerRuntime others) {
    return new ClientRuntime(known, commands, others);
  }

  /** {@return a gate that allows no restart of a pod which is only observed} */
  public RestartGate gate() {
    return decision -> {
      PodRef pod = decision.subject().pod();
      return known
          .find(pod)
          .map(served -> rules.enforcement(pod.namespace(), served.enforcement()))
          .map(enforcement -> enforcement != Enforcement.OBSERVE)
          .orElse(true);
    };
  }

  /**
   * Begins to listen. Called once.
   *
   * @param socket path of the Unix socket
   * @param engine probes the pods; has the stopper and the gate
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public void open(Path socket, ProbeEngine engine) throws IOException {
    ServedPods pods = new ServedPods(known, engine);
    ProbeLoops own = ProbeLoops.start(1, "probe-server-", time);
    loops = own;
    Containers containers = new Containers(engine::snapshot, Warnings.NONE, time.threads());
    engine.addListener(this); // before the first pod
    server =
        UnixSocketServer.open(
            socket,
            own.all().getFirst().eventLoop(),
            Map.of(
                "/v1/pods",
                new PodsRoute(
                    instance, new PodObjects(rules), pods, containers, events, restarts, commands),
                "/v1/events",
                new EventsRoute(instance, events),
                "/v1/execs",
                new ExecsRoute(commands)));
    LOG.info("probe server started path={}", socket);
  }

  /** Adds how much it serves. */
  public void addTo(MeterRegistry registry) {
    Gauge.builder("probelet.probe.server.pods", known::size)
        .description("Pods that clients of the probe server have handed over.")
        .register(registry);
    Gauge.builder("probelet.probe.server.restarts.pending", restarts::size)
        .description("Restarts that clients of the probe server have not carried out yet.")
        .register(registry);
    FunctionCounter.builder("probelet.probe.server.gaps", events, EventBuffer::gaps)
        .description("Times that a client of the probe server was told that it missed events.")
        .register(registry);
    QueueMetrics.add(registry, "probe-server-events", events::size, EventBuffer.MAX_EVENTS);
  }

  private boolean isServed(PodRef pod) {
    return known.find(pod).isPresent();
  }

  @Override
  public void published(Published result) {
    if (isServed(result.subject().pod())) {
      events.add(ServedEvent.of(result));
    }
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    boolean same =
        before != null
            && before.ready() == now.ready()
            && before.started() == now.started()
            && before.observation().id().equals(now.observation().id());
    if (!same && isServed(now.pod())) {
      events.add(ServedEvent.of(now));
    }
  }

  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    if (isServed(decision.subject().pod())) {
      events.add(ServedEvent.restartFailed(decision, why));
    }
  }

  /** Stops listening, and removes the socket. */
  @Override
  public void close() {
    events.close();
    if (server != null) {
      server.close();
    }
    if (loops != null) {
      loops.close();
    }
  }
}
