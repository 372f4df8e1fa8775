package io.probelet.web.http;

import io.probelet.monitor.node.NodeSnapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The servers that users of node-problem-detector expect, beside the agent's own. */
public final class DetectorEndpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DetectorEndpoints.class);

  private final List<HttpServer> opened = new ArrayList<>();

  /**
   * Opens both servers.
   *
   * @param servers opens them
   * @param node asked at each request
   * @param health whether the agent is alive
   * @param metrics all there are
   * @param hosts names that are answered besides addresses and localhost; asked for each request
   * @throws IOException if one cannot listen; the message is for the user
   */
  public DetectorEndpoints(
      DetectorPorts ports,
      HttpServers servers,
      Supplier<CompletableFuture<NodeSnapshot>> node,
      Resource health,
      Resource metrics,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    SequencedMap<String, Resource> first = new LinkedHashMap<>();
    first.put("/conditions", new ConditionsResource(node));
    first.put("/healthz", health);
    SequencedMap<String, Resource> second = new LinkedHashMap<>();
    second.put("/metrics", metrics);
    try {
      open(ports.status(), servers, first, hosts);
      open(ports.metrics(), servers, second, hosts);
    } catch (IOException taken) {
      close();
      throw taken;
    }
    LOG.info(
        "npd-compat conditions={} metrics={}",
        shown(ports.status(), "/conditions"),
        shown(ports.metrics(), "/metrics"));
  }

  private void open(
      Optional<ListenAddress> where,
      HttpServers servers,
      SequencedMap<String, Resource> resources,
      Supplier<? extends Collection<String>> hosts)
      throws IOException {
    if (where.isPresent()) {
      opened.add(servers.open(where.get(), resources, hosts));
    }
  }

  private static String shown(Optional<ListenAddress> where, String path) {
    return where.map(address -> "http://" + address + path).orElse("none");
  }

  @Override
  public void close() {
    opened.forEach(HttpServer::close);
  }
}
