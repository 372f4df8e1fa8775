package io.probelet.simulation.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a kubelet reports of its node: the Node's status, and the Lease that shows it lives. */
final class NodeStatus {
  private static final long PERIOD = Duration.ofMinutes(5).toNanos();
  private static final int LEASE_SECONDS = 40;
  private static final int ADDRESSES = 250;

  private final String node;
  private final String subnet;
  private final SimulatedApiServer api;
  private final Map<String, Boolean> pressures = new TreeMap<>();
  private final Map<String, Since> since = new TreeMap<>();
  private String bootId = "";
  private long reported;
  private boolean dirty = true;
  private boolean ready = true;

  /** The status of a condition, and when it became that. */
  private record Since(boolean is, String time) {}

  NodeStatus(String node, String subnet, SimulatedApiServer api) {
    this.node = node;
    this.subnet = subnet;
    this.api = api;
    for (String each : new String[] {"MemoryPressure", "DiskPressure", "PIDPressure"}) {
      pressures.put(each, false);
    }
  }

  /** {@return the address of its n-th pod} */
  String address(int number) {
    return subnet + (2 + number % ADDRESSES);
  }

  void booted(String id) {
    bootId = id;
    dirty = true;
  }

  void pressure(String condition, boolean present) {
    pressures.put(condition, present);
    dirty = true;
  }

  void ready(boolean is) {
    ready = is;
    dirty = true;
  }

  /** Renews the lease, and reports the status if it has changed, is old, or was overwritten. */
  void heartbeat(Instant now, long nanos) {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    lease.putObject("metadata").put("name", node).put("namespace", "kube-node-lease");
    lease
        .putObject("spec")
        .put("holderIdentity", node)
        .put("leaseDurationSeconds", LEASE_SECONDS)
        .put("renewTime", WireTime.micros(now));
    String leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    if (api.get(leases + "/" + node).isMissingNode()) {
      request("POST", leases, "application/json", lease);
    } else {
      request("PATCH", leases + "/" + node, "application/merge-patch+json", lease);
    }
    JsonNode shown = api.get("/api/v1/nodes/" + node);
    boolean overwritten =
        !shown.isMissingNode()
            && !(ObjectFields.condition(shown, "Ready")
                    .equals(Optional.of(ready ? "True" : "False"))
                && shown.at("/status/nodeInfo/bootID").asText().equals(bootId));
    if (dirty || overwritten || nanos - reported > PERIOD) {
      dirty = false;
      reported = nanos;
      report(now);
    }
  }

  /** Reports the status, and creates the Node if there is none. */
  void report(Instant now) {
    if (api.get("/api/v1/nodes/" + node).isMissingNode()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      object.put("apiVersion", "v1").put("kind", "Node");
      object
          .putObject("metadata")
          .put("name", node)
          .putObject("labels")
          .put("kubernetes.io/hostname", node)
          .put("kubernetes.io/os", "linux");
      request("POST", "/api/v1/nodes", "application/json", object);
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode status = patch.putObject("status");
    ArrayNode conditions = status.putArray("conditions");
    pressures.forEach((type, is) ->
        condition(
            conditions, type, is, is ? "KubeletHasInsufficient" : "KubeletHasSufficient", now));
    condition(conditions, "Ready", ready, ready ? "KubeletReady" : "KubeletNotReady", now);
    status
        .putObject("nodeInfo")
        .put("bootID", bootId)
        .put("machineID", node)
        .put("kubeletVersion", "v1.36.0")
        .put("kernelVersion", "6.12.0")
        .put("operatingSystem", "linux")
        .put("containerRuntimeVersion", "containerd://2.1.0");
    status.putArray("addresses").addObject().put("type", "InternalIP").put("address", subnet + "1");
    for (String field : new String[] {"capacity", "allocatable"}) {
      status.putObject(field).put("cpu", "4").put("memory", "16Gi").put("pods", "110");
    }
    request("PATCH", "/api/v1/nodes/" + node + "/status", ApiServer.STRATEGIC_PATCH, patch);
  }

  private void condition(ArrayNode into, String type, boolean is, String reason, Instant now) {
    Since known = since.get(type);
    if (known == null || known.is() != is) {
      known = new Since(is, WireTime.seconds(now));
      since.put(type, known);
    }
    into.addObject()
        .put("type", type)
        .put("status", is ? "True" : "False")
        .put("reason", reason)
        .put("message", "reported by the kubelet")
        .put("lastHeartbeatTime", WireTime.seconds(now))
        .put("lastTransitionTime", known.time());
  }

  private void request(String method, String path, String type, ObjectNode body) {
    var _ = api.send("kubelet-" + node, method, path, type, body.toString());
  }
}
