package io.probelet.agent.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.pods.NodePods;
import io.probelet.agent.cluster.pods.PodFeed;
import io.probelet.agent.cluster.pods.StartedContainers;
import io.probelet.agent.cluster.publish.Heartbeat;
import io.probelet.agent.cluster.publish.PodEvents;
import io.probelet.agent.cluster.publish.ReadinessGate;
import io.probelet.agent.cluster.publish.ServerVersion;
import io.probelet.agent.cluster.restart.EvictionBackOff;
import io.probelet.agent.cluster.restart.EvictionGate;
import io.probelet.agent.cluster.restart.GuardedForecast;
import io.probelet.agent.cluster.restart.KeptRestarts;
import io.probelet.agent.cluster.restart.NodeGate;
import io.probelet.agent.cluster.restart.PodRemover;
import io.probelet.agent.cluster.restart.WorkloadGate;
import io.probelet.agent.cluster.restart.WrongSuccessGate;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.LiveConfiguration;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.agent.node.NodeContext;
import io.probelet.agent.node.NodePart;
import io.probelet.agent.order.OrderStart;
import io.probelet.agent.run.Endpoints;
import io.probelet.agent.run.ProbeService;
import io.probelet.agent.run.WarmUp;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.kube.workload.CounterStore;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.manifest.FolderWatch;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.hook.PreStopStopper;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.events.RecentEvents;
import io.probelet.web.http.DetectorPorts;
import io.probelet.web.http.HealthResource;
import io.probelet.web.machine.StatisticsChoice;
import io.probelet.web.metrics.ApiServerMetrics;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import io.probelet.web.scrape.ScrapePart;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything of one {@code probelet agent}, from its start to its orderly end. */
public final class ClusterAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterAgent.class);

  /** How long any answer but a watch's may take. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The same where a restart waits for it. */
  private static final Duration COUNTER_TIMEOUT = Duration.ofSeconds(1);

  private final LiveConfiguration configuration;
  private final ClusterAccess access;
  private final NodeRuntime runtime;
  private final StartedContainers started;
  private final ProbeService service;
  private final Endpoints endpoints;
  private final PodEvents events;
  private final ReadinessGate readiness;
  private final ServerVersion version;
  private final WorkloadGate workloads;
  private final Function<PodRules, PodFeed> pods;
  private volatile PodFeed feed;
  private final List<Part> parts = new ArrayList<>();

  /**
   * Opens the address and begins to follow the node's pods.
   *
   * @param configuration how to work; closed with the agent
   * @param access reaches the API server; closed with the agent
   * @param loops where probes live; closed with the agent
   * @param runtime sees the node's containers; closed with the agent
   * @param orders begins to carry out orders to the node, if there are any
   * @param leads begins what the agent does for the whole cluster while it leads; most lead nothing
   * @param detectorPorts where else its conditions are shown
   * @throws IOException if the address cannot be had; the message is for the user
   */
  public ClusterAgent(
      String node,
      String namespace,
      LiveConfiguration configuration,
      ClusterAccess access,
      ProbeLoops loops,
      NodeRuntime runtime,
      Function<NodeContext, NodePart> nodePart,
      OrderStart orders,
      Function<ControllerContext, List<Part>> leads,
      Optional<DetectorPorts> detectorPorts,
      TimeSource time)
      throws IOException {
    this.configuration = configuration;
    this.access = access;
    this.runtime = runtime;
    ApiServer api = ApiServer.of(access.client(), TIMEOUT);
    Random random = new Random();
    KnownPods known = new KnownPods();
    Supplier<Removal> removal = () -> configuration.now().restarts().withoutRuntime();
    events = new PodEvents(api, node, known, time, random);
    RecentEvents recent = new RecentEvents(time);
    KeptRestarts kept = new KeptRestarts(time, new KeptReports(events, recent));
    EvictionBackOff backOff = new EvictionBackOff();
    NodeGate gate =
        new NodeGate(
            () -> configuration.now().podRules(),
            () -> configuration.now().restarts().guard(),
            known,
            kept,
            time);
    workloads =
        new WorkloadGate(
            () -> configuration.now().restarts().workloads(),
            new RestartEntries(
                CounterStore.of(ApiServer.of(access.client(), COUNTER_TIMEOUT), namespace),
                node,
                time),
            known,
            kept,
            time);
    WrongSuccessGate successes = new WrongSuccessGate(known, kept);
    EvictionGate evictions =
        new EvictionGate(() -> !runtime.seesContainers(), removal, known, backOff, kept, time);
    started = new StartedContainers(configuration.now().node().stateFolder());
    HookRunner hooks =
        HookRunner.on(loops.all().getFirst(), ProbeService.LIFECYCLE_AGENT, HookLimits.SHARED_NODE);
    service =
        ProbeService.start(
            loops,
            runtime,
            runtime.stopper(
                new PreStopStopper(runtime, hooks, time, events::preStopFailed),
                new PodRemover(api, removal, known)),
            gate.and(successes).and(evictions).and(workloads),
            started,
            time);
    WarmUp warmUp = WarmUp.start(service, time);
    service.userAgent().use(configuration.now().userAgent());
    endpoints =
        Endpoints.open(
            service,
            configuration.now().http().listen(),
            () -> configuration.now().http().hosts(),
            Optional.of(node),
            recent,
            time);
    endpoints.explains(new GuardedForecast(gate, successes, evictions, workloads, kept, time));
    endpoints.metrics().runtime(runtime::stats);
    if (detectorPorts.isPresent()) {
      endpoints.serve(detectorPorts.get());
    }
    kept.addTo(endpoints.metrics().registry());
    endpoints.showGuard(gate::guardView);
    ApiServerMetrics.addTo(endpoints.metrics().registry(), access.answers());
    service.engine().addListener(gate);
    service.engine().addListener(workloads);
    service.engine().addListener(started);
    service.engine().addListener(events);
    readiness = new ReadinessGate(api, known, time, random);
    service.engine().addListener(readiness);
    NodePods nodePods =
        new NodePods(
            service.engine(),
            known,
            events::invalid,
            pod -> {
              backOff.known(pod, time.nanoTime());
              readiness.known(pod);
            },
            pod -> {
              backOff.gone(pod);
              events.removed(pod);
            },
            runtime.seesContainers());
    nodePods.whenListed(started::retain);
    pods = rules -> new PodFeed(api, node, rules, new PodsOnceWarm(nodePods, warmUp), time, random);
    feed = pods.apply(configuration.now().podRules());
    runtime.watch(nodePods);
    MeterRegistry metrics = endpoints.metrics().registry();
    Heartbeat heartbeat = new Heartbeat(api, namespace, node, time, random);
    parts.add(heartbeat);
    NodePart ofNode =
        nodePart.apply(new NodeContext(node, access.client(), api, known, metrics, time, random));
    heartbeat.whenBack(ofNode::publishAgain);
    parts.add(ofNode);
    endpoints.showNode(ofNode.node());
    ControllerContext context =
        new ControllerContext(node, namespace, access.client(), metrics, time, random);
    orders.start(api, context, ofNode.node(), service.engine()::snapshot).ifPresent(parts::add);
    parts.addAll(leads.apply(context));
    ScrapePart.start(
            configuration.now().http().metrics(),
            endpoints.metrics(),
            access.client(),
            metrics,
            time)
        .ifPresent(parts::add);
    endpoints.readyWhen("runtime", runtime::problem);
    endpoints.readyWhen("pods", () -> feed.problem());
    for (Part part : parts) {
      endpoints.readyWhen(part.name(), HealthResource.of(part::problem, part::note));
      part.resources().forEach(endpoints::serve);
    }
    endpoints.started();
    LOG.info(
        "agent node={} api={} runtime={} listen=http://{}",
        node,
        access.client().getMasterUrl(),
        runtime,
        endpoints.address());
    events.start(endpoints.metrics().registry());
    readiness.start();
    workloads.start(endpoints.metrics().registry());
    version = new ServerVersion(api, service.userAgent()::kubernetes, random);
    feed.start();
    configuration.addTo(endpoints.metrics().registry());
    configuration.whenChanged(AgentConfiguration::userAgent, service.userAgent()::use);
    configuration.whenChanged(AgentConfiguration::runtime, choice -> runtime.use(choice, nodePods));
    configuration.whenChanged(AgentConfiguration::podRules, this::readAnew);
    configuration.whenChanged(
        it -> it, _ -> recent.agent("ConfigurationReloaded", "the configuration was reloaded"));
    configuration.whenRefused(problem -> recent.agent("ConfigurationInvalid", problem));
    configuration.follow();
    access.follow((files, changed) -> FolderWatch.follow("certificates", files, time, changed));
  }

  /** The pods stay known meanwhile; only those are probed anew of which other probes are read. */
  private void readAnew(PodRules rules) {
    feed.close();
    feed = pods.apply(rules);
    feed.start();
  }

  /** {@return where others add their metrics} */
  public MeterRegistry metrics() {
    return endpoints.metrics().registry();
  }

  /** Adds statistics of the machine, by node-problem-detector's names for them. */
  public void showMachine(StatisticsChoice choice) {
    endpoints.metrics().machine(choice);
  }

  /** Shows which monitor files are invalid. */
  public void showMonitors(Supplier<List<Source>> files) {
    endpoints.showMonitors(files);
  }

  /** Ends everything; the node's containers go on as they are. */
  @Override
  public void close() {
    LOG.info("shutting down");
    configuration.close();
    feed.close();
    version.close();
    workloads.close();
    started.close(); // before pods are removed because the agent ends
    service.stopProbing(); // what is decided after the last events were written would be reported
    // nowhere
    events.close();
    parts.reversed().forEach(Part::close);
    readiness.close();
    runtime.close();
    endpoints.close();
    service.close();
    access.close();
  }
}
