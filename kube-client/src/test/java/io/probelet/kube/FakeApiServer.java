package io.probelet.kube;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An API server for pods: lists in pages, watches as a stream of lines with bookmarks, forgets old
 * versions, and fails on demand in the ways a mock of whole answers cannot: in mid-stream.
 */
public final class FakeApiServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PIECES = 10;

  /** A request as it came. */
  public record Request(String method, String path, Map<String, String> query, String body) {}

  /** What one request is answered with instead. */
  private record Fault(int code, String message, String retryAfter) {}

  /** Which writes are refused from now on; none if there is no ending. */
  private record Refusal(@Nullable String ending, Fault fault) {}

  private record Watch(OutputStream out, CountDownLatch ended) {}

  /** Which requests are not answered, and until when. */
  private record Hang(String text, CountDownLatch over) {}

  private final HttpServer server;
  private final Map<String, ObjectNode> pods = new LinkedHashMap<>();
  private final Map<String, ObjectNode> events = new LinkedHashMap<>();
  private final List<Watch> watches = new CopyOnWriteArrayList<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final Deque<Fault> faults = new ConcurrentLinkedDeque<>();
  private final Deque<Fault> writeFaults = new ConcurrentLinkedDeque<>();
  private volatile Refusal refusal = new Refusal(null, new Fault(0, "", ""));
  private volatile boolean brief;
  private volatile String token = "";
  private final AtomicInteger hanging = new AtomicInteger();
  private volatile Hang hang = new Hang("", new CountDownLatch(0));
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Duration listTime = Duration.ZERO;
  private long version = 100;
  private long oldest;

  public FakeApiServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    // Asked now and then by whoever pleases: no part of what tests count or let fail.
    server.createContext(
        "/version", exchange -> send(exchange, 200, "{\"major\": \"1\", \"minor\": \"35+\"}"));
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** How {@code probelet agent} gets here. */
  public String kubeconfig() {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "%s"}}]
    users: [{name: u, user: {token: t}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(url());
  }

  /** A client that decides nothing by itself, as the agent's. */
  public KubernetesClient client() {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(url())
            .withRequestRetryBackoffLimit(0)
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Creates or changes a pod. */
  public synchronized void put(String podJson) throws IOException {
    ObjectNode pod = (ObjectNode) JSON.readTree(podJson);
    String key = key(pod);
    pod.withObject("metadata").put("resourceVersion", Long.toString(++version));
    boolean known = pods.put(key, pod) != null;
    tell(known ? "MODIFIED" : "ADDED", pod);
  }

  public synchronized void delete(String namespace, String name) {
    ObjectNode pod = pods.remove(namespace + "/" + name);
    pod.withObject("metadata").put("resourceVersion", Long.toString(++version));
    tell("DELETED", pod);
  }

  /** Says that versions up to now have been seen, though nothing of interest happened. */
  public synchronized void bookmark() {
    ObjectNode bookmark = JSON.createObjectNode();
    bookmark.withObject("metadata").put("resourceVersion", Long.toString(version += 10));
    tell("BOOKMARK", bookmark);
  }

  /** Forgets everything before now: a watch from there is refused. */
  public synchronized void compact() {
    oldest = ++version;
  }

  /** Breaks all watches off in mid-line; none of them is open any more when this returns. */
  public synchronized void cut() {
    watches.forEach(watch -> {
      try {
        watch.out().write("{\"type\":\"MODIF".getBytes(StandardCharsets.UTF_8));
        watch.out().flush();
      } catch (IOException gone) {
        // that is the aim
      }
    });
    endWatches();
  }

  private void endWatches() {
    List<Watch> ended = List.copyOf(watches);
    watches.removeAll(ended);
    ended.forEach(watch -> watch.ended().countDown());
  }

  /** Tells the watches that their place is forgotten, and ends them. */
  public synchronized void expireWatches() {
    compact();
    ObjectNode status = JSON.createObjectNode();
    status.put("kind", "Status").put("code", 410).put("message", "too old resource version");
    tell("ERROR", status);
    endWatches();
  }

  /** From now on ends each watch as soon as it has begun, as some proxies do. */
  public void endWatchesAtOnce() {
    brief = true;
  }

  /** From now on lets in only who shows this token. */
  public void demand(String newToken) {
    token = newToken;
  }

  /** From now on sends the first page of each list in ten pieces, over so long a time in all. */
  public void sendListsOver(Duration time) {
    listTime = time;
  }

  /** Whether a request has been taken and not answered. */
  public boolean hangs() {
    return hanging.get() > 0;
  }

  /** Takes requests whose path and query contain the text and answers none, until let go. */
  public void hangOn(String text) {
    hang = new Hang(text, new CountDownLatch(1));
  }

  /** Answers what hangs, and hangs on nothing more. */
  public void letGo() {
    Hang before = hang;
    hang = new Hang("", new CountDownLatch(0));
    before.over().countDown();
  }

  /** Answers the next request, whatever it is, with a failure. */
  public void failNext(int code, String message, String retryAfter) {
    faults.add(new Fault(code, message, retryAfter));
  }

  /**
   * From now on answers requests that write to paths with this ending with a failure; null ends it.
   */
  public void refuse(@Nullable String ending, int code, String message) {
    refusal = new Refusal(ending, new Fault(code, message, ""));
  }

  /** Answers the next request that writes with a failure. */
  public void failNextWrite(int code, String message, String retryAfter) {
    writeFaults.add(new Fault(code, message, retryAfter));
  }

  public List<Request> requests() {
    return List.copyOf(requests);
  }

  public List<Request> lists() {
    return requests.stream()
        .filter(each -> each.method().equals("GET") && !each.query().containsKey("watch"))
        .toList();
  }

  public List<Request> watchRequests() {
    return requests.stream().filter(each -> each.query().containsKey("watch")).toList();
  }

  /** The requests that write, to paths that contain the text. */
  public List<Request> writes(String path) {
    return requests.stream()
        .filter(each -> !each.method().equals("GET") && each.path().contains(path))
        .toList();
  }

  public int openWatches() {
    return watches.size();
  }

  private static String key(ObjectNode pod) {
    return pod.at("/metadata/namespace").asText() + "/" + pod.at("/metadata/name").asText();
  }

  private void tell(String type, ObjectNode object) {
    ObjectNode event = JSON.createObjectNode().put("type", type);
    event.set("object", object);
    byte[] line = (event + "\n").getBytes(StandardCharsets.UTF_8);
    for (Watch watch : watches) {
      try {
        watch.out().write(line);
        watch.out().flush();
      } catch (IOException gone) {
        watch.ended().countDown();
      }
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String method = exchange.getRequestMethod();
    requests.add(new Request(method, exchange.getRequestURI().getPath(), query, body));
    Fault fault = faults.poll();
    if (fault == null) {
      hangIfTold(exchange.getRequestURI().toString());
    }
    String shown = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    if (!token.isEmpty() && !shown.equals("Bearer " + token)) {
      fault = new Fault(401, "Unauthorized", "");
    }
    if (fault == null && !method.equals("GET")) {
      fault = writeFaults.poll();
    }
    Refusal refused = refusal;
    if (fault == null
        && refused.ending() != null
        && !method.equals("GET")
        && exchange.getRequestURI().getPath().endsWith(refused.ending())) {
      fault = refused.fault();
    }
    if (fault != null) {
      if (!fault.retryAfter().isEmpty()) {
        exchange.getResponseHeaders().add("Retry-After", fault.retryAfter());
      }
      ObjectNode status = JSON.createObjectNode().put("kind", "Status");
      status.put("code", fault.code()).put("message", fault.message());
      send(exchange, fault.code(), status + "\n");
    } else if (!method.equals("GET") && exchange.getRequestURI().getPath().contains("/events")) {
      writeEvent(exchange, body);
    } else if (!method.equals("GET")) {
      send(exchange, method.equals("POST") ? 201 : 200, body.isEmpty() ? "{}" : body);
    } else if (query.containsKey("watch")) {
      watch(exchange, Long.parseLong(query.get("resourceVersion")));
    } else {
      boolean first = !query.containsKey("continue");
      sendSlowly(exchange, list(query).toString(), first ? listTime : Duration.ZERO);
    }
  }

  /** Events are kept, so that a second of the same name is refused. */
  private void writeEvent(HttpExchange exchange, String body) throws IOException {
    String path = exchange.getRequestURI().getPath();
    ObjectNode sent = (ObjectNode) JSON.readTree(body);
    ObjectNode kept;
    int code;
    synchronized (events) {
      boolean create = exchange.getRequestMethod().equals("POST");
      String key = create ? path + "/" + sent.at("/metadata/name").asText() : path;
      boolean known = events.containsKey(key);
      code = create ? (known ? 409 : 201) : (known ? 200 : 404);
      kept =
          code >= 400
              ? JSON.createObjectNode().put("kind", "Status").put("code", code)
              : events.merge(key, sent, ObjectNode::setAll).deepCopy();
    }
    send(exchange, code, kept.toString());
  }

  /** The events as they are now. */
  public List<ObjectNode> events() {
    synchronized (events) {
      return events.values().stream().map(ObjectNode::deepCopy).toList();
    }
  }

  /** Creates or changes an event, whoever wrote it. */
  public void putEvent(String namespace, ObjectNode event) {
    synchronized (events) {
      events.put(
          "/api/v1/namespaces/%s/events/%s"
              .formatted(namespace, event.at("/metadata/name").asText()),
          event);
    }
  }

  private void hangIfTold(String uri) {
    Hang now = hang;
    if (uri.contains(now.text())) {
      hanging.incrementAndGet();
      try {
        now.over().await();
      } catch (InterruptedException over) {
        Thread.currentThread().interrupt();
      }
      hanging.decrementAndGet();
    }
  }

  private synchronized ObjectNode list(Map<String, String> query) {
    List<ObjectNode> all = new ArrayList<>(pods.values());
    int from = Integer.parseInt(query.getOrDefault("continue", "0"));
    int to = Math.min(all.size(), from + Integer.parseInt(query.getOrDefault("limit", "500")));
    ObjectNode list = JSON.createObjectNode();
    ObjectNode metadata = list.withObject("metadata");
    metadata.put("resourceVersion", Long.toString(version));
    if (to < all.size()) {
      metadata.put("continue", Integer.toString(to));
    }
    ArrayNode items = list.withArray("items");
    all.subList(from, to).forEach(items::add);
    return list;
  }

  private void watch(HttpExchange exchange, long since) throws IOException {
    Watch watch;
    synchronized (this) {
      if (since < oldest) {
        send(exchange, 410, "{\"kind\":\"Status\",\"code\":410,\"message\":\"too old\"}\n");
        return;
      }
      exchange.sendResponseHeaders(200, 0);
      watch = new Watch(exchange.getResponseBody(), new CountDownLatch(1));
      for (ObjectNode pod : pods.values()) {
        if (pod.at("/metadata/resourceVersion").asLong() > since) {
          String event = "{\"type\":\"ADDED\",\"object\":" + pod + "}\n";
          watch.out().write(event.getBytes(StandardCharsets.UTF_8));
        }
      }
      watch.out().flush();
      watches.add(watch);
    }
    if (brief) {
      watch.ended().countDown();
    }
    try {
      watch.ended().await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
    watches.remove(watch);
    exchange.close();
  }

  private void sendSlowly(HttpExchange exchange, String body, Duration time) throws IOException {
    if (time.isZero()) {
      send(exchange, 200, body);
      return;
    }
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.flush(); // the answer begins
      int sent = 0;
      for (int piece = 1; piece <= PIECES; piece++) {
        if (closed.await(time.toMillis() / PIECES, TimeUnit.MILLISECONDS)) {
          return;
        }
        int to = bytes.length * piece / PIECES;
        out.write(bytes, sent, to - sent);
        out.flush();
        sent = to;
      }
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private static void send(HttpExchange exchange, int code, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(code, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static Map<String, String> query(String raw) {
    Map<String, String> query = new HashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      int equals = pair.indexOf('=');
      query.put(
          pair.substring(0, equals),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return query;
  }

  @Override
  public void close() {
    watches.forEach(watch -> watch.ended().countDown());
    letGo();
    closed.countDown();
    server.stop(0);
  }
}
