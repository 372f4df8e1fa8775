package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;

/**
 * An API server whose collections are made while they are sent, so that they may be far larger than
 * any memory. Each watch stays open and tells nothing.
 */
final class LargeCluster implements AutoCloseable {
  static final String NODES = "/api/v1/nodes";
  static final String EVENTS = "/api/v1/namespaces/default/events";
  static final String CHECKS = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks";
  static final String POLICIES = "/apis/probelet.io/v1alpha1/remediationpolicies";
  static final String CLUSTER_HEALTH = "/apis/probelet.io/v1alpha1/clusterhealths";
  static final String DRAINS = "/apis/probelet.io/v1alpha1/drainremediations";
  static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/medik8s-leases/leases";

  private final HttpServer server;
  private final Map<String, Collection> collections = new HashMap<>();

  private record Collection(int count, IntFunction<String> object) {}

  LargeCluster() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    for (String each : List.of(NODES, EVENTS, CHECKS, POLICIES, CLUSTER_HEALTH, DRAINS, LEASES)) {
      put(each, 0, _ -> "");
    }
  }

  /** Sets how many objects a collection has, and what makes the JSON of one. */
  LargeCluster put(String collection, int count, IntFunction<String> object) {
    collections.put(collection, new Collection(count, object));
    return this;
  }

  LargeCluster start() {
    server.start();
    return this;
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** A node that is Ready. */
  static String node(int number) {
    JsonNode node =
        FleetFixture.yaml(FleetFixture.nodeYaml("n" + number, "True", Duration.ofDays(1)));
    return node.toString();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    Collection collection = collections.get(path);
    if (collection == null) {
      discover(exchange, path);
      return;
    }
    exchange.sendResponseHeaders(200, 0);
    if (query.contains("watch=true")) {
      exchange.getResponseBody().flush();
      return; // it is open until the server ends
    }
    int from = number(query, "continue", 0);
    int to = Math.min(collection.count(), from + number(query, "limit", collection.count()));
    try (exchange;
        OutputStream body = new BufferedOutputStream(exchange.getResponseBody())) {
      write(
          body,
          "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"7\",\"continue\":\"%s\"},\"items\":["
              .formatted(to == collection.count() ? "" : to));
      for (int i = from; i < to; i++) {
        write(body, (i == from ? "" : ",") + collection.object().apply(i));
      }
      write(body, "]}");
    }
  }

  private static void discover(HttpExchange exchange, String path) throws IOException {
    boolean ours = path.equals("/apis/probelet.io/v1alpha1");
    String body =
        ours
            ? "{\"resources\":[{\"kind\":\"DrainRemediation\",\"name\":\"drainremediations\"}]}"
            : "{\"kind\":\"Status\",\"code\":404,\"message\":\"none\"}";
    exchange.sendResponseHeaders(ours ? 200 : 404, 0);
    try (exchange;
        OutputStream out = exchange.getResponseBody()) {
      write(out, body);
    }
  }

  private static int number(String query, String name, int otherwise) {
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return Integer.parseInt(pair.substring(name.length() + 1));
      }
    }
    return otherwise;
  }

  private static void write(OutputStream body, String text) throws IOException {
    body.write(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
