package io.probelet.simulation.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.probelet.kube.Metadata;
import io.probelet.kube.access.ApiAnswers;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An API server of a simulated world, with the parts of the control plane that follow its objects:
 * garbage collection, disruption budgets, the end of namespaces and of events.
 *
 * <p>Processes reach it over {@link #access}. The world itself, and stand-ins for other programs,
 * call {@link #request} and the methods around it, which take no time and meet no faults.
 */
public final class SimulatedApiServer {
  /** The address that clients are given. */
  private static final String URL = "http://api.simulated";

  /** The name of the world itself as a writer. */
  private static final String WORLD = "world";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> NAMESPACES =
      List.of("default", "kube-system", "kube-public", "kube-node-lease", "probelet-system");

  /** Codes below this are of requests that succeeded. */
  private static final int SUCCESSFUL = 300;

  private final Machine machine;
  private final ObjectStore store = new ObjectStore();
  private final ApiKinds kinds = new ApiKinds();
  private final RequestHandler handler;
  private final Network network;
  private final ControlPlane controlPlane;
  private final List<Consumer<ApiWrite>> hooks = new ArrayList<>();
  private ApiRequest current = own(WORLD, "PUT", "");

  /** All objects at a moment. */
  public static final class Snapshot {
    private final ObjectStore.Snapshot content;

    private Snapshot(ObjectStore.Snapshot content) {
      this.content = content;
    }
  }

  /**
   * Starts a server that knows the built-in kinds only.
   *
   * @param world where it is
   */
  public SimulatedApiServer(Simulation world) {
    machine = new Machine(world, "api-server");
    ObjectWrites writes = new ObjectWrites(store, machine, world.random("api-server/names"));
    handler =
        new RequestHandler(kinds, store, writes, new Evictions(kinds, store, writes, machine));
    network = new Network(world, store, this::carryOut);
    store.listen(this::written);
    controlPlane = new ControlPlane(world, kinds, store, writes, this::as);
    NAMESPACES.forEach(this::namespace);
  }

  private static ApiRequest own(String process, String method, String path) {
    return new ApiRequest(process, method, path, Map.of(), "application/json", "", "");
  }

  private void written(ObjectStore.Change change) {
    if (change.collection().equals(ApiKinds.DEFINITIONS)) {
      kinds.define(store.objects(ApiKinds.DEFINITIONS).values());
      if (change.after() == null) {
        network.endWatchesWithoutKind(kinds);
      }
    }
    network.changed(change);
    ApiWrite write =
        new ApiWrite(
            current.process(), verb(current), current.path(), change.before(), change.after());
    hooks.forEach(hook -> hook.accept(write));
  }

  private static String verb(ApiRequest request) {
    return switch (request.method()) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      default -> "delete";
    };
  }

  private ApiAnswer carryOut(ApiRequest request) {
    ApiRequest outer = current;
    current = request;
    try {
      return handler.handle(request);
    } finally {
      current = outer;
    }
  }

  /** Runs a part of the control plane under its own name. */
  private void as(String name, Runnable task) {
    ApiRequest outer = current;
    current = own(name, "DELETE", "");
    try {
      task.run();
    } finally {
      current = outer;
    }
  }

  /** {@return the machine where it runs, whose wall clock dates the objects} */
  public Machine machine() {
    return machine;
  }

  /** {@return the client of a process as production code has it} */
  public ClusterAccess access(SimulatedProcess process) {
    ApiAnswers answers = new ApiAnswers(process);
    Config config =
        new ConfigBuilder(Config.empty())
            .withMasterUrl(URL)
            .withRequestRetryBackoffLimit(0)
            .build();
    return new ClusterAccess(
        config, new SimulatedHttp(process, network::send, answers::took), answers);
  }

  /** Sets the faults from now on. */
  public void faults(ApiFaults faults) {
    network.faults(faults);
  }

  /**
   * Separates a process from the server, or ends that. Meanwhile requests and answers are lost and
   * watches are silent; afterwards the connections of its watches are lost.
   */
  public void partition(SimulatedProcess process, boolean separated) {
    network.partition(process, separated);
  }

  /** Ends a partition whose firewall has forgotten the connections: watches stay silent. */
  public void healSilently(SimulatedProcess process) {
    network.healSilently(process);
  }

  /** Stops the server, or starts it again. While it is stopped, connections are refused. */
  public void stopped(boolean stopped) {
    network.stopped(stopped);
    if (stopped) {
      restart();
    }
  }

  /** Restarts the server at once: watches end, and the cache of what changed is lost. */
  public void restart() {
    store.forgetCache();
    network.endWatches();
  }

  /** Cuts the connections of watches within an event. */
  public void cutWatches() {
    network.cutWatches();
  }

  /** Forgets what changed: watches from earlier versions and pages of earlier lists are refused. */
  public void compact() {
    store.compact(store.version());
  }

  /** {@return all objects as they are} */
  public Snapshot snapshot() {
    return new Snapshot(store.snapshot());
  }

  /** Restores a snapshot as etcd does a backup: versions go back, too. */
  public void restore(Snapshot snapshot) {
    restore(snapshot, false);
  }

  /** Restores a snapshot as etcd does with {@code --bump-revision --mark-compacted}. */
  public void restoreBumped(Snapshot snapshot) {
    restore(snapshot, true);
  }

  private void restore(Snapshot snapshot, boolean bumped) {
    store.restore(snapshot.content, bumped);
    kinds.define(store.objects(ApiKinds.DEFINITIONS).values());
    controlPlane.restored();
    network.endWatches();
  }

  /** Registers a receiver of every write that takes effect. */
  public void onWrite(Consumer<ApiWrite> hook) {
    hooks.add(hook);
  }

  /**
   * Serves a custom kind of Probelet from now on.
   *
   * @param kind such as NodeHealthCheck
   */
  public void serve(String kind) {
    put(Definitions.of(kind));
  }

  /** Serves all custom kinds of Probelet from now on. */
  public void serveAll() {
    Definitions.kinds().forEach(this::serve);
  }

  /** {@return the last version} */
  public long version() {
    return store.version();
  }

  /** {@return how many watches are open} */
  public int watches() {
    return network.watches();
  }

  /**
   * Carries out a request at once, without network and faults.
   *
   * @param who the name of the sender
   * @param method such as PATCH
   * @param path such as {@code /api/v1/nodes?limit=1}
   * @param type the media type of the body
   * @param body empty without one
   */
  public Reply request(String who, String method, String path, String type, String body) {
    ApiAnswer.Whole answer = whole(who, method, path, type, body);
    try {
      return new Reply(answer.code(), JSON.readTree(answer.body()));
    } catch (JsonProcessingException plain) {
      return new Reply(answer.code(), MissingNode.getInstance());
    }
  }

  /**
   * Carries out a request as {@link #request}, for a sender that does not read the answer.
   *
   * @return whether it succeeded
   */
  public boolean send(String who, String method, String path, String type, String body) {
    return whole(who, method, path, type, body).code() < SUCCESSFUL;
  }

  private ApiAnswer.Whole whole(String who, String method, String path, String type, String body) {
    ApiRequest request =
        ApiRequest.of(who, method, URI.create(path), type, "application/json", body);
    if (carryOut(request) instanceof ApiAnswer.Whole whole) {
      return whole;
    }
    throw new IllegalArgumentException("watches need a connection: " + path);
  }

  /**
   * An answer.
   *
   * @param body missing if it is not JSON
   */
  public record Reply(int code, JsonNode body) {
    /** {@return whether the request succeeded} */
    public boolean isDone() {
      return code < SUCCESSFUL;
    }
  }

  /** {@return the object at a path; missing if there is none} */
  public JsonNode get(String path) {
    ResourcePath resource = ResourcePath.of(path);
    ObjectNode found = store.find(resource.collection(), resource.namespace(), resource.name());
    return found == null ? MissingNode.getInstance() : found;
  }

  /** {@return the objects of a collection, of one namespace or all, by namespace and name} */
  public List<ObjectNode> list(String path) {
    ResourcePath resource = ResourcePath.of(path);
    return store.objects(resource.collection()).values().stream()
        .filter(object -> resource.isIn(ObjectFields.namespace(object)))
        .toList();
  }

  /**
   * Creates an object or replaces it as a whole, with its status, and with its namespace.
   *
   * @return the object as it is stored
   * @throws IllegalArgumentException if the server refuses it
   */
  public ObjectNode put(ObjectNode object) {
    String apiVersion = object.path("apiVersion").asText();
    ApiKind kind = kinds.of(apiVersion, object.path("kind").asText());
    if (kind == null) {
      throw new IllegalArgumentException("not served: " + apiVersion + " " + object.path("kind"));
    }
    String name = ObjectFields.name(object);
    String namespace = kind.namespaced() ? object.at("/metadata/namespace").asText("default") : "";
    if (kind.namespaced()) {
      namespace(namespace);
    }
    String collection =
        kind.root() + (kind.namespaced() ? "/namespaces/" + namespace : "") + "/" + kind.plural();
    ObjectNode wanted = object.deepCopy();
    ObjectNode metadata = wanted.withObject("/metadata");
    String path = collection + "/" + name;
    ObjectNode stored = store.find(kind.collection(), namespace, name);
    if (stored == null) {
      metadata.remove("resourceVersion");
      require("POST", collection, wanted);
    } else {
      metadata.put("resourceVersion", Metadata.version(stored));
      require("PUT", path, wanted);
    }
    if (kind.is(ApiKind.Trait.STATUS) && wanted.has("status")) {
      ObjectNode status = JsonNodeFactory.instance.objectNode();
      status.set("status", wanted.path("status"));
      require("PATCH", path + "/status", status);
    }
    return (ObjectNode) get(path);
  }

  private void require(String method, String path, JsonNode body) {
    String type = method.equals("PATCH") ? ObjectPatch.MERGE : "application/json";
    Reply reply = request(WORLD, method, path, type, body.toString());
    if (!reply.isDone()) {
      throw new IllegalArgumentException(method + " " + path + ": " + reply);
    }
  }

  private void namespace(String name) {
    if (store.find(ApiKinds.NAMESPACES, "", name) == null) {
      ObjectNode namespace = JsonNodeFactory.instance.objectNode();
      namespace.putObject("metadata").put("name", name);
      require("POST", ApiKinds.NAMESPACES, namespace);
    }
  }

  /**
   * Changes an object by a merge patch.
   *
   * @param path may end with a subresource
   * @param patch JSON
   * @throws IllegalArgumentException if the server refuses it
   */
  public void patch(String path, String patch) {
    try {
      require("PATCH", path, JSON.readTree(patch));
    } catch (JsonProcessingException invalid) {
      throw new IllegalArgumentException(invalid);
    }
  }

  /**
   * Deletes an object; finalizers hold it.
   *
   * @throws IllegalArgumentException if the server refuses it
   */
  public void delete(String path) {
    require("DELETE", path, JsonNodeFactory.instance.objectNode());
  }
}
