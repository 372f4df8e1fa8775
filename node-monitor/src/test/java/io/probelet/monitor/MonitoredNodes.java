package io.probelet.monitor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;

/** Nodes and their agents' leases on an API server, for tests. */
public final class MonitoredNodes implements AutoCloseable {
  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.client();

  public MonitoredNodes() throws IOException {}

  public FakeApiServer server() {
    return server;
  }

  public ApiServer api() {
    return ApiServer.of(client, Duration.ofMinutes(1));
  }

  /** A node with the kubelet's conditions. */
  public void node(String name) {
    server.put(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: %s}
        spec: {taints: [{key: theirs, effect: x}]}
        status: {conditions: [{type: Ready, status: "True"}]}
        """
            .formatted(name));
  }

  public void lease(String node, String renewTime) {
    server.put(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: %1$s, namespace: probelet-system}
        spec: {holderIdentity: %1$s, renewTime: "%2$s", leaseDurationSeconds: 60}
        """
            .formatted(node, renewTime));
  }

  /** The current node. */
  public JsonNode get(String node) {
    return server.get("/api/v1/nodes/" + node);
  }

  /** Another client changes a node. */
  public void edit(String node, String strategicPatch) {
    server.patch("/api/v1/nodes/" + node, strategicPatch);
  }

  /** A condition of a node; missing if there is none. */
  public JsonNode condition(String node, String type) {
    for (JsonNode condition : get(node).at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  public String annotation(String node, String name) {
    return get(node).path("metadata").path("annotations").path(name).asText();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
