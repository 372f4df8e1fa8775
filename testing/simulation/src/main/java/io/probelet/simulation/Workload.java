package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.WorldSettings.Part;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.node.ContainerScript;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The pods of a cluster and their owner, which replaces one that is gone or has failed on the same
 * node, as a DaemonSet does, so that each node always has its pods.
 */
final class Workload {
  private static final Duration REACTION = Duration.ofSeconds(1);

  private final Simulation world;
  private final SimulatedApiServer server;
  private final RandomGenerator random;

  /** By node and app. */
  private final Map<String, PodShape> shapes = new HashMap<>();

  private int created;

  Workload(Simulation world, SimulatedApiServer server) {
    this.world = world;
    this.server = server;
    this.random = world.random("workload");
    server.onWrite(this::written);
  }

  /** Creates the pods of a node. */
  void create(String node, WorldSettings settings, RandomGenerator drawn) {
    for (int index = 0; index < settings.podsPerNode(); index++) {
      PodShape shape = settings.has(Part.PROBES) ? PodShape.draw(drawn) : PodShape.PLAIN;
      create(node, "app-" + index, shape);
    }
  }

  private void create(String node, String app, PodShape shape) {
    created++;
    shapes.put(node + " " + app, shape);
    server.put(shape.pod(app + "-" + created, app, owner(shape.namespace(), app), node));
  }

  /** {@return how a container of a pod lives} */
  ContainerScript script(JsonNode pod, String container) {
    if (pod.at("/metadata/labels/flavor").asText().equals(HostilePods.NOISY)) {
      return HostilePods.noisy(container);
    }
    PodShape shape = shapes.get(key(pod));
    ContainerScript script = shape == null ? null : shape.scripts().get(container);
    return script == null ? ContainerScript.HEALTHY : script;
  }

  private static String key(JsonNode pod) {
    return pod.at("/spec/nodeName").asText() + " " + pod.at("/metadata/labels/app").asText();
  }

  /** {@return the namespace that a fault of one happens to} */
  static String namespace(Fault fault) {
    return PodShape.NAMESPACES.get(fault.target(PodShape.NAMESPACES.size()));
  }

  /** {@return the uid of the pod's owner} */
  private String owner(String namespace, String app) {
    JsonNode owner =
        server.get("/apis/apps/v1/namespaces/%s/daemonsets/%s".formatted(namespace, app));
    return (owner.isMissingNode()
            ? server.put(
                ClusterObjects.read(
                    """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: %s, namespace: %s}
                    spec: {selector: {matchLabels: {app: %s}}}
                    """
                        .formatted(app, namespace, app)))
            : owner)
        .at("/metadata/uid")
        .asText();
  }

  private void written(ApiWrite write) {
    JsonNode before = write.before();
    if (before == null
        || !before.at("/metadata/labels").has("app")
        || !before.at("/spec").has("nodeName")) {
      return;
    }
    JsonNode after = write.after();
    if (after == null) {
      world.after(REACTION.plusMillis(random.nextInt(500)), () -> replace(before));
    } else if (ObjectFields.isFinished(after) && !ObjectFields.isFinished(before)) {
      String path = ObjectFields.podPath(after);
      world.after(
          REACTION.plusMillis(random.nextInt(2_000)),
          () -> {
            if (server.get(path) instanceof ObjectNode now && ObjectFields.isFinished(now)) {
              server.delete(path);
            }
          });
    }
  }

  /** Waits while the node of the pod is away, or takes no pods. */
  private void replace(JsonNode gone) {
    String node = gone.at("/spec/nodeName").asText();
    JsonNode there = server.get("/api/v1/nodes/" + node);
    if (there.isMissingNode() || there.at("/spec/unschedulable").asBoolean()) {
      world.after(Duration.ofSeconds(10), () -> replace(gone));
      return;
    }
    PodShape shape = shapes.get(key(gone));
    if (shape != null) {
      create(node, gone.at("/metadata/labels/app").asText(), shape);
    }
  }
}
