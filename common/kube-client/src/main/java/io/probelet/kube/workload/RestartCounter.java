package io.probelet.kube.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The restarting pods of one workload, or those that are not ready, stored in annotations of a
 * Lease: one for the workload, one for its replicas, and one per node with restarting pods (D-9).
 * Others may write anything into it; content beyond the limits is ignored.
 *
 * @param workload the workload; empty if the lease names none, or belongs to another
 * @param replicas the desired replicas of the workload; empty while unknown
 * @param restarting the names of restarting pods, by node; no list is empty
 */
public record RestartCounter(
    String uid,
    String version,
    Optional<Workload> workload,
    OptionalInt replicas,
    SortedMap<String, List<String>> restarting) {
  /** The name of the leader election lease of the controller that maintains these leases. */
  public static final String LEADER_LEASE = "probelet-restart-guard";

  /** The label of these leases. */
  public static final String LABEL = "probelet.io/restarts";

  /** The annotation that names the workload. */
  public static final String WORKLOAD = "probelet.io/workload";

  /** The annotation with the number of replicas. */
  public static final String REPLICAS = "probelet.io/replicas";

  /** The prefix of the nodes' annotations. */
  public static final String NODE = "restarts.probelet.io/";

  /** The longest node name that fits into an annotation key after its slash. */
  static final int MAX_NODE_CHARS = 63;

  /** The most pods of one node that count, and that an agent lists. */
  static final int MAX_PODS = 32;

  private static final int MAX_DIGITS = 9;

  /** Reads a lease. */
  public static RestartCounter read(JsonNode lease) {
    JsonNode annotations = lease.at("/metadata/annotations");
    TreeMap<String, List<String>> restarting = new TreeMap<>();
    annotations
        .properties()
        .forEach(each -> {
          if (each.getKey().startsWith(NODE)) {
            List<String> pods = pods(each.getValue().asText());
            if (!pods.isEmpty()) {
              restarting.put(each.getKey().substring(NODE.length()), pods);
            }
          }
        });
    String name = lease.at("/metadata/name").asText();
    return new RestartCounter(
        Metadata.uid(lease),
        Metadata.version(lease),
        Workload.parse(annotations.path(WORKLOAD).asText())
            .filter(workload ->
                WorkloadBudget.of(name).filter(b -> workload.lease(b).equals(name)).isPresent()),
        number(annotations.path(REPLICAS).asText()),
        restarting);
  }

  private static List<String> pods(String text) {
    return Arrays.stream(text.split(",", -1))
        .filter(pod -> !pod.isEmpty())
        .distinct()
        .limit(MAX_PODS)
        .toList();
  }

  private static OptionalInt number(String text) {
    return text.matches("[0-9]{1," + MAX_DIGITS + "}")
        ? OptionalInt.of(Integer.parseInt(text))
        : OptionalInt.empty();
  }

  /** {@return the number of restarting pods} */
  public int count() {
    return restarting.values().stream().mapToInt(List::size).sum();
  }

  /** {@return the restarting pods on a node} */
  public List<String> on(String node) {
    return restarting.getOrDefault(node, List.of());
  }

  /** The first lease of a workload. */
  static ObjectNode created(
      Workload workload, WorkloadBudget budget, String namespace, String node, String pod) {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = lease.putObject("metadata");
    metadata.put("name", workload.lease(budget)).put("namespace", namespace);
    metadata.putObject("labels").put(LABEL, "");
    metadata.putObject("annotations").put(WORKLOAD, workload.text()).put(NODE + node, pod);
    return lease;
  }

  /** The patch that adds a pod of a node, conditional on the version. */
  ObjectNode with(String node, String pod) {
    return changed(node, Stream.concat(on(node).stream(), Stream.of(pod)).toList());
  }

  /** The patch that removes pods of a node, conditional on the version. */
  ObjectNode without(String node, Set<String> pods) {
    return changed(node, on(node).stream().filter(pod -> !pods.contains(pod)).toList());
  }

  private ObjectNode changed(String node, List<String> pods) {
    ObjectNode patch = patch();
    ObjectNode annotations = patch.withObject("metadata").putObject("annotations");
    if (pods.isEmpty()) {
      annotations.putNull(NODE + node);
    } else {
      annotations.put(NODE + node, String.join(",", pods));
    }
    return patch;
  }

  /** {@return the patch that removes all pods of some nodes, conditional on the version} */
  public ObjectNode withoutNodes(Set<String> nodes) {
    ObjectNode patch = patch();
    ObjectNode annotations = patch.withObject("metadata").putObject("annotations");
    nodes.forEach(node -> annotations.putNull(NODE + node));
    return patch;
  }

  /** {@return the patch that sets the replicas} */
  public ObjectNode withReplicas(int count) {
    ObjectNode patch = patch();
    patch.withObject("metadata").putObject("annotations").put(REPLICAS, Integer.toString(count));
    return patch;
  }

  private ObjectNode patch() {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", version);
    return patch;
  }
}
