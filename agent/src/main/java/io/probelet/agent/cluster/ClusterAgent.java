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
import io.probelet.agent.cluster.restart.PodRemover;
import io.probelet.agent.cluster.restart.ReadinessBudget;
import io.probelet.agent.cluster.restart.RestartGates;
import io.probelet.agent.cluster.restart.RuntimeEvidence;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.LiveConfiguration;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.agent.incident.IncidentFile;
import io.probelet.agent.incident.IncidentPart;
import io.probelet.agent.incident.LiveSources;
import io.probelet.agent.node.NodeContext;
import io.probelet.agent.node.NodePart;
import io.probelet.agent.order.OrderStart;
import io.probelet.agent.run.Endpoints;
import io.probelet.agent.run.UserAgent;
import io.probelet.agent.statistics.SavedStatistics;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.kube.workload.CounterStore;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.WorkloadBudget;
import io.probelet.manifest.FolderWatch;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.hook.PreKillListener;
import io.probelet.probe.hook.PreKillStopper;
import io.probelet.probe.hook.PreStopStopper;
import io.probelet.probe.service.ProbeService;
import io.probelet.runtime.evidence.StallReader;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.events.RecentEvents;
import io.probelet.web.http.DetectorPorts;
import io.probelet.web.http.HealthResource;
import io.probelet.web.machine.StatisticsChoice;
import io.probelet.web.metrics.ApiServerMetrics;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import io.probelet.web.scrape.ScrapePart;
import io.probelet.web.statistics.StatisticsView.Owner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything of one {@code probelet agent}, from its start to its orderly end. */
public final class ClusterAgent implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterAgent.class);

  /** How long any answer but a watch's may take. */
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** A renewal that is lost must leave time for the next one within the lease's 60 s. */
  private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(10);

  /** The same where a restart waits for it. */
  private static final Duration COUNTER_TIMEOUT = Duration.ofSeconds(1);

  private final ProbeService service;
  private final Endpoints endpoints;
  private final Function<PodRules, PodFeed> pods;
  private volatile PodFeed feed;

  /** The started parts; they stop in reverse order, because later parts need earlier ones. */
  private final Deque<Runnable> ends = new ArrayDeque<>();

  /**
   * What an agent does besides probing.
   *
   * @param node watches the node
   * @param orders begins what it does on its node on request
   * @param leads begins what the agent does for the whole cluster while it leads; most lead nothing
   * @param detectorPorts where else its conditions are shown
   */
  public record Extras(
      Function<NodeContext, NodePart> node,
      OrderStart orders,
      Function<ControllerContext, List<Part>> leads,
      Optional<DetectorPorts> detectorPorts) {}

  /**
   * Opens the address and begins to follow the node's pods.
   *
   * @param configuration how to work; closed with the agent
   * @param ports what it works with; closed with the agent
   * @param extras what it does besides
   * @throws IOException if the address cannot be had; the message is for the user
   */
  public ClusterAgent(
      String node,
      String namespace,
      LiveConfiguration configuration,
      AgentPorts ports,
      Extras extras)
      throws IOException {
    ClusterAccess access = ports.access();
    NodeRuntime runtime = ports.runtime();
    RandomGenerator random = ports.random();
    TimeSource time = ports.time();
    ends.push(access::close);
    ApiServer api = ApiServer.of(access.client(), TIMEOUT, time.threads());
    KnownPods known = new KnownPods();
    Supplier<Removal> removal = () -> configuration.now().restarts().withoutRuntime();
    PodEvents events = new PodEvents(api, node, known, time, random);
    RecentEvents recent = new RecentEvents(time);
    RuntimeEvidence evidence = new RuntimeEvidence(runtime, time);
    Path state = configuration.now().node().stateFolder();
    CounterStore counters =
        CounterStore.of(ApiServer.of(access.client(), COUNTER_TIMEOUT, time.threads()), namespace);
    RestartGates gates =
        RestartGates.of(
            configuration::now,
            () -> !runtime.seesContainers(),
            new RestartEntries(counters, node, time),
            known,
            new KeptReports(events, recent),
            evidence,
            ports.proc(),
            time);
    ReadinessBudget budget =
        new ReadinessBudget(
            () -> configuration.now().restarts().readiness(),
            new RestartEntries(counters, node, time, WorkloadBudget.READINESS),
            known,
            events::readiness,
            time);
    StartedContainers started = new StartedContainers(state, time.threads());
    SavedStatistics statistics = new SavedStatistics(state, time.threads());
    HookRunner hooks = ports.network().hooks(HookLimits.SHARED_NODE);
    AtomicReference<PreKillListener> preKills = new AtomicReference<>(PreKillListener.NONE);
    UserAgent userAgent = new UserAgent();
    userAgent.use(configuration.now().userAgent());
    service =
        ProbeService.builder()
            .network(ports.network())
            .runtime(runtime)
            .stopper(
                runtime.stopper(
                    new PreKillStopper(
                        new PreStopStopper(runtime, hooks, time, events::preStopFailed),
                        runtime,
                        (decision, report) -> preKills.get().ended(decision, report),
                        time.threads()),
                    new PodRemover(api, removal, known)))
            .gate(gates.all())
            .startups(started)
            .statistics(statistics)
            .userAgent(userAgent)
            .random(random)
            .time(time)
            .start();
    ends.push(service::close);
    Runnable warmUp = ports.warmUp().apply(service);
    endpoints =
        Endpoints.open(
            service,
            ports.servers(),
            configuration.now().http().listen(),
            () -> configuration.now().http().hosts(),
            Optional.of(node),
            recent,
            time);
    ends.push(endpoints::close);
    endpoints.explains(gates.forecast(time));
    endpoints.warns((pod, container) ->
        Stream.concat(
                known.find(pod).stream().flatMap(each -> each.gate().warnings(container).stream()),
                budget.warnings(pod).stream())
            .toList());
    endpoints.showOwners(pod ->
        known
            .find(pod)
            .flatMap(each -> each.owner().workload())
            .map(owner -> new Owner(owner.kind().toString(), owner.name())));
    endpoints.metrics().runtime(runtime::stats);
    if (extras.detectorPorts().isPresent()) {
      endpoints.serve(extras.detectorPorts().get());
    }
    MeterRegistry metrics = endpoints.metrics().registry();
    gates.addTo(metrics);
    endpoints.showGuard(gates.node()::guardView);
    ApiServerMetrics.addTo(metrics, access.answers());
    ReadinessGate readiness = new ReadinessGate(api, known, budget, time, random);
    List.<ProbeListener>of(
            gates.throttled(),
            gates.node(),
            gates.workloads(),
            started,
            events,
            budget, // before the gate, which asks it
            readiness)
        .forEach(service.engine()::addListener);
    IncidentPart incidents =
        IncidentPart.open(
            new LiveSources(
                service.engine()::snapshot,
                evidence::read,
                () -> StallReader.ofNode(ports.proc()),
                endpoints::nodeSnapshot,
                known::workload,
                known::isDeleting),
            IncidentFile.in(state, time.threads()),
            () -> configuration.now().incidents().logLines(),
            metrics,
            (incident, cause) -> {
              events.cause(incident.ref(), incident.container(), cause);
              recent.cause(incident.ref(), incident.container(), cause);
            },
            time);
    endpoints.showIncidents(incidents.source());
    preKills.set(incidents.recorder());
    gates.kept().addListener(incidents.recorder());
    service.engine().addListener(incidents.recorder());
    NodePods nodePods =
        new NodePods(
            service.engine(),
            known,
            events::invalid,
            pod -> {
              gates.backOff().known(pod, time.nanoTime());
              readiness.known(pod);
            },
            pod -> {
              gates.backOff().gone(pod);
              events.removed(pod);
            },
            runtime.seesContainers());
    nodePods.whenListed(started::retain);
    pods =
        rules ->
            new PodFeed(api, node, rules, new DeferredPodListener(nodePods, warmUp), time, random);
    feed = pods.apply(configuration.now().podRules());
    runtime.watch(nodePods);
    ends.push(runtime::close);
    ends.push(budget::close); // after the gate: a budget that has ended would let every pod go
    readiness.start();
    ends.push(readiness::close);
    Heartbeat heartbeat =
        new Heartbeat(
            ApiServer.beside(api, access.client(), HEARTBEAT_TIMEOUT),
            namespace,
            node,
            time,
            random);
    NodePart ofNode =
        extras
            .node()
            .apply(new NodeContext(node, access.client(), api, known, metrics, time, random));
    heartbeat.whenBack(ofNode::publishAgain);
    endpoints.showNode(ofNode.node());
    ofNode.follow(gates.node().conditions());
    endpoints.showMaintenance(ofNode::maintenance);
    ControllerContext context =
        new ControllerContext(node, namespace, access.client(), metrics, time, random);
    List<Part> parts = new ArrayList<>(List.of(heartbeat, ofNode));
    parts.addAll(
        extras
            .orders()
            .start(
                api,
                context,
                ofNode.node(),
                outcomes -> service.engine().snapshot(HistoryQuery.outcomes(outcomes))));
    parts.addAll(extras.leads().apply(context));
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
      ends.push(part::close);
      endpoints.readyWhen(part.name(), HealthResource.of(part::problem, part::note));
      part.resources().forEach(endpoints::serve);
    }
    endpoints.started();
    LOG.info(
        "agent node={} api={} runtime={} listen={}",
        node,
        access.client().getMasterUrl(),
        runtime,
        "http://" + endpoints.address());
    events.start(metrics);
    ends.push(events::close);
    // What is decided after the last events were written would be reported nowhere.
    ends.push(service::stopProbing);
    ends.push(incidents::close); // before pods are removed because the agent ends
    statistics.start(service.engine());
    ends.push(statistics::close); // before it has no pods
    ends.push(started::close); // before pods are removed because the agent ends
    gates.workloads().start(metrics);
    ends.push(gates.workloads()::close);
    budget.start(metrics);
    ServerVersion version = new ServerVersion(api, userAgent::kubernetes, random, time.threads());
    ends.push(version::close);
    feed.start();
    ends.push(() -> feed.close());
    configuration.addTo(metrics);
    configuration.whenChanged(AgentConfiguration::userAgent, userAgent::use);
    configuration.whenChanged(AgentConfiguration::runtime, choice -> runtime.use(choice, nodePods));
    configuration.whenChanged(AgentConfiguration::podRules, this::readAnew);
    configuration.whenChanged(
        it -> it, _ -> recent.agent("ConfigurationReloaded", "the configuration was reloaded"));
    configuration.whenRefused(problem -> recent.agent("ConfigurationInvalid", problem));
    configuration.follow();
    ends.push(configuration::close);
    access.follow((files, changed) -> FolderWatch.follow("certificates", files, time, changed));
  }

  /** The pods stay known; only pods with changed probes are probed from the start. */
  private void readAnew(PodRules rules) {
    feed.close();
    feed = pods.apply(rules);
    feed.start();
  }

  /** Adds a listener for what is probed and decided from now on; called on the probes' loops. */
  public void addListener(ProbeListener listener) {
    service.engine().addListener(listener);
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

  /** Stops all parts; the node's containers keep running. */
  @Override
  public void close() {
    LOG.info("shutting down");
    ends.forEach(Runnable::run);
  }
}
