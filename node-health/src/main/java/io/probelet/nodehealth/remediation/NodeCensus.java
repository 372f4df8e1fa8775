package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.NodeHealth.Healthy;
import io.probelet.nodehealth.remediation.NodeHealth.Soon;
import io.probelet.nodehealth.remediation.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.NodeHealth.Unreported;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The selected nodes of one NodeHealthCheck in three groups: healthy, soon unhealthy, unhealthy
 * . It is kept up to date node by node, so that a change costs what that node's conditions
 * cost, however many nodes there are (RB-1).
 *
 * <p>Not safe for use by several threads.
 */
public final class NodeCensus {
  private final NodeHealthCheckSpec spec;
  private final Map<String, NodeFacts> members = new HashMap<>();
  private final NavigableMap<String, Unhealthy> unhealthy = new TreeMap<>();
  private final Map<String, Soon> soon = new HashMap<>();
  private final Set<String> unreported = new HashSet<>();
  private final SortedSet<Due> dues =
      new TreeSet<>(Comparator.comparing(Due::at).thenComparing(Due::node));
  private final SortedSet<String> confirmed = new TreeSet<>();
  private Instant asOf;

  private record Due(Instant at, String node) {}

  /**
   * Begins without nodes.
   *
   * @param spec whom to select and how to judge
   * @param now the moment
   */
  public NodeCensus(NodeHealthCheckSpec spec, Instant now) {
    this.spec = spec;
    this.asOf = now;
  }

  /**
   * Counts all nodes at once.
   *
   * @param spec whom to select and how to judge
   * @param nodes all nodes
   * @param now the moment
   * @return the census
   */
  public static NodeCensus of(NodeHealthCheckSpec spec, Collection<NodeFacts> nodes, Instant now) {
    NodeCensus census = new NodeCensus(spec, now);
    nodes.forEach(census::observe);
    return census;
  }

  /**
   * Takes a new or changed node.
   *
   * @param node the node as it is now; one that is not selected is left out
   */
  public void observe(NodeFacts node) {
    forget(node.name());
    if (spec.selector().matches(node.labels())) {
      members.put(node.name(), node);
      if (node.confirmedHealthy()) {
        confirmed.add(node.name());
      }
      judge(node);
    }
  }

  /**
   * Takes a node's end.
   *
   * @param name the node's name; unknown names do no harm
   */
  public void forget(String name) {
    if (members.remove(name) != null) {
      confirmed.remove(name);
      ungroup(name);
    }
  }

  /**
   * Moves the moment, and with it the nodes whose conditions have lasted meanwhile.
   *
   * @param now the new moment; a wall clock may also go back
   */
  public void advance(Instant now) {
    boolean back = now.isBefore(asOf);
    asOf = now;
    List<String> again = new ArrayList<>(back ? unhealthy.keySet() : List.of());
    for (Due due : dues) {
      if (due.at().isAfter(now)) {
        break;
      }
      again.add(due.node());
    }
    for (String name : again) {
      ungroup(name);
      judge(Objects.requireNonNull(members.get(name)));
    }
  }

  /** {@return the moment that all judgements are for} */
  public Instant asOf() {
    return asOf;
  }

  /** {@return what it was made for} */
  NodeHealthCheckSpec spec() {
    return spec;
  }

  /** {@return how many nodes are selected} */
  public int observed() {
    return members.size();
  }

  /** {@return how many of them nothing speaks against} */
  public int healthy() {
    return members.size() - unhealthy.size() - soon.size();
  }

  /** {@return the unhealthy nodes by name; a view} */
  public NavigableMap<String, Unhealthy> unhealthy() {
    return Collections.unmodifiableNavigableMap(unhealthy);
  }

  /**
   * Finds a selected node.
   *
   * @param name its name
   * @return the node; empty if there is none or it is not selected
   */
  public Optional<NodeFacts> node(String name) {
    return Optional.ofNullable(members.get(name));
  }

  /**
   * Tells how a selected node is.
   *
   * @param name its name
   * @return the judgement; empty if there is no such node or it is not selected
   */
  public Optional<NodeHealth> health(String name) {
    if (!members.containsKey(name)) {
      return Optional.empty();
    }
    NodeHealth verdict = unhealthy.get(name);
    if (verdict == null) {
      verdict = soon.get(name);
    }
    if (verdict == null) {
      verdict = unreported.contains(name) ? NodeHealth.UNREPORTED : NodeHealth.HEALTHY;
    }
    return Optional.of(verdict);
  }

  /** {@return the nodes that a person has confirmed to be healthy, whatever their group} */
  SortedSet<String> confirmed() {
    return Collections.unmodifiableSortedSet(confirmed);
  }

  /** {@return when the next node becomes unhealthy if nothing changes; empty if none does} */
  public Optional<Instant> nextChange() {
    return dues.isEmpty() ? Optional.empty() : Optional.of(dues.first().at());
  }

  private void judge(NodeFacts node) {
    switch (NodeHealth.of(spec, node, asOf)) {
      case Healthy _ -> {}
      case Unreported _ -> unreported.add(node.name());
      case Unhealthy verdict -> unhealthy.put(node.name(), verdict);
      case Soon verdict -> {
        soon.put(node.name(), verdict);
        dues.add(new Due(verdict.at(), node.name()));
      }
    }
  }

  private void ungroup(String name) {
    unhealthy.remove(name);
    unreported.remove(name);
    Soon waiting = soon.remove(name);
    if (waiting != null) {
      dues.remove(new Due(waiting.at(), name));
    }
  }
}
