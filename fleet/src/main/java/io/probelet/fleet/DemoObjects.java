package io.probelet.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.NodeJson;
import io.probelet.document.tree.Source;
import io.probelet.monitor.lifecycle.NodeLifecycle;
import io.probelet.nodehealth.controller.RemediationController;
import io.probelet.remediator.controller.RemediatorController;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The objects of the demo's cluster, as an API server would list them. It has three zones of twelve
 * workers and one control plane node each; those of zone b carry databases.
 */
final class DemoObjects {
  /** It fails and recovers by a reboot, again and again. */
  static final String RECOVERING = "worker-a-7";

  /** Its drain is held up by a PodDisruptionBudget. */
  static final String STUCK = "worker-b-3";

  /** It is not Ready, and a RemediationPolicy lets one node of its kind be remediated at a time. */
  static final String HELD = "worker-b-4";

  /** One of its links goes down and comes up again. */
  static final String FLAPPING = "worker-c-5";

  /** It has no room on its disk. */
  static final String FULL = "worker-c-9";

  private static final List<String> ZONES = List.of("a", "b", "c");
  private static final int WORKERS = 12;
  private static final int NODES_PER_RACK = 4;
  private static final String RESOURCES = read("demo-cluster.yaml");

  private DemoObjects() {}

  /** {@return the objects that stay the same for a quarter of an hour} */
  static List<ObjectNode> lasting(DemoTime time) {
    StringBuilder yaml = new StringBuilder(RESOURCES);
    for (String zone : ZONES) {
      append(yaml, controlPlane(zone));
      for (int number = 1; number <= WORKERS; number++) {
        String name = "worker-%s-%d".formatted(zone, number);
        if (!name.equals(RECOVERING)) {
          append(yaml, worker(name, time));
        }
      }
    }
    return objects(time.resolve(yaml.toString()));
  }

  /** {@return the other objects at a moment} */
  static List<ObjectNode> moving(DemoTime time) {
    StringBuilder yaml = new StringBuilder();
    append(yaml, worker(RECOVERING, time));
    leases().forEach(lease -> append(yaml, lease.formatted(time.now())));
    if (time.isWithin(101, 235)) {
      append(yaml, reboot(time));
    }
    if (time.cycleSeconds() >= 40) {
      append(yaml, notReady(time));
    }
    return objects(time.resolve(yaml.toString()));
  }

  private static void append(StringBuilder yaml, String document) {
    yaml.append("---\n").append(document);
  }

  private static List<ObjectNode> objects(String yaml) {
    return Document.yaml(Source.of(yaml))
        .map(document -> NodeJson.of(Objects.requireNonNull(document.root())).orElseThrow())
        .map(ObjectNode.class::cast)
        .toList();
  }

  private static String read(String name) {
    try (InputStream file = DemoObjects.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8);
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  private static String controlPlane(String zone) {
    return node(
        "control-plane-" + zone,
        "node-role.kubernetes.io/control-plane: \"\", topology.kubernetes.io/zone: zone-" + zone,
        ready("\"True\"", "KubeletReady", "kubelet is posting ready status", "@12d"));
  }

  private static String worker(String name, DemoTime time) {
    String zone = name.substring("worker-".length(), name.lastIndexOf('-'));
    int number = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    String pool = zone.equals("b") ? "database" : "web";
    String labels =
        "pool: %s, topology.kubernetes.io/zone: zone-%s, topology.kubernetes.io/rack: rack-%s%d"
            .formatted(pool, zone, zone, (number - 1) / NODES_PER_RACK + 1);
    return node(name, labels, conditions(name, time));
  }

  private static String conditions(String name, DemoTime time) {
    return switch (name) {
      case STUCK ->
          silent("@31m")
              + monitored(
                  "DiskUnresponsive", "DiskIOFailed", "/var/lib: no write within 10 s", "@29m");
      case HELD -> ready("\"False\"", "KubeletNotReady", "container runtime is down", "@12m");
      case RECOVERING ->
          time.isWithin(40, 225)
              ? silent(time.cycle().plusSeconds(40).toString())
              : wellSince(time.cycle().minusSeconds(75).toString());
      case FLAPPING ->
          wellSince("@12d")
              + monitored(
                  "LinkDown",
                  "Flapping",
                  "changed 9 times within 10m0s; now NoCarrier: eth1",
                  "@6m");
      case FULL ->
          wellSince("@12d")
              + monitored(
                  "DiskPressure", "KubeletHasDiskPressure", "kubelet has disk pressure", "@17m");
      default -> wellSince("@12d");
    };
  }

  private static String wellSince(String when) {
    return ready("\"True\"", "KubeletReady", "kubelet is posting ready status", when);
  }

  private static String silent(String when) {
    return ready("Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.", when);
  }

  private static String ready(String status, String reason, String message, String when) {
    return condition("Ready", status, reason, message, when)
        + condition(
            "MemoryPressure",
            "\"False\"",
            "KubeletHasSufficientMemory",
            "kubelet has sufficient memory available",
            "@12d");
  }

  private static String monitored(String type, String reason, String message, String when) {
    return condition(type, "\"True\"", reason, message, when);
  }

  private static String condition(
      String type, String status, String reason, String message, String when) {
    return "  - {type: %s, status: %s, reason: %s, message: \"%s\", lastTransitionTime: \"%s\"}\n"
        .formatted(type, status, reason, message, when);
  }

  private static String node(String name, String labels, String conditions) {
    return """
    apiVersion: v1
    kind: Node
    metadata:
      name: %s
      uid: demo-%s
      creationTimestamp: "@12d"
      labels: {kubernetes.io/hostname: %s, %s}
    spec: {unschedulable: %s}
    status:
      conditions:
    %s\
    """
        .formatted(name, name, name, labels, name.equals(STUCK), conditions);
  }

  private static Stream<String> leases() {
    return Stream.of(
            ClusterCare.LEASE,
            NodeLifecycle.LEASE,
            RemediationController.LEASE,
            RemediatorController.LEASE)
        .map(name ->
            """
            apiVersion: coordination.k8s.io/v1
            kind: Lease
            metadata: {name: %s, namespace: probelet-system}
            spec: {holderIdentity: probelet-controller-7d4b9c6f5-x2lqp, leaseDurationSeconds: 15, renewTime: "%%s"}
            """
                .formatted(name));
  }

  private static String reboot(DemoTime time) {
    String phase;
    String message;
    int since;
    if (time.isWithin(0, 135)) {
      phase = "Draining";
      since = 101;
      message =
          time.isWithin(0, 115)
              ? "3 pods are left: shop/web-7, shop/cart-7, shop/search-2"
              : "1 pod is left: shop/search-2";
    } else if (time.isWithin(0, 170)) {
      phase = "Ordered";
      since = 135;
      message = "the node's agent has the order to reboot";
    } else if (time.isWithin(0, 225)) {
      phase = "Waiting";
      since = 170;
      message = "rebooted; the kubelet is to say that it is in another boot";
    } else {
      phase = "Done";
      since = 225;
      message = "the node is in another boot, 4b0c2f5e-6a1d-4c1e-9d1b-0f3f5f0a7c21";
    }
    return """
    apiVersion: probelet.io/v1alpha1
    kind: RebootRemediation
    metadata:
      name: %1$s-m4q8z
      namespace: probelet-system
      uid: demo-reboot
      creationTimestamp: "%2$s"
      annotations: {remediation.medik8s.io/node-name: %1$s, remediation.medik8s.io/template-name: reboot}
      ownerReferences: [{apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, name: web-workers, uid: demo-nhc-web}]
    status:
      phase: %3$s
      phaseTime: "%4$s"
      message: "%5$s"
      conditions:
      - {type: Processing, status: "%6$s", reason: %3$s, lastTransitionTime: "%4$s"}
      - {type: Succeeded, status: "%7$s", reason: %3$s, lastTransitionTime: "%4$s"}
    """
        .formatted(
            RECOVERING,
            time.cycle().plusSeconds(101),
            phase,
            time.cycle().plusSeconds(since),
            message,
            phase.equals("Done") ? "False" : "True",
            phase.equals("Done") ? "True" : "Unknown");
  }

  private static String notReady(DemoTime time) {
    return """
    apiVersion: v1
    kind: Event
    metadata: {name: demo-recovering, namespace: default}
    involvedObject: {kind: Node, name: %1$s}
    type: Normal
    reason: NodeNotReady
    message: "Node %1$s status is now: NodeNotReady"
    count: 1
    lastTimestamp: "%2$s"
    source: {component: node-controller}
    """
        .formatted(RECOVERING, time.cycle().plusSeconds(40));
  }
}
