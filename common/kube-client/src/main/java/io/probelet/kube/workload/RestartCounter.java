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
 * The pods of one workload that restart, as its Lease has them in annotations: one for the
 * workload, one for its replicas, and one for each node with pods that restart (D-9). Others may
 * have written anything into it; of what is too much, the rest does not count.
 *
 * @param workload whose it is; empty if the lease does not say, or is not that workload's
 * @param replicas how many replicas the workload is to have; empty while nobody has said
 * @param restarting names of pods that restart, by node, none of them empty
 */
public record RestartCounter(
    String uid,
    String version,
    Optional<Workload> workload,
    OptionalInt replicas,
    SortedMap<String, List<String>> restarting) {
  /** The name of the lease by which one of all controllers leads, which keeps these. */
  public static final String LEADER_LEASE = "probelet-restart-guard";

  /** What the names of all such leases begin with. */
  public static final String PREFIX = "probelet-restarts-";

  /** The label of all such leases. */
  public static final String LABEL = "probelet.io/restarts";

  /** The annotation that names the workload. */
  public static final String WORKLOAD = "probelet.io/workload";

  /** The annotation that has the number of its replicas. */
  public static final String REPLICAS = "probelet.io/replicas";

  /** What the annotations of nodes begin with. */
  public static final String NODE = "restarts.probelet.io/";

  /** The longest name of a node that the key of an annotation can have after its slash. */
  static final int MAX_NODE_CHARS = 63;

  /** Pods of one node that count, and that an agent lists. */
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
            .filter(workload -> workload.lease().equals(name)),
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

  /** {@return how many pods restart} */
  public int count() {
    return restarting.values().stream().mapToInt(List::size).sum();
  }

  /** {@return the pods that restart on a node} */
  public List<String> on(String node) {
    return restarting.getOrDefault(node, List.of());
  }

  /** The lease of a workload of which nothing has restarted yet. */
  static ObjectNode created(Workload workload, String namespace, String node, String pod) {
    ObjectNode lease = JsonNodeFactory.instance.objectNode();
    lease.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = lease.putObject("metadata");
    metadata.put("name", workload.lease()).put("namespace", namespace);
    metadata.putObject("labels").put(LABEL, "");
    metadata.putObject("annotations").put(WORKLOAD, workload.text()).put(NODE + node, pod);
    return lease;
  }

  /** The change after which a pod of a node is in the list, unless somebody was faster. */
  ObjectNode with(String node, String pod) {
    return changed(node, Stream.concat(on(node).stream(), Stream.of(pod)).toList());
  }

  /** The change after which pods of a node are not in the list, unless somebody was faster. */
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

  /**
   * {@return the change after which nothing of some nodes is in the list, unless somebody was
   * faster}
   */
  public ObjectNode withoutNodes(Set<String> nodes) {
    ObjectNode patch = patch();
    ObjectNode annotations = patch.withObject("metadata").putObject("annotations");
    nodes.forEach(node -> annotations.putNull(NODE + node));
    return patch;
  }

  /** {@return the change after which the replicas are in it} */
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
