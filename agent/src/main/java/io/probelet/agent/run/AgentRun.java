package io.probelet.agent.run;

import io.probelet.agent.cluster.restart.EvidenceReader;
import io.probelet.agent.cluster.restart.SuppressedRestarts;
import io.probelet.agent.incident.IncidentFile;
import io.probelet.agent.incident.IncidentPart;
import io.probelet.agent.incident.IncidentRecorder;
import io.probelet.agent.incident.LiveSources;
import io.probelet.agent.server.ProbeServer;
import io.probelet.agent.statistics.SavedStatistics;
import io.probelet.health.TimeSource;
import io.probelet.manifest.ManifestChange;
import io.probelet.manifest.ManifestFolder;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.service.ProbeService;
import io.probelet.runtime.evidence.StallReader;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.events.RecentEvents;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.http.DetectorPorts;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.metrics.AgentMetrics;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything of one {@code probelet run}, from its start to its orderly end. */
public final class AgentRun implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AgentRun.class);

  private final ManifestFolder manifests;
  private final ProbeService service;
  private final RunningPods pods;
  private final Endpoints endpoints;
  private final InvalidManifests invalid;
  private final IncidentPart recording;
  private int wanted;
  private volatile @Nullable SavedStatistics statistics;
  private @Nullable ProbeServer server;

  /**
   * What is recorded of incidents.
   *
   * @param evidence reads what the kernel says
   * @param kept restarts that are suppressed or on hold
   * @param file where incidents are kept
   * @param logLines how many of a log's last lines a record may hold
   */
  public record Incidents(
      EvidenceReader evidence, SuppressedRestarts kept, IncidentFile file, int logLines) {}

  /**
   * Opens the address, starts the pods of the manifests and keeps up with their changes.
   *
   * @param service probes them; closed with the run
   * @param events what happened lately, which others record, too
   * @param incidents what is recorded of incidents
   * @param podsOf makes the pods around the engine; not called when the address cannot be had
   * @throws IOException if the address cannot be had; the message is for the user
   */
  public AgentRun(
      ManifestFolder manifests,
      ProbeService service,
      ListenAddress listen,
      RecentEvents events,
      Incidents incidents,
      TimeSource time,
      Function<ProbeEngine, RunningPods> podsOf)
      throws IOException {
    this.manifests = manifests;
    this.service = service;
    WarmUp warmUp = WarmUp.start(service, time);
    HttpServers servers = HttpServers.start(time);
    try {
      endpoints = Endpoints.open(service, servers, listen, Set::of, Optional.empty(), events, time);
    } catch (IOException taken) {
      servers.close();
      throw taken;
    }
    pods = podsOf.apply(service.engine());
    recording =
        IncidentPart.open(
            new LiveSources(
                service.engine()::snapshot,
                incidents.evidence()::read,
                () -> StallReader.ofNode(Path.of("/proc")),
                endpoints::nodeSnapshot,
                pod -> "Pod/" + pod.name(),
                pods::isEnding),
            incidents.file(),
            incidents::logLines,
            endpoints.metrics().registry(),
            (incident, cause) -> events.cause(incident.ref(), incident.container(), cause),
            time);
    endpoints.showIncidents(recording.source());
    incidents.kept().addListener(recording.recorder());
    service.engine().addListener(recording.recorder());
    invalid = new InvalidManifests(endpoints.metrics().registry(), time);
    wanted = manifests.first().pods().size();
    invalid.update(manifests.invalidAtFirst(), wanted);
    endpoints.showManifests(invalid);
    endpoints.readyWhen("runtime", pods::problem);
    endpoints.started();
    LOG.info(
        "running pods={} listen={}",
        manifests.first().pods().size(),
        "http://" + endpoints.address());
    warmUp.await();
    pods.add(manifests.first().pods());
    manifests.watch(this::changed);
  }

  /**
   * Keeps the statistics of probes over a restart.
   *
   * @param saved also what the service remembers; closed with the run, before its pods are gone
   */
  public void keep(SavedStatistics saved) {
    saved.start(service.engine());
    statistics = saved;
  }

  /**
   * Shows how much a probe server serves.
   *
   * @param probeServer of the same engine; closed with the run
   */
  public void serves(ProbeServer probeServer) {
    server = probeServer;
    probeServer.addTo(endpoints.metrics().registry());
  }

  /** {@return what records incidents} */
  public IncidentRecorder incidents() {
    return recording.recorder();
  }

  /** {@return where others add their metrics} */
  public AgentMetrics metrics() {
    return endpoints.metrics();
  }

  /** Says what follows when a probe fails. */
  public void explains(RestartForecast restarts) {
    endpoints.explains(restarts);
  }

  /** Shows the node this runs on. */
  public void showNode(Supplier<CompletableFuture<NodeSnapshot>> node) {
    endpoints.showNode(node);
  }

  /** Shows which monitor files are invalid. */
  public void showMonitors(Supplier<List<Source>> files) {
    endpoints.showMonitors(files);
  }

  /** Answers where node-problem-detector would as well. */
  public void serve(DetectorPorts ports) throws IOException {
    endpoints.serve(ports);
  }

  private void changed(ManifestChange change) {
    change.newProblems().forEach(problem -> LOG.warn("manifest problem reason=\"{}\"", problem));
    int changed = change.added().size() + change.replaced().size() + change.removed().size();
    if (changed > 0) {
      endpoints
          .events()
          .agent(
              "ManifestsChanged",
              "%d pods added, %d replaced, %d removed"
                  .formatted(
                      change.added().size(), change.replaced().size(), change.removed().size()));
    }
    wanted += change.added().size() - change.removed().size();
    invalid.update(change.invalid(), wanted);
    pods.change(change);
  }

  /** Lets go of the pods, and logs it for as long as that takes. */
  @Override
  public void close() {
    LOG.info("shutting down");
    if (server != null) {
      server.close();
    }
    manifests.close();
    recording.close(); // before pods are removed because the run ends
    SavedStatistics saved = statistics;
    if (saved != null) {
      saved.close();
    }
    pods.close();
    endpoints.close();
    service.close();
  }
}
