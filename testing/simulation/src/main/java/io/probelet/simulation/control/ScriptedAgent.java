package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for the agent of a node in worlds that are about the controllers: it carries out orders
 * and reports problems of its node, with the taints that they ask for. It has no process, so that a
 * world with it costs little.
 */
public final class ScriptedAgent {
  private static final Duration REVIEW = Duration.ofSeconds(20);
  private static final String ORDERS =
      "/apis/probelet.io/v1alpha1/namespaces/probelet-system/nodeorders/";
  private static final String WANTED_TAINTS = "probelet.io/node-taints";

  private final Simulation world;
  private final SimulatedApiServer server;
  private final String node;
  private final Host host;
  private final int taintPercent;
  private final Requests requests;
  private final RandomGenerator random;
  private final Map<String, Boolean> problems = new TreeMap<>();
  private @Nullable String claimed;

  /** The machine on which it runs. */
  public interface Host {
    /** {@return whether the machine and its agent run} */
    boolean isUp();

    /** {@return the identifier of the current boot} */
    String bootId();

    /** Starts the kubelet, if it does not run. */
    void restartServices();

    /** Shuts down and boots. */
    void reboot();
  }

  /**
   * Begins to look for orders.
   *
   * @param node its name
   * @param taintPercent the share of nodes that may have a taint of one kind
   */
  public ScriptedAgent(
      Simulation world, SimulatedApiServer server, String node, Host host, int taintPercent) {
    this.world = world;
    this.server = server;
    this.node = node;
    this.host = host;
    this.taintPercent = taintPercent;
    this.requests = new Requests(server, "scripted-agent/" + node);
    this.random = world.random("scripted-agent/" + node);
    server.onWrite(this::written);
    world.after(REVIEW, this::review);
  }

  /** The node begins or ceases to have a problem, which it reports soon. */
  public void problem(String condition, boolean present) {
    problems.put(condition, present);
    world.after(Duration.ofMillis(random.nextLong(200, 5_000)), this::report);
  }

  /** The Node may have been created again without its conditions. */
  private void review() {
    report();
    world.after(REVIEW, this::review);
  }

  private void report() {
    JsonNode now = server.get("/api/v1/nodes/" + node);
    if (now.isMissingNode() || !host.isUp()) {
      return;
    }
    StringBuilder taints = new StringBuilder();
    JsonNode conditions = now.at("/status/conditions");
    for (Map.Entry<String, Boolean> each : problems.entrySet()) {
      String status = each.getValue() ? "True" : "False";
      if (!Requests.status(now, each.getKey()).equals(status)) {
        conditions = requests.with(conditions, each.getKey(), status, "Scripted", "");
      }
      if (each.getValue()) {
        taints
            .append(taints.isEmpty() ? "" : ",")
            .append(
                "{\"taint\":\"probelet.io/%s:NoSchedule\",\"maxNodesPercent\":%d}"
                    .formatted(each.getKey(), taintPercent));
      }
    }
    if (!conditions.equals(now.at("/status/conditions"))) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("status").set("conditions", conditions);
      requests.patch("/api/v1/nodes/" + node + "/status", patch);
    }
    want(now, taints.isEmpty() ? "" : "[" + taints + "]");
  }

  private void want(JsonNode now, String taints) {
    if (now.path("metadata").path("annotations").path(WANTED_TAINTS).asText().equals(taints)) {
      return;
    }
    ObjectNode metadata = JsonNodeFactory.instance.objectNode();
    if (taints.isEmpty()) {
      metadata.putObject("annotations").putNull(WANTED_TAINTS);
    } else {
      metadata.putObject("annotations").put(WANTED_TAINTS, taints);
      metadata.putObject("labels").put(WANTED_TAINTS, "");
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.set("metadata", metadata);
    requests.patch("/api/v1/nodes/" + node, patch);
  }

  private void written(ApiWrite write) {
    ObjectNode order = write.after();
    if (order != null
        && order.path("kind").asText().equals("NodeOrder")
        && Requests.name(order).equals(node)
        && !write.process().equals("scripted-agent/" + node)) {
      lookSoon();
    }
  }

  private void lookSoon() {
    world.after(Duration.ofMillis(random.nextLong(50, 3_000)), this::look);
  }

  private void look() {
    JsonNode order = server.get(ORDERS + node);
    if (order.isMissingNode() || Requests.isDeleting(order) || !host.isUp()) {
      return;
    }
    String uid = Requests.uid(order);
    switch (order.at("/status/phase").asText()) {
      case "" -> {
        if (order.at("/spec/bootID").asText().equals(host.bootId())) {
          claimed = uid;
          say(order, "Claimed", "");
        } else {
          say(order, "Failed", "the order is for another boot");
        }
      }
      case "Claimed" -> {
        if (order.at("/spec/granted").asBoolean() && uid.equals(claimed)) {
          begin(order, uid);
        }
      }
      default -> {} // its own answer
    }
  }

  private void begin(JsonNode order, String uid) {
    if (!say(order, "Started", "")) {
      lookSoon();
      return;
    }
    String boot = host.bootId();
    world.after(
        Duration.ofMillis(random.nextLong(1_000, 15_000)),
        () -> {
          if (host.isUp() && host.bootId().equals(boot)) {
            carryOut(uid);
          }
        });
  }

  private void carryOut(String uid) {
    JsonNode order = server.get(ORDERS + node);
    if (order.at("/spec/action").asText().equals("Reboot")) {
      claimed = null;
      host.reboot();
      return;
    }
    if (order.at("/spec/action").asText().equals("RestartServices") && random.nextBoolean()) {
      host.restartServices();
    }
    if (Requests.uid(order).equals(uid)) {
      say(order, "Done", "");
    }
  }

  private boolean say(JsonNode order, String phase, String message) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", Requests.uid(order))
        .put("resourceVersion", order.at("/metadata/resourceVersion").asText());
    patch
        .putObject("status")
        .put("phase", phase)
        .put("bootID", host.bootId())
        .put("message", message);
    return requests.patch(ORDERS + node + "/status", patch);
  }
}
