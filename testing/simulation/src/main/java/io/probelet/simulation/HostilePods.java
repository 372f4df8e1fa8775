package io.probelet.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.probe.PodRef;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.node.Behavior;
import io.probelet.simulation.node.ContainerScript;
import io.probelet.simulation.node.ContainerScript.Nature;
import io.probelet.simulation.node.ScriptedContainer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Pods of a tenant who wants to harm others, or does not care. */
final class HostilePods {
  /** The label of pods whose containers fail in turns. */
  static final String NOISY = "noisy";

  private static final String NAMESPACE = "games";

  private HostilePods() {}

  /**
   * A pod that claims to be the image of another in the API server, by that pod's uid. Its probes
   * fail. A kubelet does not run it.
   *
   * @return deletes it
   */
  static Runnable thief(World world, ScriptedContainer victim) {
    PodRef pod = victim.pod().ref();
    String node = world.nodeOf(victim).map(WorldNode::name).orElse("nowhere");
    String probes =
        "{%s: {startup: {tcpSocket: {port: 9}, period: 1s}, liveness: {tcpSocket: {port: 9}, period: 1s, failureThreshold: 1}}}"
            .formatted(victim.spec().name());
    return create(
        world,
        List.of(
            ClusterObjects.read(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: tenant
                  annotations:
                    kubernetes.io/config.mirror: %s
                    probelet.io/probes: '%s'
                spec:
                  nodeName: %s
                  tolerations: [{operator: Exists}]
                  containers:
                  - {name: %s, image: web}
                """
                    .formatted(pod.name(), pod.uid(), probes, node, victim.spec().name()))));
  }

  /**
   * Pods with many probes that fail in ever other ways: more news than others have.
   *
   * @return deletes them
   */
  static Runnable noise(World world, String node, RandomGenerator random) {
    List<ObjectNode> pods = new ArrayList<>();
    for (int number = random.nextInt(4, 9); number > 0; number--) {
      pods.add(noise(NAMESPACE, node, random));
    }
    return create(world, pods);
  }

  /**
   * A pod on each node that fails, because its namespace is being deleted.
   *
   * @return deletes them
   */
  static Runnable leaving(World world, String namespace, RandomGenerator random) {
    return create(
        world, world.nodes().stream().map(node -> noise(namespace, node.name(), random)).toList());
  }

  private static ObjectNode noise(String namespace, String node, RandomGenerator random) {
    String probes =
        "readiness: {httpGet: {path: /ready, port: http}, period: 2s, failureThreshold: 1}, liveness: {httpGet: {path: /, port: http}, period: 3s, failureThreshold: 2}";
    return ClusterObjects.read(
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: noise-%s-%d
          namespace: %s
          labels: {flavor: %s}
          annotations:
            probelet.io/probes: '{a: {%s}, b: {%s}, c: {%s}}'
        spec:
          nodeName: %s
          terminationGracePeriodSeconds: 2
          tolerations: [{operator: Exists}]
          containers:
          - {name: a, image: web, ports: [{name: http, containerPort: 8080}]}
          - {name: b, image: web, ports: [{name: http, containerPort: 8081}]}
          - {name: c, image: web, ports: [{name: http, containerPort: 8082}]}
        """
            .formatted(
                node, random.nextInt(1_000_000), namespace, NOISY, probes, probes, probes, node));
  }

  /** {@return how a noisy container lives} */
  static ContainerScript noisy(String container) {
    return new ContainerScript(
        container.equals("a") ? Nature.ANSWERING_WRONGLY : Nature.HANGING,
        Behavior.HEALTHY,
        Duration.ofMillis(500),
        Duration.ofSeconds(6),
        Duration.ofSeconds(6),
        true);
  }

  private static Runnable create(World world, List<ObjectNode> pods) {
    pods.forEach(world.server()::put);
    Runnable delete =
        () ->
            pods.forEach(pod -> {
              String path = ObjectFields.podPath(pod);
              if (world.server().get(path) instanceof ObjectNode) {
                world.server().delete(path);
              }
            });
    world.whenQuiet(delete); // a backup may have brought them back
    return delete;
  }
}
