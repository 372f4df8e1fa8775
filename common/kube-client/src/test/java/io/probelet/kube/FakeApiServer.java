package io.probelet.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.probelet.health.SystemClock;
import io.probelet.health.TimeSource;
import io.probelet.kube.protobuf.ProtobufEnvelope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executors;

/**
 * The API server for tests: objects of any kind over HTTP, with pages, watches, bookmarks and
 * faults on demand. It does not use WireMock, which buffers whole responses and so cannot serve
 * watches; {@link WireMockFront} adds WireMock's faults to other requests.
 */
public final class FakeApiServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  /** A received request. */
  public record Request(String method, URI uri, String type, String accepted, String body) {
    public String path() {
      return uri.getPath();
    }

    public Map<String, String> query() {
      Map<String, String> query = new HashMap<>();
      for (String pair : uri.getRawQuery() == null ? new String[0] : uri.getRawQuery().split("&")) {
        int equals = pair.indexOf('=');
        query.put(
            pair.substring(0, equals),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
      return query;
    }

    /** The body; a missing node if there is none. */
    public JsonNode json() {
      return parse(JSON, body);
    }

    boolean isRead() {
      return method.equals("GET");
    }

    /** Protobuf, as in an API server: for built-in kinds, if accepted. */
    boolean takesProtobuf() {
      return path().startsWith("/api/v1/nodes") && accepted.contains(ProtobufEnvelope.MEDIA_TYPE);
    }

    boolean isWatch() {
      return query().containsKey("watch");
    }
  }

  private final HttpServer server;
  private final ObjectStore store;
  private final RequestFaults faults = new RequestFaults();
  private final AnswerWriter answers = new AnswerWriter();
  private final RequestHandler handler;

  public FakeApiServer() throws IOException {
    this(SystemClock.INSTANCE);
  }

  /** Starts a server whose objects get the time of a clock. */
  public FakeApiServer(TimeSource time) throws IOException {
    store = new ObjectStore(time);
    handler = new RequestHandler(store, faults, answers);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", handler::handle);
    // Occasional requests that tests neither count nor fail.
    server.createContext(
        "/version",
        exchange -> answers.send(exchange, 200, "{\"major\": \"1\", \"minor\": \"35+\"}"));
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** A kubeconfig for {@code probelet agent}. */
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

  /** A client without its own retries, like the agent's. */
  public KubernetesClient client() {
    return client(url());
  }

  static KubernetesClient client(String url) {
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(url)
            .withRequestRetryBackoffLimit(0)
            .withRequestTimeout(60_000) // a busy machine takes longer than the default of 10 s
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** The faults of the server. */
  public RequestFaults faults() {
    return faults;
  }

  /** Adds namespaced kinds of a version, such as example.io/v1, to discovery. */
  public void serve(String version, String... kinds) {
    ObjectNode list = JSON.createObjectNode().put("kind", "APIResourceList");
    for (String kind : kinds) {
      list.withArray("resources")
          .addObject()
          .put("name", plural(kind))
          .put("kind", kind)
          .put("namespaced", true);
    }
    handler.serve("/apis/" + version, list);
  }

  /** Creates or changes an object, in YAML or JSON; a pod by default. */
  public void put(String object) {
    put((ObjectNode) parse(object.strip().startsWith("{\"") ? JSON : YAML, object));
  }

  /** Creates or changes an object, and sets its version. */
  public void put(ObjectNode object) {
    String version = object.path("apiVersion").asText("v1");
    store.put(
        new ObjectPath(
            (version.contains("/") ? "/apis/" : "/api/")
                + version
                + "/"
                + plural(object.path("kind").asText("Pod")),
            object.at("/metadata/namespace").asText(),
            object.at("/metadata/name").asText(),
            ""),
        object);
  }

  private static String plural(String kind) {
    String lower = kind.toLowerCase(Locale.ROOT);
    return lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s";
  }

  /** The current object at a path; missing if there is none. */
  public JsonNode get(String path) {
    ObjectNode object = store.find(ObjectPath.of(path));
    return object == null ? MissingNode.getInstance() : object;
  }

  /** The current objects of a collection. */
  public List<ObjectNode> list(String path) {
    List<ObjectNode> all = new ArrayList<>();
    store
        .list(ObjectPath.of(path), new ObjectSelector("", ""), "", Integer.MAX_VALUE)
        .path("items")
        .forEach(item -> all.add((ObjectNode) item));
    return all;
  }

  /** The current events. */
  public List<ObjectNode> events() {
    return list("/api/v1/events");
  }

  /** Changes an object, by a strategic merge patch in YAML or JSON. */
  public void patch(String path, String patch) {
    store.patch(ObjectPath.of(path), ApiServer.STRATEGIC_PATCH, parse(YAML, patch));
  }

  /** Deletes an object; finalizers hold it. */
  public void delete(String path) {
    store.delete(ObjectPath.of(path), MissingNode.getInstance());
  }

  /** Sends a bookmark with the current version. */
  public void bookmark() {
    ObjectNode bookmark = JSON.createObjectNode();
    bookmark.withObject("metadata").put("resourceVersion", Long.toString(store.pass(10)));
    store.tellWatches("BOOKMARK", bookmark);
  }

  /** Expires all earlier versions: watches from them are rejected. */
  public void compact() {
    store.compact();
  }

  /** Ends all watches within an event; all are closed when this returns. */
  public void cut() {
    store.cutWatches();
  }

  /** Sends 410 Gone to the watches, and ends them. */
  public void expireWatches() {
    compact();
    store.tellWatches(
        "ERROR", (ObjectNode) parse(JSON, RequestFaults.status(410, "too old resource version")));
    store.endWatches();
  }

  /** From now on ends each watch as soon as it has begun, as some proxies do. */
  public void endWatchesAtOnce() {
    answers.endStreamsAtOnce();
  }

  /** From now on sends the first page of each list in ten chunks over a total duration. */
  public void sendListsOver(Duration time) {
    answers.sendPiecesOver(time);
  }

  public int openWatches() {
    return store.openWatches();
  }

  public List<Request> requests() {
    return handler.requests();
  }

  public List<Request> lists() {
    return requests().stream().filter(each -> each.isRead() && !each.isWatch()).toList();
  }

  public List<Request> watchRequests() {
    return requests().stream().filter(Request::isWatch).toList();
  }

  /** The requests that write, to paths that contain the text. */
  public List<Request> writes(String path) {
    return requests().stream()
        .filter(each -> !each.isRead() && each.path().contains(path))
        .toList();
  }

  /** Those of them that were carried out without a fault, to paths with this ending. */
  public List<Request> writesDone(String ending) {
    return handler.done().stream().filter(each -> each.path().endsWith(ending)).toList();
  }

  private static JsonNode parse(ObjectMapper format, String text) {
    try {
      return format.readTree(text);
    } catch (IOException invalid) {
      throw new UncheckedIOException(invalid);
    }
  }

  @Override
  public void close() {
    store.endWatches();
    faults.letGo();
    answers.close();
    server.stop(0);
  }
}
