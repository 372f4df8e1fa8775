package io.probelet.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.manifest.FolderWatch;
import io.probelet.web.http.HealthResource;
import io.probelet.web.http.HealthResource.Check;
import io.probelet.web.http.HttpServer;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.metrics.ApiServerMetrics;
import io.probelet.web.metrics.PlainMetrics;
import io.probelet.web.metrics.ProcessMetrics;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import io.probelet.web.scrape.ScrapePart;
import io.probelet.web.scrape.ScrapeSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything of one {@code probelet controller}, from its start to its orderly end. */
public final class ClusterController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterController.class);

  private final ClusterAccess access;
  private final PlainMetrics metrics;
  private final HttpServer http;
  private final List<Part> parts = new ArrayList<>();
  private volatile boolean started;

  /**
   * Opens the address and becomes a candidate for leader.
   *
   * @param access reaches the API server; closed with the controller
   * @param ports everything else that it reaches
   * @throws IOException if the address cannot be had; the message is for the user
   */
  public ClusterController(
      String name,
      String version,
      String namespace,
      ListenAddress listen,
      ScrapeSettings scrapes,
      ClusterAccess access,
      ControllerSettings settings,
      ControllerPorts ports)
      throws IOException {
    this.access = access;
    metrics = new PlainMetrics(ports.time(), version);
    ProcessMetrics.addTo(metrics.registry());
    ApiServerMetrics.addTo(metrics.registry(), access.answers());
    http = open(listen, ports.http());
    parts.addAll(
        settings.start(
            new ControllerContext(
                name, namespace, access.client(), metrics.registry(), ports.time(), ports.random()),
            ports));
    ScrapePart.start(scrapes, metrics, access.client(), metrics.registry(), ports.time())
        .ifPresent(parts::add);
    for (Part part : parts) {
      part.resources().forEach(http::serve);
    }
    started = true;
    LOG.info(
        "controller name={} namespace={} parts={} api={} listen={}",
        name,
        namespace,
        settings.parts(),
        access.client().getMasterUrl(),
        "http://" + http.address());
    access.follow(
        (files, changed) -> FolderWatch.follow("certificates", files, ports.time(), changed));
  }

  private HttpServer open(ListenAddress listen, HttpServers opener) throws IOException {
    SequencedMap<String, Resource> resources = new LinkedHashMap<>();
    // That it answers says all: this is asked on the only loop that there is.
    resources.put(
        "/livez", new HealthResource(new LinkedHashMap<>(Map.of("ping", Optional::empty))));
    resources.put("/readyz", query -> new HealthResource(ready()).get(query));
    resources.put("/metrics", metrics);
    return opener.open(listen, resources, Set::of);
  }

  /** A standby is as ready as the leader, and so is one that waits for rights. */
  private SequencedMap<String, Check> ready() {
    SequencedMap<String, Check> checks = new LinkedHashMap<>();
    if (!started) {
      checks.put("started", () -> Optional.of("the controller is still starting"));
      return checks;
    }
    parts.forEach(part -> checks.put(part.name(), HealthResource.of(part::problem, part::note)));
    return checks;
  }

  /** {@return where it listens} */
  ListenAddress address() {
    return http.address();
  }

  /** {@return where others add their metrics} */
  public MeterRegistry metrics() {
    return metrics.registry();
  }

  /** Gives the leases back, so that another replica goes on at once, and ends everything. */
  @Override
  public void close() {
    LOG.info("shutting down");
    parts.reversed().forEach(Part::close);
    http.close();
    access.close();
  }
}
