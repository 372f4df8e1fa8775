package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A node without processes: a kubelet that renews its lease and reports Ready, and an agent that
 * carries out orders. It breaks until it is repaired or rebooted.
 */
final class ScriptedNode {
  private static final Duration HEARTBEAT = Duration.ofSeconds(10);
  private static final Duration BOOT = Duration.ofSeconds(45);
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  private static final String ORDERS =
      "/apis/probelet.io/v1alpha1/namespaces/probelet-system/nodeorders/";

  private final Simulation world;
  private final SimulatedApiServer server;
  private final String name;
  private final Requests kubelet;
  private final Requests agent;
  private final RandomGenerator random;
  private final List<String> carriedOut = new ArrayList<>();
  private Trouble trouble = Trouble.NONE;
  private boolean booting;
  private int boots;
  private @Nullable String claimed;

  /** What is wrong with a node. */
  enum Trouble {
    /** Nothing. */
    NONE,
    /** The kubelet is dead, and the agent lives: a restart of services or a reboot repairs it. */
    KUBELET,
    /** The machine hangs: only a reboot from outside repairs it. */
    HANGS,
    /** The machine is gone until someone repairs it: no reboot helps. */
    GONE
  }

  /**
   * Boots a node.
   *
   * @param labels of the Node
   */
  ScriptedNode(Simulation world, SimulatedApiServer server, String name, ObjectNode labels) {
    this.world = world;
    this.server = server;
    this.name = name;
    this.kubelet = new Requests(server, "kubelet/" + name);
    this.agent = new Requests(server, "scripted-agent/" + name);
    this.random = world.random("node/" + name);
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("apiVersion", "v1").put("kind", "Node");
    node.putObject("metadata").put("name", name).set("labels", labels);
    node.putObject("spec");
    server.put(node);
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", name).put("namespace", "kube-node-lease");
    lease.putObject("spec").put("holderIdentity", name).put("leaseDurationSeconds", 40);
    server.put(lease);
    server.onWrite(this::written);
    booted();
    world.after(Duration.ofMillis(random.nextLong(HEARTBEAT.toMillis())), this::beat);
  }

  /** {@return its name} */
  String name() {
    return name;
  }

  /** {@return the uids of the orders that it began to carry out, in order} */
  List<String> carriedOut() {
    return List.copyOf(carriedOut);
  }

  /** {@return what is wrong with it} */
  Trouble trouble() {
    return trouble;
  }

  /** Breaks it. */
  void fail(Trouble how) {
    trouble = how;
  }

  /** Repairs it. */
  void repair() {
    trouble = Trouble.NONE;
    ready();
  }

  /** Reboots it, which helps if it can boot at all. */
  void reboot() {
    if (trouble == Trouble.GONE || booting) {
      return;
    }
    booting = true;
    claimed = null;
    world.after(
        BOOT,
        () -> {
          booting = false;
          if (trouble != Trouble.GONE) {
            trouble = Trouble.NONE;
            booted();
          }
        });
  }

  private boolean isUp() {
    return !booting && (trouble == Trouble.NONE || trouble == Trouble.KUBELET);
  }

  private String bootId() {
    return "%08x-0000-4000-8000-%012x".formatted(boots, name.hashCode() & 0xffffffffL);
  }

  private void booted() {
    boots++;
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").putObject("nodeInfo").put("bootID", bootId());
    kubelet.patch("/api/v1/nodes/" + name + "/status", patch);
    ready();
    JsonNode order = server.get(ORDERS + name);
    if (order.at("/status/phase").asText().equals("Started")) {
      boolean reboot = order.at("/spec/action").asText().equals("Reboot");
      say(order, reboot ? "Done" : "Failed", "the node has rebooted");
    } else {
      lookSoon();
    }
  }

  private void ready() {
    if (booting || trouble != Trouble.NONE) {
      return;
    }
    JsonNode conditions = server.get("/api/v1/nodes/" + name).at("/status/conditions");
    for (String type : List.of("MemoryPressure", "DiskPressure", "PIDPressure")) {
      conditions = kubelet.with(conditions, type, "False", "KubeletHasSufficient", "");
    }
    conditions = kubelet.with(conditions, "Ready", "True", "KubeletReady", "");
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").set("conditions", conditions);
    kubelet.patch("/api/v1/nodes/" + name + "/status", patch);
  }

  private void beat() {
    if (!booting && trouble == Trouble.NONE) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("spec").put("renewTime", server.machine().wall().toString());
      kubelet.patch(LEASES + "/" + name, patch);
      if (!Requests.status(server.get("/api/v1/nodes/" + name), "Ready").equals("True")) {
        ready();
      }
    }
    world.after(HEARTBEAT, this::beat);
  }

  // --- Orders

  private void written(ApiWrite write) {
    ObjectNode order = write.after();
    if (order != null
        && order.path("kind").asText().equals("NodeOrder")
        && Requests.name(order).equals(name)
        && !write.process().equals("scripted-agent/" + name)) {
      lookSoon();
    }
  }

  private void lookSoon() {
    world.after(Duration.ofMillis(random.nextLong(50, 3_000)), this::look);
  }

  private void look() {
    JsonNode order = server.get(ORDERS + name);
    if (order.isMissingNode() || Requests.isDeleting(order) || !isUp()) {
      return;
    }
    String uid = Requests.uid(order);
    switch (order.at("/status/phase").asText()) {
      case "" -> {
        if (order.at("/spec/bootID").asText().equals(bootId())) {
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
    carriedOut.add(uid);
    int boot = boots;
    world.after(
        Duration.ofMillis(random.nextLong(1_000, 15_000)),
        () -> {
          if (isUp() && boots == boot) {
            carryOut(uid);
          }
        });
  }

  private void carryOut(String uid) {
    JsonNode order = server.get(ORDERS + name);
    if (order.at("/spec/action").asText().equals("Reboot")) {
      reboot();
    } else {
      boolean helps = random.nextBoolean();
      if (helps && order.at("/spec/action").asText().equals("RestartServices")) {
        repair();
      }
      if (Requests.uid(order).equals(uid)) {
        say(order, "Done", "");
      }
    }
  }

  private boolean say(JsonNode order, String phase, String message) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch
        .putObject("metadata")
        .put("uid", Requests.uid(order))
        .put("resourceVersion", order.at("/metadata/resourceVersion").asText());
    patch.putObject("status").put("phase", phase).put("bootID", bootId()).put("message", message);
    return agent.patch(ORDERS + name + "/status", patch);
  }
}
