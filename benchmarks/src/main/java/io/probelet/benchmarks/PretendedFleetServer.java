package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * The made-up API server in place of a real one. It is part of the harness, so that its CPU time
 * and bytes are unknown, and it never rejects a request.
 */
final class PretendedFleetServer implements FleetServer {
  private final PretendedApi api;
  private final Path kubeconfig;
  private final List<Seen> seen = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean stopped;

  PretendedFleetServer(Path directory) throws IOException, GeneralSecurityException {
    TlsServer tls = TlsServer.valid(directory);
    api = PretendedApi.secure((_, _, _) -> {}, tls, List.of(new Traffic()));
    kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "%s", certificate-authority: "%s"}}]
            users: [{name: u, user: {token: made-up}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """
                .formatted(api.url(), tls.certificate()));
  }

  /** Records requests, and rejects them while the server is stopped. */
  private final class Traffic extends Filter {
    @Override
    public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
      long at = SystemClock.INSTANCE.wallMillis();
      if (stopped) {
        exchange.sendResponseHeaders(503, -1);
        exchange.close();
      } else {
        chain.doFilter(exchange);
        seen.add(seen(exchange, at));
      }
    }

    private static Seen seen(HttpExchange exchange, long at) {
      String path = exchange.getRequestURI().getPath();
      List<String> words = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
      words.subList(0, Math.min(words.size(), words.getFirst().equals("api") ? 2 : 3)).clear();
      if (words.size() > 2 && words.getFirst().equals("namespaces")) {
        words.subList(0, 2).clear();
      }
      String resource =
          words.isEmpty() ? path : words.getFirst() + (words.size() > 2 ? "/" + words.get(2) : "");
      String query = String.valueOf(exchange.getRequestURI().getQuery());
      String verb =
          switch (exchange.getRequestMethod()) {
            case "GET" ->
                query.contains("watch=true") ? "watch" : words.size() > 1 ? "get" : "list";
            case "POST" -> "create";
            default -> exchange.getRequestMethod().toLowerCase(Locale.ROOT);
          };
      return new Seen(at, verb, resource, exchange.getResponseCode());
    }

    @Override
    public String description() {
      return "records requests";
    }
  }

  /** Adds objects. */
  void fill(int nodes, int pods, int probedPort) throws IOException {
    for (int node = 0; node < nodes; node++) {
      api.put("nodes", FleetObjects.node(node), FleetObjects.nodeObject(node));
      for (int pod = 0; pod < pods; pod++) {
        api.put(
            "pods",
            FleetObjects.pod(node, pod),
            FleetObjects.podObject(node, pod, pod == 0 ? probedPort : 0));
      }
    }
  }

  @Override
  public String name() {
    return "made-up API server";
  }

  @Override
  public Path kubeconfig() {
    return kubeconfig;
  }

  @Override
  public List<Seen> seen() {
    return List.copyOf(seen);
  }

  @Override
  public int watches() {
    return api.watches();
  }

  @Override
  public double bytes() {
    return Double.NaN;
  }

  @Override
  public double cpuMillis() {
    return Double.NaN;
  }

  @Override
  public String memory() {
    return name() + " in the harness";
  }

  @Override
  public void change(String pod, int value) throws IOException {
    ObjectNode object = (ObjectNode) api.known("pods", pod);
    if (object != null) {
      object.withObject("/metadata/labels").put("changed", Integer.toString(value));
      api.put("pods", pod, object);
    }
  }

  @Override
  public void stop() {
    stopped = true;
    api.endWatches();
  }

  @Override
  public void start() {
    stopped = false;
  }

  @Override
  public void close() {
    api.close();
  }
}
