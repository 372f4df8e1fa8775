package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Soon;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unhealthy;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth.Unreported;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The selected nodes of one NodeHealthCheck at one moment in three groups: healthy, soon unhealthy,
 * unhealthy. A value: each change returns a new census that shares unchanged parts with the
 * old one, so that its cost depends only on that node's conditions (RB-1).
 */
public final class NodeCensus {
  private static final Comparator<Due> SOONEST =
      Comparator.comparing(Due::at).thenComparing(Due::node);

  private final NodeHealthCheckSpec spec;
  private final Instant asOf;
  private final HashPMap<String, Member> members;
  private final TreePMap<String, Unhealthy> unhealthy;
  private final TreePSet<Due> dues; // one entry for each node that time alone may change
  private final TreePSet<String> uncertain; // neither healthy nor unhealthy
  private final TreePSet<String> confirmed;
  private final Instant turnedAt;

  /**
   * A node.
   *
   * @param next when to evaluate it again even if it does not change; null for never
   */
  private record Member(NodeFacts facts, NodeHealth health, @Nullable Instant next) {}

  private record Due(Instant at, String node) {}

  private NodeCensus(
      NodeHealthCheckSpec spec,
      Instant asOf,
      HashPMap<String, Member> members,
      TreePMap<String, Unhealthy> unhealthy,
      TreePSet<Due> dues,
      TreePSet<String> uncertain,
      TreePSet<String> confirmed,
      Instant turnedAt) {
    this.spec = spec;
    this.asOf = asOf;
    this.members = members;
    this.unhealthy = unhealthy;
    this.dues = dues;
    this.uncertain = uncertain;
    this.confirmed = confirmed;
    this.turnedAt = turnedAt;
  }

  /**
   * Counts nodes.
   *
   * @param nodes all nodes; unselected ones are skipped
   */
  public static NodeCensus of(NodeHealthCheckSpec spec, Collection<NodeFacts> nodes, Instant now) {
    NodeCensus census =
        new NodeCensus(
            spec,
            now,
            HashTreePMap.empty(),
            TreePMap.empty(),
            TreePSet.empty(SOONEST),
            TreePSet.empty(),
            TreePSet.empty(),
            Instant.MIN);
    for (NodeFacts node : nodes) {
      census = spec.selector().matches(node.labels()) ? census.adding(node) : census;
    }
    return census;
  }

  /**
   * Adds or replaces a node.
   *
   * @param node the node's current state; an unselected node is skipped
   */
  public NodeCensus with(NodeFacts node) {
    NodeCensus others = removing(node.name());
    NodeCensus now = spec.selector().matches(node.labels()) ? others.adding(node) : others;
    return now.turnedSince(this, node.name());
  }

  /**
   * Removes a node.
   *
   * @param name the node's name; may be unknown
   * @return the census without it
   */
  public NodeCensus without(String name) {
    return removing(name).turnedSince(this, name);
  }

  private NodeCensus removing(String name) {
    Member gone = members.get(name);
    if (gone == null) {
      return this;
    }
    return new NodeCensus(
        spec,
        asOf,
        members.minus(name),
        gone.health() instanceof Unhealthy ? unhealthy.minus(name) : unhealthy,
        gone.next() == null ? dues : dues.minus(new Due(gone.next(), name)),
        isUncertain(gone.health()) ? uncertain.minus(name) : uncertain,
        gone.facts().confirmedHealthy() ? confirmed.minus(name) : confirmed,
        turnedAt);
  }

  private NodeCensus adding(NodeFacts node) {
    String name = node.name();
    NodeAssessment assessed = NodeAssessment.of(spec, node, asOf);
    NodeHealth health = assessed.health();
    Instant next = assessed.next();
    return new NodeCensus(
        spec,
        asOf,
        members.plus(name, new Member(node, health, next)),
        health instanceof Unhealthy found ? unhealthy.plus(name, found) : unhealthy,
        next == null ? dues : dues.plus(new Due(next, name)),
        isUncertain(health) ? uncertain.plus(name) : uncertain,
        node.confirmedHealthy() ? confirmed.plus(name) : confirmed,
        turnedAt);
  }

  private static boolean isUncertain(NodeHealth health) {
    return health instanceof Soon || hold(health) != null;
  }

  /** Records the moment if a node changed its group; a condition that expires does not count. */
  private NodeCensus turnedSince(NodeCensus before, String name) {
    return members.containsKey(name) == before.members.containsKey(name)
            && healthy() == before.healthy()
        ? this
        : new NodeCensus(spec, asOf, members, unhealthy, dues, uncertain, confirmed, asOf);
  }

  /**
   * Moves the moment, and regroups nodes whose conditions have expired.
   *
   * @param now the new moment; a wall clock may also go back
   */
  public NodeCensus at(Instant now) {
    List<String> again = new ArrayList<>(now.isBefore(asOf) ? unhealthy.keySet() : List.of());
    for (Due due : dues) {
      if (due.at().isAfter(now)) {
        break;
      }
      again.add(due.node());
    }
    NodeCensus moved =
        new NodeCensus(spec, now, members, unhealthy, dues, uncertain, confirmed, turnedAt);
    for (String name : again) {
      NodeFacts node = moved.node(name).orElseThrow();
      moved = moved.removing(name).adding(node);
    }
    return moved;
  }

  /** {@return the moment of the census} */
  public Instant asOf() {
    return asOf;
  }

  /**
   * {@return when a node last became healthy, stopped being healthy, came or went (RB-6); long ago
   * if none has since the first count}
   */
  Instant turnedAt() {
    return turnedAt;
  }

  /** {@return the spec that it applies} */
  NodeHealthCheckSpec spec() {
    return spec;
  }

  /** {@return the number of selected nodes} */
  public int observed() {
    return members.size();
  }

  /**
   * {@return the number of selected nodes without a matching unhealthy condition, as far as known}
   */
  public int healthy() {
    return members.size() - unhealthy.size() - uncertain.size();
  }

  /** {@return the nodes that are neither healthy nor unhealthy, by name} */
  NavigableSet<String> uncertain() {
    return uncertain;
  }

  /** {@return the unhealthy nodes by name} */
  public NavigableMap<String, Unhealthy> unhealthy() {
    return unhealthy;
  }

  /**
   * Finds a selected node.
   *
   * @return the node; empty if it does not exist or is not selected
   */
  public Optional<NodeFacts> node(String name) {
    return Optional.ofNullable(members.get(name)).map(Member::facts);
  }

  /**
   * Finds the health of a selected node.
   *
   * @return its health; empty if the node does not exist or is not selected
   */
  public Optional<NodeHealth> health(String name) {
    return Optional.ofNullable(members.get(name)).map(Member::health);
  }

  /**
   * Finds why a selected node is neither healthy nor unhealthy.
   *
   * @return the reason; empty if it is one of these, or only for a known time
   */
  Optional<HoldReason> hold(String name) {
    return health(name).map(NodeCensus::hold);
  }

  private static @Nullable HoldReason hold(NodeHealth health) {
    return switch (health) {
      case NodeHealth.Undecided(String reason) -> new HoldReason.Undecided(reason);
      case NodeHealth.Suspended(HoldReason reason) -> reason;
      default -> null;
    };
  }

  /**
   * Returns whether a change of a node can change a plan: it counts differently, or another
   * property that a rule reads has changed. A new node without a report changes nothing.
   *
   * @param before the census before the change
   * @return whether to plan again
   */
  public boolean isNewsSince(NodeCensus before, String name) {
    Member old = before.members.get(name);
    Member now = members.get(name);
    if (now == null) {
      return old != null;
    }
    if (old == null) {
      return !(now.health() instanceof Unreported);
    }
    return (!old.health().equals(now.health()) && !(now.health() instanceof Unreported))
        || old.facts().confirmedHealthy() != now.facts().confirmedHealthy()
        || !Objects.equals(old.facts().approved(), now.facts().approved())
        || old.facts().isControlPlane() != now.facts().isControlPlane()
        || !Objects.equals(
            old.facts().labels().get(WireNames.EXCLUDE),
            now.facts().labels().get(WireNames.EXCLUDE));
  }

  /**
   * Returns whether a change of a node only changed the number of healthy nodes, without crossing
   * the required minimum: the plan is then the same, unless the node has a remediation.
   *
   * @param before the census before the change
   * @param uncertain maximum number of healthy nodes that do not count yet, because their
   *     remediations are ending
   * @return whether the plan is the same except for its counts and its next timer
   */
  public boolean isOnlyCountSince(NodeCensus before, String name, int uncertain) {
    Member old = before.members.get(name);
    Member now = members.get(name);
    if (old == null
        || now == null
        || old.health() instanceof Unhealthy
        || now.health() instanceof Unhealthy
        || hold(old.health()) != null
        || hold(now.health()) != null
        || old.facts().confirmedHealthy()
        || now.facts().confirmedHealthy()
        || !Objects.equals(old.facts().approved(), now.facts().approved())
        || !old.facts().labels().equals(now.facts().labels())) {
      return false;
    }
    OptionalInt required = spec.floor().required(members.size());
    int least = Math.min(before.healthy(), healthy());
    int most = Math.max(before.healthy(), healthy());
    return required.isEmpty()
        || least - uncertain >= required.getAsInt()
        || most < required.getAsInt();
  }

  /** {@return the nodes that a person has confirmed as healthy, in any group} */
  NavigableSet<String> confirmed() {
    return confirmed;
  }

  /** {@return when the next node may change its group by time alone; empty if none does} */
  public Optional<Instant> nextChange() {
    return dues.isEmpty() ? Optional.empty() : Optional.of(dues.first().at());
  }

  /** The health of a node for one NodeHealthCheck. */
  public sealed interface NodeHealth {
    /** No unhealthy condition matches. */
    record Healthy() implements NodeHealth {}

    /**
     * No unhealthy condition matches, but its Ready condition is missing: it was just created
     * (R-4).
     */
    record Unreported() implements NodeHealth {}

    /** A condition matches, but its duration has not passed. */
    record Soon(Instant at) implements NodeHealth {}

    /**
     * A condition has lasted too long.
     *
     * @param status its status; empty if the node lacks it, which counts as unhealthy too (RB-4)
     */
    record Unhealthy(String type, String status, Instant since) implements NodeHealth {
      /** {@return type and status in one, as {@code Ready=Unknown}} */
      public String condition() {
        return status.isEmpty() ? type + " missing" : type + "=" + status;
      }
    }

    /**
     * Its expression has no value, which is neither healthy nor unhealthy (RB-7).
     *
     * @param reason why, for people
     */
    record Undecided(String reason) implements NodeHealth {}

    /**
     * It would be unhealthy, but is in maintenance or may be, so that it counts as neither healthy
     * nor unhealthy (MW-2).
     */
    record Suspended(HoldReason reason) implements NodeHealth {}

    /** The one instance. */
    NodeHealth HEALTHY = new Healthy();

    /** The one instance. */
    NodeHealth UNREPORTED = new Unreported();

    /** Added to a moment that must have passed, because the API stores whole seconds. */
    Duration SETTLE = Duration.ofSeconds(1);

    /** Evaluates a node. */
    static NodeHealth of(NodeHealthCheckSpec spec, NodeFacts node, Instant now) {
      return NodeAssessment.of(spec, node, now).health();
    }
  }
}
