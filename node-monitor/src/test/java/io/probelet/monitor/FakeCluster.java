package io.probelet.monitor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.kube.ApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * An API server with nodes and leases that keeps what is written: strategic merge patches of
 * metadata and conditions, merge patches that name a version, and failures on demand.
 */
public final class FakeCluster implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** A change that came. */
  public record Write(String method, String path, String type, JsonNode body) {}

  private record Fault(int code, String retryAfter) {}

  private final HttpServer server;
  private final KubernetesClient client;
  private final Map<String, ObjectNode> nodes = new TreeMap<>();
  private final Map<String, ObjectNode> leases = new TreeMap<>();
  private final List<Write> writes = new CopyOnWriteArrayList<>();
  private final Deque<Fault> faults = new ConcurrentLinkedDeque<>();
  private volatile boolean away;
  private long version;

  public FakeCluster() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withRequestRetryBackoffLimit(0)
            .build();
    client = new KubernetesClientBuilder().withConfig(config).build();
  }

  public KubernetesClient client() {
    return client;
  }

  public ApiServer api() {
    return ApiServer.of(client, Duration.ofMinutes(1));
  }

  /** A node, with what the kubelet says about it. */
  public synchronized void node(String name) {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", name);
    node.putObject("spec").putArray("taints").addObject().put("key", "theirs").put("effect", "x");
    node.putObject("status")
        .putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", "True");
    nodes.put(name, touched(node));
  }

  public synchronized void lease(String name, String renewTime) {
    ObjectNode lease = JSON.createObjectNode();
    lease.putObject("metadata").put("name", name);
    lease
        .putObject("spec")
        .put("holderIdentity", name)
        .put("renewTime", renewTime)
        .put("leaseDurationSeconds", 60);
    leases.put(name, touched(lease));
  }

  public synchronized void delete(String node) {
    nodes.remove(node);
  }

  /** Answers the next request with a failure. */
  public void failNext(int code, String retryAfter) {
    faults.add(new Fault(code, retryAfter));
  }

  /** Takes requests and answers none, or does so again. */
  public void away(boolean gone) {
    away = gone;
  }

  public List<Write> writes() {
    return List.copyOf(writes);
  }

  public List<Write> writes(String pathEnd) {
    return writes.stream().filter(write -> write.path().endsWith(pathEnd)).toList();
  }

  /** The node as it is. */
  public synchronized JsonNode get(String node) {
    return nodes.get(node).deepCopy();
  }

  /** Somebody else changes a node. */
  public synchronized void edit(String node, String strategicPatch) throws IOException {
    merge(nodes.get(node), JSON.readTree(strategicPatch));
    touched(nodes.get(node));
  }

  /** A condition of a node; missing if there is none. */
  public JsonNode condition(String node, String type) {
    for (JsonNode condition : get(node).at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.missingNode();
  }

  public String annotation(String node, String name) {
    return get(node).path("metadata").path("annotations").path(name).asText();
  }

  private ObjectNode touched(ObjectNode object) {
    object.withObject("metadata").put("resourceVersion", Long.toString(++version));
    return object;
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (away) {
      exchange.close();
      return;
    }
    Fault fault = faults.poll();
    if (fault != null) {
      if (!fault.retryAfter().isEmpty()) {
        exchange.getResponseHeaders().add("Retry-After", fault.retryAfter());
      }
      refuse(exchange, fault.code());
      return;
    }
    String path = exchange.getRequestURI().getPath();
    if (exchange.getRequestMethod().equals("GET")) {
      read(exchange, path);
      return;
    }
    String type = exchange.getRequestHeaders().getFirst("Content-Type").split(";", -1)[0];
    JsonNode change = JSON.readTree(body);
    synchronized (this) {
      writes.add(new Write(exchange.getRequestMethod(), path, type, change));
      ObjectNode node = nodes.get(path.replace("/status", "").replaceFirst(".*/", ""));
      if (!exchange.getRequestMethod().equals("PATCH")) {
        send(exchange, 201, change);
      } else if (node == null) {
        refuse(exchange, 404);
      } else if (change.at("/metadata/resourceVersion").isTextual()
          && !change.at("/metadata/resourceVersion").equals(node.at("/metadata/resourceVersion"))) {
        refuse(exchange, 409);
      } else {
        merge(node, change);
        send(exchange, 200, touched(node));
      }
    }
  }

  private synchronized void read(HttpExchange exchange, String path) throws IOException {
    String query = String.valueOf(exchange.getRequestURI().getRawQuery());
    if (path.endsWith("/leases")) {
      ObjectNode list = JSON.createObjectNode();
      leases.values().forEach(list.putArray("items")::add);
      send(exchange, 200, list);
    } else if (path.endsWith("/nodes")) {
      send(exchange, 200, list(URLDecoder.decode(query, StandardCharsets.UTF_8)));
    } else {
      ObjectNode node = nodes.get(path.replace("/status", "").replaceFirst(".*/", ""));
      if (node == null) {
        refuse(exchange, 404);
      } else {
        send(exchange, 200, node);
      }
    }
  }

  private ObjectNode list(String query) {
    ObjectNode list = JSON.createObjectNode();
    ObjectNode metadata = list.putObject("metadata");
    ArrayNode items = list.putArray("items");
    if (query.startsWith("limit=1")) {
      nodes.values().stream().limit(1).forEach(items::add);
      if (nodes.size() > 1) {
        metadata.put("remainingItemCount", nodes.size() - 1).put("continue", "more");
      }
    } else {
      String label = query.replaceFirst(".*labelSelector=", "").replaceFirst("&.*", "");
      nodes.values().stream()
          .filter(node -> node.path("metadata").path("labels").has(label))
          .forEach(items::add);
    }
    return list;
  }

  /** Lists of conditions are merged by type, other lists replaced; null removes. */
  private static void merge(ObjectNode into, JsonNode change) {
    change
        .properties()
        .forEach(field -> {
          String name = field.getKey();
          JsonNode value = field.getValue();
          if (value.isNull()) {
            into.remove(name);
          } else if (name.equals("conditions")) {
            value.forEach(
                condition -> mergeCondition(into.withArray(name), (ObjectNode) condition));
          } else if (value.isObject()) {
            merge(into.withObject("/" + name.replace("~", "~0").replace("/", "~1")), value);
          } else {
            into.set(name, value);
          }
        });
  }

  private static void mergeCondition(ArrayNode conditions, ObjectNode change) {
    int at = 0;
    while (at < conditions.size() && !conditions.get(at).path("type").equals(change.path("type"))) {
      at++;
    }
    if (change.path("$patch").asText().equals("delete")) {
      if (at < conditions.size()) {
        conditions.remove(at);
      }
    } else if (at < conditions.size()) {
      ((ObjectNode) conditions.get(at)).setAll(change);
    } else {
      conditions.add(change.deepCopy());
    }
  }

  private static void refuse(HttpExchange exchange, int code) throws IOException {
    ObjectNode status = JSON.createObjectNode().put("kind", "Status").put("code", code);
    send(exchange, code, status.put("message", "no: " + code));
  }

  private static void send(HttpExchange exchange, int code, JsonNode body) throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(body);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    client.close();
    server.stop(0);
  }
}
