package io.probelet.nodehealth.workloads;

import io.probelet.health.VirtualTime;
import io.probelet.kube.workload.Workload;
import io.probelet.nodehealth.workloads.ComparedWorkloads.Round;
import io.probelet.nodehealth.workloads.WorkloadPod.State;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Nodes and pods for tests, in rounds of virtual time. */
final class Cluster {
  static final List<String> NAMESPACES = List.of("a", "b", "c", "d");
  static final Duration WAIT = Duration.ofMinutes(5);
  static final WorkloadSettings SETTINGS = new WorkloadSettings(NAMESPACES, WAIT, 3, 60);

  final ComparedWorkloads evidence;
  private Duration now = Duration.ZERO;
  private Instant wall = VirtualTime.START;
  private boolean current = true;
  private @Nullable Duration confirmed;

  Cluster() {
    this(new ComparedWorkloads(SETTINGS));
  }

  Cluster(ComparedWorkloads evidence) {
    this.evidence = evidence;
  }

  // --- Nodes

  static WorkloadNode node(String name) {
    return new WorkloadNode(name, "uid-" + name, true, false, false, null, null);
  }

  /** Nodes n1, n2, … */
  Cluster nodes(int count) {
    for (int i = 1; i <= count; i++) {
      evidence.nodeSeen(node("n" + i));
    }
    return this;
  }

  /** A node with the condition of an earlier leader. */
  Cluster nodeWith(String name, String status, String reason) {
    evidence.nodeSeen(
        new WorkloadNode(
            name,
            "uid-" + name,
            true,
            false,
            false,
            null,
            new WorkloadNode.Shown(status, reason, "said before")));
    return this;
  }

  Cluster ready(String name, boolean ready) {
    evidence.nodeSeen(new WorkloadNode(name, "uid-" + name, ready, false, false, null, null));
    return this;
  }

  Cluster cordoned(String name, boolean cordoned) {
    evidence.nodeSeen(new WorkloadNode(name, "uid-" + name, true, false, cordoned, null, null));
    return this;
  }

  Cluster maintained(String name, Duration length) {
    evidence.nodeSeen(
        new WorkloadNode(name, "uid-" + name, true, false, false, wall.plus(length), null));
    return this;
  }

  Cluster deleting(String name) {
    evidence.nodeSeen(new WorkloadNode(name, "uid-" + name, true, true, false, null, null));
    return this;
  }

  // --- Pods

  static Workload workload(String namespace, String name) {
    return new Workload(
        Workload.Kind.REPLICA_SET, namespace, name, "00000000-0000-0000-0000-000000000001");
  }

  /** The only pod of a workload, such as a/web, on a node. */
  Cluster pod(String workload, String node, State state) {
    return pod(workload, "", node, state, false, "1");
  }

  Cluster restarted(String workload, String node, State state) {
    return pod(workload, "", node, state, true, "1");
  }

  Cluster pod(
      String workload, String hash, String node, State state, boolean restarted, String uid) {
    String[] names = workload.split("/", -1);
    evidence.podSeen(
        workload + "-" + hash + "-" + node + "-" + uid,
        uid,
        new WorkloadPod(
            node, new WorkloadRevision(workload(names[0], names[1]), hash), state, restarted));
    return this;
  }

  /** Sets the state of each workload's pod on each node. */
  Cluster pods(List<String> workloads, List<String> nodes, State state) {
    for (String workload : workloads) {
      for (String node : nodes) {
        pod(workload, node, state);
      }
    }
    return this;
  }

  // --- Time

  /** From now on the watches are interrupted, or current again. */
  Cluster watching(boolean all) {
    current = all;
    return this;
  }

  /** From now on nothing is confirmed, or everything again. */
  Cluster confirming(boolean confirms) {
    confirmed = confirms ? null : now;
    return this;
  }

  /** Lets time pass, in rounds; the first one sees what has changed. */
  Cluster pass(Duration time) {
    Duration end = now.plus(time);
    step(Duration.ZERO);
    while (now.compareTo(end) < 0) {
      step(ComparedWorkloads.ROUND);
    }
    return this;
  }

  /** One round after some time. */
  Cluster step(Duration time) {
    now = now.plus(time);
    wall = wall.plus(time);
    evidence.round(new Round(now, wall, current, confirmed == null ? now : confirmed));
    return this;
  }

  @Nullable Finding of(String node) {
    ComparedWorkloads.Node found = evidence.node(node);
    return found == null ? null : found.finding();
  }

  String message(String node) {
    ComparedWorkloads.Node found = evidence.node(node);
    WorkloadNode.Shown wanted = found == null ? null : found.wanted();
    return wanted == null ? "" : wanted.message();
  }
}
