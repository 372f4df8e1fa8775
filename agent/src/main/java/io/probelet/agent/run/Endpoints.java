package io.probelet.agent.run;

import io.micrometer.core.instrument.Timer;
import io.probelet.agent.console.Console;
import io.probelet.agent.console.StallLog;
import io.probelet.agent.statistics.EngineUsage;
import io.probelet.health.TimeSource;
import io.probelet.kube.MaintenanceNote;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.service.ProbeNetwork.Queue;
import io.probelet.probe.service.ProbeService;
import io.probelet.web.api.GuardView;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.events.RecentEvents;
import io.probelet.web.explain.ExplainResource;
import io.probelet.web.explain.Explanations;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Containers.Warnings;
import io.probelet.web.http.ContainersResource;
import io.probelet.web.http.DetectorEndpoints;
import io.probelet.web.http.DetectorPorts;
import io.probelet.web.http.EventsResource;
import io.probelet.web.http.HealthResource;
import io.probelet.web.http.HealthResource.Check;
import io.probelet.web.http.HttpServer;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.NodeResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.WatchedNode;
import io.probelet.web.incident.IncidentSource;
import io.probelet.web.incident.Incidents;
import io.probelet.web.incident.IncidentsResource;
import io.probelet.web.metrics.AgentMetrics;
import io.probelet.web.metrics.AgentUsage;
import io.probelet.web.metrics.BuildInfo;
import io.probelet.web.metrics.ProcessMetrics;
import io.probelet.web.metrics.QueueMetrics;
import io.probelet.web.metrics.StatisticsMetrics;
import io.probelet.web.page.Asset;
import io.probelet.web.page.PageHeader;
import io.probelet.web.page.container.ContainerPage;
import io.probelet.web.page.node.NodePage;
import io.probelet.web.statistics.StatisticsResource;
import io.probelet.web.statistics.StatisticsView.Owner;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an agent shows of itself: over HTTP, and on the console. */
public final class Endpoints implements AutoCloseable {
  private static final String STARTED = "started";

  private final ProbeService service;
  private final HttpServers servers;
  private final AgentMetrics metrics;
  private final AgentUsage usage;
  private final RecentEvents events;
  private final HttpServer http;
  private final Supplier<? extends Collection<String>> hosts;
  private final WatchedNode watched;
  private final Map<String, Check> ready = Collections.synchronizedMap(new LinkedHashMap<>());

  private @Nullable DetectorEndpoints detector;

  private volatile Supplier<CompletableFuture<NodeSnapshot>> snapshot =
      () -> CompletableFuture.completedFuture(NodeSnapshot.NONE);

  private volatile RestartForecast forecast = RestartForecast.UNGUARDED;

  private volatile IncidentSource incidents = IncidentSource.NONE;
  private volatile Warnings warnings = Warnings.NONE;
  private volatile Function<PodRef, Optional<Owner>> owners = _ -> Optional.empty();

  private Endpoints(
      ProbeService service,
      HttpServers servers,
      ListenAddress address,
      Supplier<? extends Collection<String>> hosts,
      Optional<String> node,
      RecentEvents events,
      TimeSource time)
      throws IOException {
    this.service = service;
    this.servers = servers;
    this.events = events;
    this.hosts = hosts;
    StallLog stalls = new StallLog(time);
    service.engine().addListener(stalls);
    metrics = metricsOf(service, stalls, node, time);
    usage =
        new AgentUsage(
            metrics.registry(), BuildInfo.version(), service::unresponsive, stalls::past, time);
    watched = new WatchedNode(() -> snapshot.get(), usage::view, time);
    ready.put(STARTED, () -> Optional.of("the agent is still starting"));
    SequencedMap<String, Resource> resources = new LinkedHashMap<>();
    Containers containers =
        new Containers(
            service.engine()::snapshot,
            (pod, container) -> warnings.of(pod, container),
            time.threads());
    PageHeader header = new PageHeader(node, BuildInfo.version());
    NodePage page = new NodePage(containers, watched, header, time);
    resources.put("/", page);
    resources.put("/live", page.live());
    for (String asset : List.of("page.css", "page.js", "icon.svg")) {
      resources.put("/" + asset, Asset.of(asset));
    }
    resources.put("/livez", checks(Map.of()));
    resources.put("/readyz", query -> checks(copyOfReady()).get(query));
    resources.put("/metrics", metrics);
    resources.put("/api/v1/containers", new ContainersResource(containers));
    resources.put("/api/v1/events", new EventsResource(events));
    resources.put("/api/v1/node", new NodeResource(watched));
    Explanations explanations =
        new Explanations(containers, (container, kind) -> forecast.of(container, kind));
    resources.put("/api/v1/explain", new ExplainResource(explanations));
    resources.put(
        StatisticsResource.PATH,
        new StatisticsResource(
            containers, pod -> owners.apply(pod), new EngineUsage(service.engine())));
    Incidents explained = new Incidents((namespace, pod) -> incidents.of(namespace, pod));
    resources.put("/api/v1/incidents", new IncidentsResource(explained));
    ContainerPage ofContainer = new ContainerPage(explanations, explained, header, time);
    resources.put("/container", ofContainer);
    resources.put("/container-live", ofContainer.live());
    http = servers.open(address, resources, hosts);
  }

  private static AgentMetrics metricsOf(
      ProbeService service, StallLog stalls, Optional<String> node, TimeSource time) {
    AgentMetrics metrics = new AgentMetrics(node, time);
    metrics.build(BuildInfo.version());
    ProcessMetrics.addTo(metrics.registry());
    for (Queue queue : service.queues()) {
      if (queue.limit() > 0) {
        QueueMetrics.add(metrics.registry(), queue.name(), queue.length(), queue.limit());
      } else {
        QueueMetrics.add(metrics.registry(), queue.name(), queue.length());
      }
    }
    StatisticsMetrics.add(metrics.registry(), new EngineUsage(service.engine()));
    List<ProbeLoop> loops = service.loops();
    for (int i = 0; i < loops.size(); i++) {
      Timer lag = metrics.loopLag(i);
      Consumer<Duration> late = stalls.of(loops.get(i));
      service.engine().sampleLag(i, late.andThen(lag::record));
    }
    return metrics;
  }

  /**
   * Opens the server, which is not ready until {@link #started} has been called, and listens to the
   * engine.
   *
   * @param service what is shown; outlives this
   * @param servers opens the servers; closed with this, or by the caller if this cannot be opened
   * @param hosts names that are answered besides addresses and localhost; asked for each request
   * @param node name of the node, with which metrics are labelled; empty for no label
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static Endpoints open(
      ProbeService service,
      HttpServers servers,
      ListenAddress address,
      Supplier<? extends Collection<String>> hosts,
      Optional<String> node,
      TimeSource time)
      throws IOException {
    return open(service, servers, address, hosts, node, new RecentEvents(time), time);
  }

  /**
   * The same with events that others record, too.
   *
   * @param service what is shown; outlives this
   * @param servers opens the servers; closed with this, or by the caller if this cannot be opened
   * @param hosts names that are answered besides addresses and localhost; asked for each request
   * @param node name of the node, with which metrics are labelled; empty for no label
   * @param events what happened lately; listens to the engine from now on
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public static Endpoints open(
      ProbeService service,
      HttpServers servers,
      ListenAddress address,
      Supplier<? extends Collection<String>> hosts,
      Optional<String> node,
      RecentEvents events,
      TimeSource time)
      throws IOException {
    Endpoints endpoints = new Endpoints(service, servers, address, hosts, node, events, time);
    service.engine().addListener(endpoints.metrics);
    service.engine().addListener(events);
    service.engine().addListener(new Console(time));
    return endpoints;
  }

  /** {@return where it listens} */
  public ListenAddress address() {
    return http.address();
  }

  /** {@return what happened lately, to record more} */
  public RecentEvents events() {
    return events;
  }

  /** {@return where others add their metrics} */
  public AgentMetrics metrics() {
    return metrics;
  }

  /**
   * Shows the node this runs on.
   *
   * @param watched asked at each request and scrape
   */
  public void showNode(Supplier<CompletableFuture<NodeSnapshot>> watched) {
    snapshot = watched;
    metrics.node(watched);
  }

  /**
   * Shows the maintenance that the node is in.
   *
   * @param note asked at each request
   */
  public void showMaintenance(Supplier<Optional<MaintenanceNote>> note) {
    watched.showMaintenance(note);
  }

  /** {@return the node as it is now; empty without node monitoring} */
  public CompletableFuture<NodeSnapshot> nodeSnapshot() {
    return snapshot.get();
  }

  /**
   * Shows what happened to containers and why.
   *
   * @param source asked at each request
   */
  public void showIncidents(IncidentSource source) {
    incidents = source;
  }

  /**
   * Shows the mass-failure guard with the agent.
   *
   * @param guard asked at each request
   */
  public void showGuard(Supplier<GuardView> guard) {
    usage.show(guard);
  }

  /**
   * Shows which manifests are invalid.
   *
   * @param manifests asked at each request and scrape
   */
  void showManifests(InvalidManifests manifests) {
    usage.showManifests(manifests::view);
    watched.showEvents(manifests::events);
    readyWhen("manifests", manifests);
  }

  /**
   * Shows which monitor files are invalid, among what cannot be observed.
   *
   * @param files asked at each request
   */
  public void showMonitors(Supplier<List<Source>> files) {
    watched.showMonitors(files);
  }

  /**
   * Says what follows when a probe fails.
   *
   * @param restarts asked at each request
   */
  public void explains(RestartForecast restarts) {
    forecast = restarts;
  }

  /**
   * Shows what of a container's configuration has no effect.
   *
   * @param found asked at each request, for each container
   */
  public void warns(Warnings found) {
    warnings = found;
  }

  /**
   * Names the controllers of pods.
   *
   * @param known asked at each request
   */
  public void showOwners(Function<PodRef, Optional<Owner>> known) {
    owners = known;
  }

  /**
   * Answers where node-problem-detector would as well.
   *
   * @param ports where that is
   * @throws IOException if it cannot listen there; the message is for the user
   */
  public void serve(DetectorPorts ports) throws IOException {
    detector =
        new DetectorEndpoints(
            ports, servers, () -> snapshot.get(), checks(Map.of()), metrics::forDetector, hosts);
  }

  /** Answers on one more path. */
  public void serve(String path, Resource resource) {
    http.serve(path, resource);
  }

  /**
   * Makes being ready depend on something.
   *
   * @param check whether it holds
   */
  public void readyWhen(String name, Check check) {
    ready.put(name, check);
  }

  /** Says that everything has been started. */
  public void started() {
    ready.remove(STARTED);
  }

  private Map<String, Check> copyOfReady() {
    synchronized (ready) {
      return new LinkedHashMap<>(ready);
    }
  }

  private HealthResource checks(Map<String, Check> others) {
    SequencedMap<String, Check> all = new LinkedHashMap<>();
    all.put("event-loops", service::unresponsive);
    all.putAll(others);
    return new HealthResource(all);
  }

  /** Answers no more. */
  @Override
  public void close() {
    if (detector != null) {
      detector.close();
    }
    http.close();
    servers.close();
  }
}
