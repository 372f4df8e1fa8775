package io.probelet.agent.run;

import io.probelet.agent.http.ContainersResource;
import io.probelet.agent.http.HealthChecks;
import io.probelet.agent.http.HealthChecks.Check;
import io.probelet.agent.http.HttpEndpoint;
import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.http.Resource;
import io.probelet.agent.http.StatusPage;
import io.probelet.agent.metrics.AgentMetrics;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

/** What an agent answers over HTTP. */
final class Endpoints {
  private final ProbeService service;
  private final AgentMetrics metrics;
  private final Map<String, Check> ready = new ConcurrentHashMap<>();

  Endpoints(ProbeService service, AgentMetrics metrics) {
    this.service = service;
    this.metrics = metrics;
    ready.put("started", () -> Optional.of("the agent is still starting"));
  }

  /** Opens the server; it is not ready until {@link #readyWhen} has been called. */
  HttpEndpoint open(ListenAddress address) throws IOException {
    SequencedMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put("/", new StatusPage(service.engine()::snapshot));
    resources.put("/livez", checks(Map.of()));
    resources.put("/readyz", query -> checks(ready).get(query));
    resources.put("/metrics", metrics);
    resources.put("/api/v1/containers", new ContainersResource(service.engine()::snapshot));
    return new HttpEndpoint(address, service.eventLoop(), resources);
  }

  /** Says on what being ready depends, now that everything has been started. */
  void readyWhen(String name, Check check) {
    ready.put(name, check);
    ready.remove("started");
  }

  private HealthChecks checks(Map<String, Check> others) {
    SequencedMap<String, Check> all = new LinkedHashMap<>();
    all.put("event-loops", service::unresponsive);
    all.putAll(others);
    return new HealthChecks(all);
  }
}
