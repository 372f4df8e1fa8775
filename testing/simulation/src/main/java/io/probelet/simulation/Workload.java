package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.WorldSettings.Part;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.Set;
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
      create(
          node,
          "app-" + index,
          settings.has(Part.PROBES) ? flavor(drawn) : "plain",
          drawn.nextInt(1, 4) * 5,
          1 + drawn.nextInt(3));
    }
  }

  private static String flavor(RandomGenerator drawn) {
    return switch (drawn.nextInt(6)) {
      case 0 -> "spec";
      case 1 -> "annotation";
      case 2 -> "tcp";
      case 3 -> "startup";
      case 4 -> "job";
      default -> "mixed";
    };
  }

  private void create(String node, String app, String flavor, int period, int threshold) {
    created++;
    boolean annotated = Set.of("annotation", "startup", "job").contains(flavor);
    boolean job = flavor.equals("job");
    String probes = probes(flavor, period, threshold);
    ObjectNode pod =
        ClusterObjects.read(
            """
            apiVersion: v1
            kind: Pod
            metadata:
              name: %s-%d
              namespace: shop
              labels: {app: %s, flavor: %s, period: "%d", threshold: "%d"}
              annotations: {%s}
              ownerReferences:
              - {apiVersion: apps/v1, kind: DaemonSet, name: %s, uid: %s, controller: true}
            spec:
              nodeName: %s
              restartPolicy: %s
              terminationGracePeriodSeconds: 10
              tolerations: [{operator: Exists}]
              readinessGates: [%s]
              containers:
              - {name: web, image: web, ports: [{name: http, containerPort: 8080}]%s}
            """
                .formatted(
                    app,
                    created,
                    app,
                    flavor,
                    period,
                    threshold,
                    annotated ? "probelet.io/probes: '{web: {%s}}'".formatted(probes) : "",
                    app,
                    owner(app),
                    node,
                    job ? "OnFailure" : "Always",
                    job ? "" : "{conditionType: probelet.io/ready}",
                    annotated || probes.isEmpty() ? "" : ", " + probes));
    server.put(pod);
  }

  /** {@return the uid of the pod's owner} */
  private String owner(String app) {
    JsonNode owner = server.get("/apis/apps/v1/namespaces/shop/daemonsets/" + app);
    return (owner.isMissingNode()
            ? server.put(
                ClusterObjects.read(
                    """
                    apiVersion: apps/v1
                    kind: DaemonSet
                    metadata: {name: %s, namespace: shop}
                    spec: {selector: {matchLabels: {app: %s}}}
                    """
                        .formatted(app, app)))
            : owner)
        .at("/metadata/uid")
        .asText();
  }

  private static String probes(String flavor, int period, int threshold) {
    String get = "httpGet: {path: /, port: http}";
    return switch (flavor) {
      case "plain" -> "";
      case "tcp" ->
          "livenessProbe: {tcpSocket: {port: http}, periodSeconds: %d, failureThreshold: %d}, "
                  .formatted(period, threshold)
              + "readinessProbe: {%s, periodSeconds: 5}".formatted(get);
      case "startup" -> "startup: {%s, period: 2s, failureThreshold: 40}".formatted(get);
      case "job" ->
          "liveness: {%s, period: %ds, failureThreshold: %d}".formatted(get, period, threshold);
      case "annotation" ->
          "startup: {%s, period: 2s, failureThreshold: 30}, ".formatted(get)
              + "liveness: {%s, period: %ds, failureThreshold: %d, timeout: 800ms}, "
                  .formatted(get, period, threshold)
              + "readiness: {%s, period: 3s}".formatted(get);
      default ->
          "startupProbe: {%s, periodSeconds: 2, failureThreshold: 40}, ".formatted(get)
              + "livenessProbe: {%s, periodSeconds: %d, failureThreshold: %d}, "
                  .formatted(get, period, threshold)
              + "readinessProbe: {%s, periodSeconds: %d}"
                  .formatted(get, flavor.equals("mixed") ? 2 : period);
    };
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
      String path = "/api/v1/namespaces/shop/pods/" + after.at("/metadata/name").asText();
      world.after(
          REACTION,
          () -> {
            if (server.get(path) instanceof ObjectNode) {
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
    JsonNode labels = gone.at("/metadata/labels");
    create(
        node,
        labels.path("app").asText(),
        labels.path("flavor").asText(),
        labels.path("period").asInt(),
        labels.path("threshold").asInt());
  }
}
