package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Nodes and pods as an API server stores them, of the size of small real ones. */
final class FleetObjects {
  static final String NAMESPACE = "default";
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int VARIABLES = 15;
  private static final String LONG_AGO = "2026-01-01T00:00:00Z";

  private FleetObjects() {}

  /** {@return the name of a node of the fleet} */
  static String node(int number) {
    return "fleet-" + number;
  }

  /** {@return the name of a pod of a node} */
  static String pod(int node, int number) {
    return "web-" + node + "-" + number;
  }

  /** Creates a Node. */
  static ObjectNode nodeObject(int number) {
    return nodeObject(node(number));
  }

  /** Creates a healthy Node of a name. */
  static ObjectNode nodeObject(String name) {
    ObjectNode node = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Node");
    ObjectNode metadata = metadata(node, name);
    metadata.putObject("labels").put("kubernetes.io/hostname", name);
    ArrayNode conditions = node.withObject("/status").putArray("conditions");
    for (String type : List.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready")) {
      conditions
          .addObject()
          .put("type", type)
          .put("status", type.equals("Ready") ? "True" : "False")
          .put("lastHeartbeatTime", LONG_AGO)
          .put("lastTransitionTime", LONG_AGO)
          .put("reason", "KubeletReports")
          .put("message", "kubelet reports this condition");
    }
    node.withObject("/spec");
    return node;
  }

  /**
   * Creates a Pod with one running container.
   *
   * @param port a port that a readiness probe of ours asks, with a readiness gate; 0 for a pod
   *     without probes
   */
  static ObjectNode podObject(int node, int number, int port) {
    String name = pod(node, number);
    ObjectNode pod =
        port == 0
            ? PretendedPod.of(NAMESPACE, name, Map.of())
            : PretendedPod.of(
                NAMESPACE,
                name,
                Map.of(
                    "probelet.io/probes",
                    "web: {readiness: {tcpSocket: {port: " + port + "}, period: 10s}}"));
    ObjectNode metadata = metadata(pod, name);
    metadata.put("namespace", NAMESPACE);
    for (int i = 0; i < 8; i++) {
      metadata.withObject("/labels").put("example.io/label-" + i, "value-" + number);
    }
    ObjectNode spec = pod.withObject("/spec").put("nodeName", node(node));
    spec.put("terminationGracePeriodSeconds", 30).put("dnsPolicy", "ClusterFirst");
    if (port != 0) {
      spec.putArray("readinessGates").addObject().put("conditionType", "probelet.io/ready");
    }
    ObjectNode container = (ObjectNode) spec.at("/containers/0");
    container.put("imagePullPolicy", "IfNotPresent").putObject("resources");
    container.put("terminationMessagePath", "/dev/termination-log");
    container.put("terminationMessagePolicy", "File");
    for (int i = 0; i < VARIABLES; i++) {
      container
          .withArray("/env")
          .addObject()
          .put("name", "SOME_VARIABLE_" + i)
          .put("value", "https://service-" + i + ".shop.svc.cluster.local:8443/some/path");
    }
    for (String type : List.of("PodScheduled", "Initialized", "ContainersReady", "Ready")) {
      pod.withObject("/status")
          .withArray("conditions")
          .addObject()
          .put("type", type)
          .put("status", "True")
          .put("lastTransitionTime", LONG_AGO);
    }
    return pod;
  }

  private static ObjectNode metadata(ObjectNode object, String name) {
    return object
        .withObject("/metadata")
        .put("name", name)
        .put("uid", UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString())
        .put("creationTimestamp", LONG_AGO);
  }
}
