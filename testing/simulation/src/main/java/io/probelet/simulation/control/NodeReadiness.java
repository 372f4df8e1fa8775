package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The node lifecycle controller of kube-controller-manager: a node whose kubelet has renewed
 * neither its lease nor its status for a while becomes Unknown, and a node that is not ready is
 * tainted.
 */
public final class NodeReadiness {
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final long GRACE = Duration.ofSeconds(50).toNanos();
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/";
  private static final String NODES = "/api/v1/nodes";
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String UNREACHABLE = "node.kubernetes.io/unreachable";
  private static final List<String> KUBELETS =
      List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

  private final Simulation world;
  private final SimulatedApiServer server;
  private final Requests requests;
  private final Map<String, Beat> beats = new HashMap<>();

  /** What a kubelet wrote last, and when this controller first saw it. */
  private record Beat(String what, long at) {}

  /** Starts it. */
  public NodeReadiness(Simulation world, SimulatedApiServer server) {
    this.world = world;
    this.server = server;
    this.requests = new Requests(server, "node-lifecycle-controller");
    world.after(PERIOD, this::round);
  }

  private void round() {
    Set<String> there = new HashSet<>();
    for (ObjectNode node : server.list(NODES)) {
      there.add(Requests.name(node));
      review(node);
    }
    beats.keySet().retainAll(there);
    world.after(PERIOD, this::round);
  }

  private void review(ObjectNode node) {
    String name = Requests.name(node);
    String what = server.get(LEASES + name).at("/spec/renewTime").asText() + heartbeat(node);
    Beat beat = beats.get(name);
    if (beat == null || !beat.what().equals(what)) {
      beat = new Beat(what, world.now());
      beats.put(name, beat);
    }
    String ready = Requests.status(node, "Ready");
    if (world.now() - beat.at() > GRACE && !ready.equals("Unknown")) {
      silent(node);
      ready = "Unknown";
    }
    taint(node, ready);
  }

  private static String heartbeat(JsonNode node) {
    StringBuilder times = new StringBuilder();
    for (JsonNode each : node.at("/status/conditions")) {
      if (each.path("type").asText().equals("Ready")) {
        times.append(each.path("lastHeartbeatTime").asText());
      }
    }
    return times.toString();
  }

  private void silent(ObjectNode node) {
    JsonNode conditions = node.at("/status/conditions");
    for (String type : KUBELETS) {
      if (!Requests.status(node, type).isEmpty() || type.equals("Ready")) {
        conditions =
            requests.with(
                conditions,
                type,
                "Unknown",
                "NodeStatusUnknown",
                "Kubelet stopped posting node status.");
      }
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").set("conditions", conditions);
    requests.patch(NODES + "/" + Requests.name(node) + "/status", patch);
  }

  private void taint(ObjectNode node, String ready) {
    String wanted =
        switch (ready) {
          case "True" -> "";
          case "Unknown" -> UNREACHABLE;
          default -> NOT_READY;
        };
    ArrayNode taints = JsonNodeFactory.instance.arrayNode();
    boolean has = wanted.isEmpty();
    boolean changed = false;
    for (JsonNode taint : node.at("/spec/taints")) {
      String key = taint.path("key").asText();
      boolean ours = key.equals(NOT_READY) || key.equals(UNREACHABLE);
      if (!ours || key.equals(wanted)) {
        taints.add(taint);
        has |= ours;
      } else {
        changed = true;
      }
    }
    if (!has) {
      changed = true;
      for (String effect : List.of("NoSchedule", "NoExecute")) {
        taints
            .addObject()
            .put("key", wanted)
            .put("effect", effect)
            .put("timeAdded", requests.now());
      }
    }
    if (changed) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("spec").set("taints", taints);
      requests.patch(NODES + "/" + Requests.name(node), patch);
    }
  }
}
