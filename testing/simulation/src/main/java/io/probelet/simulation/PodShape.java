package io.probelet.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.ContainerScript;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What an owner creates pods from: containers with probes of all kinds, most of them in the
 * annotation, and how those containers live that no fault disturbs.
 *
 * @param namespace of the pods
 * @param flavor one word on the probes
 * @param job whether its pods are done once they exit with 0
 * @param annotation the value of the annotation with the probes; empty without one
 * @param containers the containers of the pod's spec, as a YAML flow sequence
 * @param scripts how each container lives
 */
record PodShape(
    String namespace,
    String flavor,
    boolean job,
    String annotation,
    String containers,
    Map<String, ContainerScript> scripts) {
  /** Namespaces of different tenants. */
  static final List<String> NAMESPACES = List.of("shop", "bank", "games");

  private static final List<String> NAMES = List.of("web", "cache", "log");
  private static final int PORT = 8080;

  /** Without probes. */
  static final PodShape PLAIN =
      new PodShape(
          "shop",
          "plain",
          false,
          "",
          containers(1),
          Map.of("web", WorldNode.healthy(Duration.ofSeconds(1), Behavior.HEALTHY)));

  /** Probes by kind may be so long and so many. */
  private record Timing(int period, int timeout, int failures) {
    private String yaml() {
      return "period: %dms, timeout: %dms, failureThreshold: %d"
          .formatted(period, timeout, failures);
    }
  }

  /** {@return a shape from a seed} */
  static PodShape draw(RandomGenerator random) {
    String namespace =
        NAMESPACES.get(random.nextInt(10) < 6 ? 0 : random.nextInt(NAMESPACES.size()));
    return switch (random.nextInt(10)) {
      case 0 -> ofKubelet(namespace, random);
      case 1 -> job(namespace, random);
      case 2 -> drawn(namespace, "team", 2 + random.nextInt(2), random);
      case 3 -> startupOnly(namespace, random);
      default -> drawn(namespace, "annotation", 1, random);
    };
  }

  /** Its probes are in the spec, and the kubelet's. */
  private static PodShape ofKubelet(String namespace, RandomGenerator random) {
    int period = random.nextInt(1, 4) * 5;
    int failures = 1 + random.nextInt(3);
    String probes =
        random.nextBoolean()
            ? "livenessProbe: {tcpSocket: {port: http}, periodSeconds: %d, failureThreshold: %d}, readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 5}"
                .formatted(period, failures)
            : "startupProbe: {httpGet: {path: /, port: http}, periodSeconds: 2, failureThreshold: 40}, livenessProbe: {httpGet: {path: /, port: http}, periodSeconds: %d, failureThreshold: %d}, readinessProbe: {httpGet: {path: /ready, port: http}, periodSeconds: 2}"
                .formatted(period, failures);
    return new PodShape(
        namespace,
        "spec",
        false,
        "",
        "[{name: web, image: web, ports: [{name: http, containerPort: %d}], %s}]"
            .formatted(PORT, probes),
        Map.of("web", script(Duration.ofMillis(random.nextInt(200, 4_000)), 1_000, random)));
  }

  private static PodShape job(String namespace, RandomGenerator random) {
    Timing timing = timing(random);
    String liveness =
        "{web: {liveness: {httpGet: {path: /, port: http}, initialDelay: 5s, %s}}}"
            .formatted(timing.yaml());
    return new PodShape(
        namespace,
        "job",
        true,
        liveness,
        containers(1),
        scripts(1, 3_000, timing.timeout(), random));
  }

  /** Only its startup is probed, and it may take long. */
  private static PodShape startupOnly(String namespace, RandomGenerator random) {
    return new PodShape(
        namespace,
        "startup",
        false,
        "{web: {startup: {httpGet: {path: /, port: http}, period: 2s, failureThreshold: 40}}}",
        containers(1),
        scripts(1, 60_000, 1_000, random));
  }

  private static PodShape drawn(
      String namespace, String flavor, int containers, RandomGenerator random) {
    StringBuilder annotation = new StringBuilder();
    Map<String, ContainerScript> scripts = new TreeMap<>();
    for (int index = 0; index < containers; index++) {
      Timing timing = timing(random);
      boolean startup = random.nextInt(3) > 0;
      int starts = startup ? 40_000 : 3_000;
      List<String> probes = new ArrayList<>();
      if (startup) {
        probes.add(
            "startup: {%s, period: 2s, timeout: %dms, failureThreshold: 40}"
                .formatted(handler("/", index, random), timing.timeout()));
      }
      boolean liveness = random.nextInt(5) > 0;
      if (liveness) {
        probes.add(
            "liveness: {%s, %s%s}"
                .formatted(
                    handler("/", index, random), timing.yaml(), extras(startup, timing, random)));
      }
      if (!liveness || random.nextInt(4) > 0) {
        probes.add(
            "readiness: {%s, period: %dms, timeout: %dms, failureThreshold: %d, successThreshold: %d%s}"
                .formatted(
                    handler("/ready", index, random),
                    random.nextInt(1, 6) * 1_000,
                    timing.timeout(),
                    1 + random.nextInt(3),
                    1 + random.nextInt(3),
                    random.nextInt(10) == 0
                        ? ", recoveryTime: %ds".formatted(random.nextInt(5, 30))
                        : ""));
      }
      String name = NAMES.get(index);
      annotation.append(index == 0 ? "" : ", ").append(name).append(": {");
      annotation.append(String.join(", ", probes)).append('}');
      scripts.putAll(Map.of(name, script(starts(starts, random), timing.timeout(), random)));
    }
    return new PodShape(
        namespace, flavor, false, "{" + annotation + "}", containers(containers), scripts);
  }

  private static String extras(boolean startup, Timing timing, RandomGenerator random) {
    StringBuilder extras = new StringBuilder();
    if (!startup || random.nextInt(4) == 0) {
      extras.append(", initialDelay: %ds".formatted(random.nextInt(4, 40)));
    }
    if (random.nextInt(5) == 0) {
      extras.append(", throttleHold: %ds".formatted(random.nextInt(0, 300)));
    }
    if (random.nextInt(6) == 0 && timing.period() > 1_000) {
      extras.append(", failingPeriod: %dms".formatted(timing.period() / 2));
    }
    return extras.toString();
  }

  private static String handler(String path, int index, RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0 ->
          path.equals("/") ? "tcpSocket: {port: http}" : "httpGet: {path: /ready, port: http}";
      case 1 ->
          "grpc: {port: %d%s}".formatted(PORT + index, path.equals("/") ? "" : ", service: ready");
      default -> "httpGet: {path: %s, port: http}".formatted(path);
    };
  }

  /** Short timeouts are as likely as long ones. */
  private static Timing timing(RandomGenerator random) {
    int[] periods = {500, 1_000, 2_000, 5_000, 5_000, 10_000, 10_000, 15_000};
    int[] timeouts = {100, 120, 200, 400, 800, 1_000, 1_000, 3_000, 5_000, 10_000};
    return new Timing(
        periods[random.nextInt(periods.length)],
        timeouts[random.nextInt(timeouts.length)],
        1 + random.nextInt(4));
  }

  private static String containers(int number) {
    List<String> containers = new ArrayList<>();
    for (int index = 0; index < number; index++) {
      containers.add(
          "{name: %s, image: web, ports: [{name: http, containerPort: %d}]}"
              .formatted(NAMES.get(index), PORT + index));
    }
    return containers.toString();
  }

  private static Map<String, ContainerScript> scripts(
      int number, int starts, int timeout, RandomGenerator random) {
    Map<String, ContainerScript> scripts = new TreeMap<>();
    for (int index = 0; index < number; index++) {
      scripts.put(NAMES.get(index), script(starts(starts, random), timeout, random));
    }
    return scripts;
  }

  /** Most start fast, some take as long as they may. */
  private static Duration starts(int longest, RandomGenerator random) {
    int most = random.nextInt(4) == 0 ? longest : Math.min(longest, 4_000);
    return Duration.ofMillis(random.nextInt(Math.min(200, most - 1), most));
  }

  /** A healthy container, perhaps one whose responses take half of the timeout. */
  private static ContainerScript script(Duration starts, int timeout, RandomGenerator random) {
    Behavior well =
        random.nextBoolean()
            ? Behavior.HEALTHY
            : Behavior.slow(Duration.ofMillis(1), Duration.ofMillis(timeout / 2));
    return WorldNode.healthy(starts, well);
  }

  /** {@return the manifest of a pod} */
  ObjectNode pod(String name, String app, String owner, String node) {
    return ClusterObjects.read(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %s
          namespace: %s
          labels: {app: %s, flavor: %s}
          annotations: {%s}
          ownerReferences:
          - {apiVersion: apps/v1, kind: DaemonSet, name: %s, uid: %s, controller: true}
        spec:
          nodeName: %s
          restartPolicy: %s
          terminationGracePeriodSeconds: 10
          tolerations: [{operator: Exists}]
          readinessGates: [%s]
          containers: %s
        """
            .formatted(
                name,
                namespace,
                app,
                flavor,
                annotation.isEmpty() ? "" : "probelet.io/probes: '" + annotation + "'",
                app,
                owner,
                node,
                job ? "OnFailure" : "Always",
                job ? "" : "{conditionType: probelet.io/ready}",
                containers));
  }
}
