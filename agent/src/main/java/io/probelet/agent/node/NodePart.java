package io.probelet.agent.node;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.publish.NodeEvents;
import io.probelet.health.Alarm;
import io.probelet.health.Condition;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.MaintenanceNote;
import io.probelet.monitor.node.MonitorListener;
import io.probelet.monitor.node.NodeMonitor;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.monitor.publish.AbsentAgent;
import io.probelet.monitor.publish.NodePublisher;
import io.probelet.monitor.rule.Monitor;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitors the agent's node and reports conditions and events of the Node to the API server.
 * Probing and monitoring never wait for the API server, except briefly at start.
 */
public final class NodePart implements Part {
  private static final Logger LOG = LoggerFactory.getLogger(NodePart.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  private final NodeMonitor monitor;
  private final WatchedMonitors monitors;
  private final ApiServer api;
  private final String node;
  private final NodePublisher publisher;
  private final NodeEvents events;
  private final NodeReports reports;
  private final TimeSource time;
  private final SerialLoop loop;
  private final Alarm beginning;
  private final MaintenanceEnd maintenance;
  private final long adoptUntil;

  // Of the loop only.
  private boolean begun;
  private @Nullable MonitorChoice chosen;

  private NodePart(
      NodeContext context, NodeMonitor monitor, WatchedMonitors monitors, NodeReports reports) {
    this.monitor = monitor;
    this.reports = reports;
    this.monitors = monitors;
    this.time = context.time();
    loop =
        SerialLoop.startVirtual(
            time.threads(),
            "node-part",
            1, // who brings another choice waits for its place
            bug -> LOG.error("internal error in the node monitor, continuing", bug));
    beginning = loop.alarm(this::begin);
    adoptUntil = time.nanoTime() + TIMEOUT.toNanos();
    api = ApiServer.beside(context.api(), context.client(), TIMEOUT);
    node = context.node();
    publisher =
        new NodePublisher(
            api, node, monitor.boot().id(), reports.heartbeat(), time, context.random());
    maintenance = new MaintenanceEnd(loop, time, publisher::maintenance, monitor::runChecks);
    publisher.whenMaintenanceChanged(maintenance::changed);
    events =
        new NodeEvents(
            context.api(), node, reports.eventNamespace(), context.pods(), time, context.random());
  }

  /**
   * Begins to watch.
   *
   * @param monitor watches nothing yet; closed with the part
   * @param monitors what is watched; with nothing, only what was published before is taken back
   */
  public static NodePart start(
      NodeContext context, NodeReports reports, NodeMonitor monitor, WatchedMonitors monitors) {
    NodePart part = new NodePart(context, monitor, monitors, reports);
    part.addMetrics(context.metrics());
    monitors.addTo(context.metrics());
    if (part.reports.conditions()) {
      monitor.addListener(part.publisher);
    }
    if (part.reports.events()) {
      monitor.addListener(part.events);
      part.events.start(context.metrics());
    }
    part.beginning.set(Duration.ZERO);
    return part;
  }

  private void addMetrics(MeterRegistry metrics) {
    FunctionCounter.builder("probelet.node.patches", publisher, NodePublisher::patches)
        .description(
            "Writes to the Node: its conditions, and the annotation that lists Probelet's conditions.")
        .register(metrics);
    FunctionCounter.builder("probelet.node.patch.failures", publisher, NodePublisher::failures)
        .description("Failed attempts to publish node conditions; they are retried.")
        .register(metrics);
  }

  /**
   * Monitoring starts from the Node's conditions (B-4), or without them if the API server does not
   * respond.
   */
  private void begin() {
    loop.requireInLoop();
    List<Monitor> first = monitors.first().monitors();
    if (first.isEmpty()) {
      // B-6: the leader takes taints off then; without rights there is nothing to take.
      var _ = new AbsentAgent(api, node).withdraw();
    } else {
      Optional<List<Condition>> onNode = publisher.adoptable();
      if (onNode.isEmpty() && time.nanoTime() - adoptUntil < 0) {
        beginning.set(ASK_AGAIN);
        return;
      }
      if (onNode.isEmpty()) {
        LOG.warn(
            "API server unreachable, starting without the node conditions of the previous agent");
      }
      monitor.adopt(onNode.orElse(List.of()));
    }
    monitor.watch(first);
    monitors.watch(monitor::watch);
    if (reports.conditions()) {
      // What is not watched is removed, so that the monitor must have said what it watches.
      var _ = monitor.snapshot().thenRun(publisher::start);
    }
    begun = true;
    if (chosen != null) {
      monitors.use(chosen, monitor::watch);
    }
  }

  /**
   * Adds a listener, which is told all present conditions first, and then each change.
   *
   * @param listener called on the monitor's loop
   */
  public void follow(MonitorListener listener) {
    monitor.follow(listener);
  }

  /** {@return the maintenance of the node; empty if it is in none, as far as its Node says} */
  public Optional<MaintenanceNote> maintenance() {
    return maintenance.now();
  }

  /** Watches by other monitors, as soon as they can be used. */
  public void use(MonitorChoice choice) {
    try {
      var _ =
          loop.put(() -> {
            chosen = choice;
            if (begun) {
              monitors.use(choice, monitor::watch);
            }
          });
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  /** Writes the conditions once more: while the agent was not heard, others may have. */
  public void publishAgain() {
    publisher.publishAgain();
  }

  @Override
  public String name() {
    return "node-monitor";
  }

  /** {@return the node as it is seen, at each call} */
  public Supplier<CompletableFuture<NodeSnapshot>> node() {
    return monitor::snapshot;
  }

  @Override
  public void close() {
    loop.close();
    var _ = loop.awaitEnd(TIMEOUT);
    publisher.close();
    events.close();
    monitors.close();
    monitor.close();
  }
}
