package io.probelet.rehearsal.prometheus;

import io.probelet.document.name.DnsName;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.tape.TapeLine.NodeSeen;
import io.probelet.nodehealth.tape.TapeReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The nodes, derived from the series that exist at one moment. */
final class ObservedNodes {
  /** Bounds of a tape (TP-1). */
  static final int MAX_CONDITIONS = 64;

  static final int MAX_LABELS = 256;
  private static final int MAX_TEXT = 316;

  private final LabelNames names;
  private final Map<String, Observed> nodes = new HashMap<>();
  private int seen;

  ObservedNodes(LabelNames names) {
    this.names = names;
  }

  /** The series do not describe a valid node. */
  static final class StrangeNodeException extends Exception {
    private static final long serialVersionUID = 1L;

    StrangeNodeException(String message) {
      super(message);
    }
  }

  /** Instances may overlap, so several values may exist at once; the latest one counts. */
  private static final class Observed {
    private final Map<String, LinkedHashSet<String>> conditions = new TreeMap<>();
    private final TreeSet<String> roles = new TreeSet<>();
    private final LinkedHashSet<Map<String, String>> labels = new LinkedHashSet<>();
    private boolean cordoned;

    private boolean isNothing() {
      return conditions.isEmpty() && roles.isEmpty() && labels.isEmpty() && !cordoned;
    }
  }

  /**
   * Applies a change.
   *
   * @param change the series that began or ended
   * @throws StrangeNodeException if a tape cannot contain it
   */
  String take(SeriesChange change) throws StrangeNodeException {
    Map<String, String> labels = change.labels();
    String node = word(labels, "node");
    if (!DnsName.SUBDOMAIN.matches(node)) {
      throw new StrangeNodeException("invalid node name: " + node);
    }
    Observed observed = nodes.computeIfAbsent(node, _ -> new Observed());
    boolean before = !observed.conditions.isEmpty();
    switch (change.metric()) {
      case CONDITION ->
          condition(observed, node, word(labels, "condition"), status(labels), change.began());
      case CORDON -> observed.cordoned = change.began();
      case ROLE -> put(observed.roles, word(labels, "role"), change.began(), node, "roles");
      case LABELS -> put(observed.labels, labels, change.began(), node, "series of labels");
    }
    seen += (observed.conditions.isEmpty() ? 0 : 1) - (before ? 1 : 0);
    if (seen > TapeReader.MAX_NODES) {
      throw new StrangeNodeException(
          "there are more than "
              + TapeReader.MAX_NODES
              + " nodes, the limit of a tape; select one cluster with --match");
    }
    if (observed.isNothing()) {
      nodes.remove(node);
    }
    return node;
  }

  private static void condition(
      Observed observed, String node, String type, String status, boolean began)
      throws StrangeNodeException {
    LinkedHashSet<String> statuses =
        observed.conditions.computeIfAbsent(type, _ -> new LinkedHashSet<>());
    put(statuses, status, began, node, "statuses");
    if (statuses.isEmpty()) {
      observed.conditions.remove(type);
    } else if (observed.conditions.size() > MAX_CONDITIONS) {
      throw new StrangeNodeException(
          "node " + node + " has more than " + MAX_CONDITIONS + " conditions");
    }
  }

  private static <T> void put(Set<T> active, T one, boolean began, String node, String what)
      throws StrangeNodeException {
    if (!began) {
      active.remove(one);
    } else if (active.add(one) && active.size() > MAX_LABELS) {
      throw new StrangeNodeException(
          "node " + node + " has more than " + MAX_LABELS + " " + what + " at once");
    }
  }

  private static String status(Map<String, String> labels) throws StrangeNodeException {
    String status = word(labels, "status");
    return switch (status) {
      case "true", "false", "unknown" ->
          status.substring(0, 1).toUpperCase(Locale.ROOT) + status.substring(1);
      default ->
          throw new StrangeNodeException("a status must be true, false or unknown: " + status);
    };
  }

  private static String word(Map<String, String> labels, String name) throws StrangeNodeException {
    String value = labels.getOrDefault(name, "");
    if (value.isEmpty() || value.length() > MAX_TEXT) {
      throw new StrangeNodeException(
          "a series needs the label %s, of up to %d characters; does it come from kube-state-metrics?"
              .formatted(name, MAX_TEXT));
    }
    return value;
  }

  /** Whether any node exists. Without any, Prometheus has a gap. */
  boolean any() {
    return seen > 0;
  }

  /**
   * The current state of a node.
   *
   * @param old its previous state; null if it is new
   * @param created creation time of a new node
   * @return empty if the node does not exist
   * @throws StrangeNodeException if a tape cannot contain it
   */
  Optional<NodeSeen> node(String name, Instant at, @Nullable NodeSeen old, Instant created)
      throws StrangeNodeException {
    Observed observed = nodes.get(name);
    if (observed == null || observed.conditions.isEmpty()) {
      return Optional.empty();
    }
    Map<String, NodeCondition> before =
        old == null
            ? Map.of()
            : old.node().conditions().stream()
                .collect(Collectors.toMap(NodeCondition::type, each -> each));
    List<NodeCondition> conditions = new ArrayList<>();
    observed.conditions.forEach((type, statuses) -> {
      NodeCondition was = before.get(type);
      String status = statuses.getLast();
      conditions.add(
          was != null && was.status().equals(status) ? was : new NodeCondition(type, status, at));
    });
    NodeFacts facts =
        new NodeFacts(
            name,
            old == null ? "node-" + name + "-" + at.getEpochSecond() : old.node().uid(),
            old == null ? created : old.node().created(),
            labels(name, observed),
            conditions,
            false,
            null);
    return Optional.of(new NodeSeen(at, facts, observed.cordoned));
  }

  private Map<String, String> labels(String node, Observed observed) throws StrangeNodeException {
    Map<String, String> labels = new HashMap<>();
    observed.roles.forEach(role -> labels.put("node-role.kubernetes.io/" + role, ""));
    if (!observed.labels.isEmpty()) {
      labels.putAll(names.of(observed.labels.getLast()));
    }
    for (Map.Entry<String, String> label : labels.entrySet()) {
      if (label.getKey().length() > MAX_TEXT || label.getValue().length() > MAX_TEXT) {
        throw new StrangeNodeException(
            "node " + node + " has a label of more than " + MAX_TEXT + " characters");
      }
    }
    if (labels.size() > MAX_LABELS) {
      throw new StrangeNodeException("node " + node + " has more than " + MAX_LABELS + " labels");
    }
    return labels;
  }
}
