package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.probelet.health.SystemClock;
import io.probelet.kube.WireTime;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The part of an API server that the leader uses: paged lists, watches, and writes that are stored
 * and sent to the watches. It does not validate anything.
 */
final class PretendedApi implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The owner of all fields of applied objects. */
  private static final String SERVER_SIDE_APPLY = "application/apply-patch";

  private static final String NODES = "nodes";

  /** An optional kind. */
  static final String POLICIES = "remediationpolicies";

  private static final String OF_NODE = "spec.nodeName=";

  private static final int PACKED_FROM = 128 * 1024;

  private final HttpServer server;
  private final LongAdder requests = new LongAdder();
  private final AtomicLong version = new AtomicLong(1);
  private final Map<String, NavigableMap<String, Kept>> collections = new ConcurrentHashMap<>();
  private final Map<String, List<Watcher>> watchers = new ConcurrentHashMap<>();
  private final Set<String> unwatched = ConcurrentHashMap.newKeySet();
  private final Created created;
  private final List<String> trust;

  /**
   * An object in its encoded form, encoded once in advance. Encoding 15,000 nodes for each list,
   * and collecting the garbage of as many trees, would take longer than the leader's start. Nodes
   * are also stored as protobuf, which a real API server sends to clients that accept it.
   */
  private static final class Kept {
    private final byte[] text;
    private final byte[] message;

    /** The node of a pod; empty for other kinds. */
    private final String node;

    Kept(String collection, JsonNode object) {
      this.node = object.at("/spec/nodeName").asText();
      this.text = utf8(object.toString());
      this.message = collection.equals(NODES) ? NodeMessage.of(object) : new byte[0];
    }

    /** {@return a copy of the current object} */
    JsonNode object() throws IOException {
      return JSON.readTree(text);
    }
  }

  /**
   * A watch on a collection.
   *
   * @param node only pods of this node; empty for all objects
   */
  private record Watcher(HttpExchange exchange, boolean protobuf, String node) {
    /** Sends an event; returns false if the client is gone. */
    synchronized boolean send(byte[] event) {
      try {
        exchange.getResponseBody().write(event);
        exchange.getResponseBody().flush();
        return true;
      } catch (IOException gone) {
        return false;
      }
    }
  }

  /** Notified before an object is created. */
  @FunctionalInterface
  interface Created {
    /**
     * An object is about to be created.
     *
     * @param collection such as events; for subresources such as pods/eviction
     */
    void object(String collection, String name, JsonNode object);
  }

  /** Opens it, without TLS. */
  PretendedApi(Created created) throws IOException {
    this(created, HttpServer.create(loopback(), 0), List.of(), List.of());
  }

  private PretendedApi(
      Created created, HttpServer server, List<String> trust, List<Filter> filters) {
    this.created = created;
    this.server = server;
    this.trust = trust;
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::handle).getFilters().addAll(filters);
    server.createContext("/healthz", PretendedApi::healthy);
    server.start();
  }

  /** Opens it with TLS, like a real one. */
  static PretendedApi secure(Created created, TlsServer tls)
      throws IOException, GeneralSecurityException {
    return secure(created, tls, List.of());
  }

  /** The same, with filters through which all requests go. */
  static PretendedApi secure(Created created, TlsServer tls, List<Filter> filters)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(tls.keys().getKeyManagers(), null, null);
    HttpsServer server = HttpsServer.create(loopback(), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            SSLParameters asInGo = context.getDefaultSSLParameters();
            asInGo.setUseCipherSuitesOrder(false); // the client chooses
            parameters.setSSLParameters(asInGo);
          }
        });
    return new PretendedApi(
        created, server, List.of("KUBERNETES_CERTS_CA_FILE=" + tls.certificate()), filters);
  }

  private static InetSocketAddress loopback() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /** {@return a command prefix that sets its address like a pod's environment} */
  List<String> asInPod(Path home) {
    List<String> command = new ArrayList<>(List.of("env", "-u", "KUBECONFIG", "HOME=" + home));
    command.addAll(trust);
    command.add("KUBERNETES_MASTER=" + url());
    command.add("KUBERNETES_AUTH_TOKEN=made-up");
    return command;
  }

  String url() {
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Denies watches on these collections from now on. */
  void refuseWatches(Collection<String> ofCollections) {
    unwatched.addAll(ofCollections);
  }

  /** {@return the number of open watches; one whose client is gone counts until the next event} */
  int watches() {
    return watchers.values().stream().mapToInt(List::size).sum();
  }

  /** Ends all watches. */
  void endWatches() {
    for (List<Watcher> ofCollection : watchers.values()) {
      List<Watcher> ended = List.copyOf(ofCollection);
      ofCollection.removeAll(ended);
      ended.forEach(watcher -> watcher.exchange.close());
    }
  }

  /** {@return the number of requests so far} */
  long requests() {
    return requests.sum();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  /**
   * Adds or replaces an object, and notifies the watches of its collection; returns the current
   * object.
   */
  JsonNode put(String collection, String name, ObjectNode object) throws IOException {
    ObjectNode metadata = object.withObject("/metadata");
    JsonNode known = known(collection, name);
    metadata.put("name", name).put("resourceVersion", Long.toString(version.incrementAndGet()));
    if (known == null) {
      metadata
          .put("uid", uid(collection + name + version.get()))
          .put("creationTimestamp", WireTime.seconds(SystemClock.INSTANCE.wallTime()));
    } else {
      metadata.set("uid", known.at("/metadata/uid"));
      metadata.set("creationTimestamp", known.at("/metadata/creationTimestamp"));
    }
    Kept kept = new Kept(collection, object);
    objects(collection).put(name, kept);
    send(collection, known == null ? "ADDED" : "MODIFIED", kept);
    return object;
  }

  private static String uid(String of) {
    return UUID.nameUUIDFromBytes(utf8(of)).toString();
  }

  /** Deletes an object, if it exists, and notifies the watches of its collection. */
  void remove(String collection, String name) throws IOException {
    Kept known = objects(collection).remove(name);
    if (known != null) {
      send(collection, "DELETED", known);
    }
  }

  private void send(String collection, String what, Kept object) throws IOException {
    for (Watcher watcher : watching(collection)) {
      if (!watcher.node.isEmpty() && !watcher.node.equals(object.node)) {
        continue;
      }
      byte[] event =
          watcher.protobuf ? NodeMessage.event(what, object.message) : line(what, object.text);
      if (!watcher.send(event)) {
        watching(collection).remove(watcher);
      }
    }
  }

  private static byte[] line(String what, byte[] text) {
    ByteArrayOutputStream event = new ByteArrayOutputStream();
    event.writeBytes(utf8("{\"type\":\"" + what + "\",\"object\":"));
    event.writeBytes(text);
    event.writeBytes(utf8("}\n"));
    return event.toByteArray();
  }

  private NavigableMap<String, Kept> objects(String collection) {
    return collections.computeIfAbsent(collection, _ -> new ConcurrentSkipListMap<>());
  }

  /** {@return the current object; null if it does not exist} */
  @Nullable JsonNode known(String collection, String name) throws IOException {
    Kept kept = objects(collection).get(name);
    return kept == null ? null : kept.object();
  }

  private List<Watcher> watching(String collection) {
    return watchers.computeIfAbsent(collection, _ -> new CopyOnWriteArrayList<>());
  }

  /** The last word of a collection's path; namespaces do not matter here. */
  private void handle(HttpExchange exchange) throws IOException {
    requests.increment();
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/version")) {
      answer(exchange, 200, JSON.createObjectNode().put("gitVersion", "v1.36.0"));
      return;
    }
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    List<String> words = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
    boolean core = words.getFirst().equals("api");
    int root = core ? 2 : 3;
    if (words.size() == root) {
      answer(exchange, 200, discovery());
      return;
    }
    int at = words.get(root).equals("namespaces") && words.size() > root + 2 ? root + 2 : root;
    String collection = words.get(at);
    if (query.contains("watch=true") && unwatched.contains(collection)) {
      answer(exchange, 403, JSON.createObjectNode().put("kind", "Status").put("code", 403));
    } else if (query.contains("watch=true")) {
      watch(exchange, collection);
    } else if (words.size() == at + 1) {
      many(exchange, collection, query);
    } else if (words.size() == at + 3 && exchange.getRequestMethod().equals("POST")) {
      JsonNode sent = body(exchange);
      created.object(collection + "/" + words.getLast(), words.get(at + 1), sent);
      answer(exchange, 201, sent);
    } else {
      one(exchange, collection, words.get(at + 1));
    }
  }

  private void many(HttpExchange exchange, String collection, String query) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      list(exchange, collection, query);
      return;
    }
    ObjectNode object = (ObjectNode) body(exchange);
    String name = object.at("/metadata/name").asText();
    created.object(collection, name, object);
    if (collection.equals("events")) {
      answer(exchange, 201, object);
    } else if (objects(collection).containsKey(name)) {
      answer(exchange, 409, object);
    } else {
      answer(exchange, 201, put(collection, name, object));
    }
  }

  private void one(HttpExchange exchange, String collection, String name) throws IOException {
    JsonNode known = known(collection, name);
    String type = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type"));
    if (type.startsWith(SERVER_SIDE_APPLY)
        && known != null
        && exchange.getRequestURI().getPath().endsWith("/status")) {
      ObjectNode changed = (ObjectNode) known;
      changed.set("status", body(exchange).path("status"));
      answer(exchange, 200, put(collection, name, changed));
      return;
    }
    if (type.startsWith(SERVER_SIDE_APPLY)) {
      answer(exchange, 200, put(collection, name, (ObjectNode) body(exchange)));
      return;
    }
    if (known == null) {
      answer(exchange, 404, JSON.createObjectNode());
      return;
    }
    switch (exchange.getRequestMethod()) {
      case "PUT" -> answer(exchange, 200, put(collection, name, (ObjectNode) body(exchange)));
      case "PATCH" -> {
        ObjectNode changed = (ObjectNode) known;
        JsonNode patch = body(exchange);
        if (patch.isObject()) {
          JSON.readerForUpdating(changed).readValue(patch);
        }
        for (JsonNode step : patch) {
          if (step.path("path").asText().equals("/status")) {
            changed.set("status", step.get("value"));
          }
        }
        answer(exchange, 200, put(collection, name, changed));
      }
      case "DELETE" -> {
        remove(collection, name);
        answer(exchange, 200, JSON.createObjectNode().put("kind", "Status"));
      }
      default -> answer(exchange, 200, known);
    }
  }

  private void list(HttpExchange exchange, String collection, String query) throws IOException {
    String from = parameter(query, "continue");
    String label = parameter(query, "labelSelector");
    String node = node(query);
    int limit =
        parameter(query, "limit").isEmpty() ? 500 : Integer.parseInt(parameter(query, "limit"));
    // registered before the list, so that no event is missed
    String asOf = Long.toString(version.get());
    List<Kept> items = new ArrayList<>();
    String last = "";
    for (Map.Entry<String, Kept> entry : objects(collection).tailMap(from, false).entrySet()) {
      if (items.size() == limit) {
        break;
      }
      if (!node.isEmpty() && !entry.getValue().node.equals(node)) {
        continue;
      }
      if (!label.isEmpty() && !entry.getValue().object().at("/metadata/labels").has(label)) {
        continue;
      }
      items.add(entry.getValue());
      last = entry.getKey();
    }
    String next = items.size() < limit ? "" : last;
    answer(
        exchange,
        200,
        packed(
            exchange,
            takesProtobuf(exchange, collection)
                ? NodeMessage.list(asOf, next, items.stream().map(kept -> kept.message).toList())
                : list(asOf, next, items)));
  }

  private static boolean takesProtobuf(HttpExchange exchange, String collection) {
    return collection.equals(NODES)
        && String.valueOf(exchange.getRequestHeaders().getFirst("Accept"))
            .contains(ProtobufEnvelope.MEDIA_TYPE);
  }

  private static byte[] list(String version, String next, List<Kept> items) {
    ObjectNode metadata = JSON.createObjectNode();
    metadata.put("resourceVersion", version).put("continue", next);
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    list.writeBytes(
        utf8("{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":" + metadata + ",\"items\":["));
    String separator = "";
    for (Kept item : items) {
      list.writeBytes(utf8(separator));
      list.writeBytes(item.text);
      separator = ",";
    }
    list.writeBytes(utf8("]}"));
    return list.toByteArray();
  }

  /**
   * Compresses large responses for clients that accept it, fast rather than well, like a real one.
   */
  private static byte[] packed(HttpExchange exchange, byte[] list) throws IOException {
    String accepted = String.valueOf(exchange.getRequestHeaders().getFirst("Accept-Encoding"));
    if (list.length <= PACKED_FROM || !accepted.contains("gzip")) {
      return list;
    }
    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out =
        new GZIPOutputStream(packed) {
          {
            def.setLevel(Deflater.BEST_SPEED);
          }
        }) {
      out.write(list);
    }
    return packed.toByteArray();
  }

  /** {@return the node in a field selector of pods; empty without one} */
  private static String node(String query) {
    String field = parameter(query, "fieldSelector");
    return field.startsWith(OF_NODE) ? field.substring(OF_NODE.length()) : "";
  }

  private static String parameter(String query, String name) {
    for (String pair : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return pair.substring(name.length() + 1);
      }
    }
    return "";
  }

  /** Declines web sockets; clients then use a plain stream. */
  private void watch(HttpExchange exchange, String collection) throws IOException {
    // Java's client offers an upgrade to HTTP/2 with every request; that is not a web socket.
    if ("websocket".equalsIgnoreCase(exchange.getRequestHeaders().getFirst("Upgrade"))) {
      answer(exchange, 200, JSON.createObjectNode());
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    // Without chunks: this server would split them at 4 KiB, while a real one sends an event in
    // one.
    exchange.sendResponseHeaders(200, Long.MAX_VALUE);
    exchange.getResponseBody().flush();
    String query = String.valueOf(exchange.getRequestURI().getQuery());
    watching(collection)
        .add(new Watcher(exchange, takesProtobuf(exchange, collection), node(query)));
  }

  private static void healthy(HttpExchange exchange) throws IOException {
    byte[] ok = "ok".getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, ok.length);
    exchange.getResponseBody().write(ok);
    exchange.close();
  }

  private static JsonNode body(HttpExchange exchange) throws IOException {
    return JSON.readTree(exchange.getRequestBody().readAllBytes());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int code, JsonNode body) throws IOException {
    answer(exchange, code, utf8(body.toString()));
  }

  private static void answer(HttpExchange exchange, int code, byte[] bytes) throws IOException {
    exchange.getRequestBody().readAllBytes();
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private ObjectNode discovery() {
    ObjectNode list = JSON.createObjectNode().put("kind", "APIResourceList");
    ArrayNode resources = list.putArray("resources");
    for (String kind : List.of("BenchRemediation", "BenchRemediationTemplate")) {
      resources
          .addObject()
          .put("name", kind.toLowerCase(java.util.Locale.ROOT) + "s")
          .put("kind", kind)
          .put("namespaced", true);
    }
    if (!objects(POLICIES).isEmpty()) {
      resources.addObject().put("name", POLICIES).put("kind", "RemediationPolicy");
    }
    return list;
  }
}
