package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem;
import io.probelet.document.selector.LabelSelector;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
import io.probelet.nodehealth.remediation.NodeCensus;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.Plan;
import io.probelet.nodehealth.remediation.Plan.PlannerMemory;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.wire.RemediationJson;
import io.probelet.nodehealth.wire.StatusJson;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A NodeHealthCheck while it is watched. Used only on the loop's thread. */
final class WatchedHealthCheck {
  private final String name;
  private final String uid;
  private JsonNode source;
  private @Nullable NodeHealthCheckSpec spec;
  private Set<Kind.Name> named = Set.of();
  private Set<Kind.Name> left = Set.of();
  private String refusal = "";
  private @Nullable NodeCensus census;
  private PlannerMemory memory;
  private @Nullable Plan plan;
  private boolean dirty = true;
  private final StatusRecord record;

  /** Starts with a resource. */
  WatchedHealthCheck(JsonNode object) {
    this.name = RemediationJson.ref(object).name();
    this.uid = Metadata.uid(object);
    this.source = object;
    NodeHealthCheckStatus status = StatusJson.read(object.path("status"));
    this.record = new StatusRecord(status, Metadata.version(object));
    this.memory = PlannerMemory.restoredFrom(status);
    this.left = kindsOf(status);
    read();
  }

  String name() {
    return name;
  }

  String uid() {
    return uid;
  }

  StatusRecord record() {
    return record;
  }

  /**
   * Applies a newer version of the resource.
   *
   * @return whether its spec may have changed
   */
  boolean changed(JsonNode object) {
    dirty |= record.observe(StatusJson.read(object.path("status")), Metadata.version(object));
    JsonNode old = source;
    source = object;
    boolean respecified =
        !old.path("spec").equals(object.path("spec"))
            || !old.at("/metadata/annotations").equals(object.at("/metadata/annotations"));
    if (respecified) {
      left = kinds(); // until it is known that no remediation of theirs is left
      read();
    }
    return respecified;
  }

  /** The planner decides whether the templates can be used (NHC-5). */
  private void read() {
    NodeHealthCheckReader.Reading reading =
        NodeHealthCheckReader.ofExisting(TemplateKinds.UNKNOWN).read(source);
    NodeHealthCheckSpec now = reading.spec().orElse(null);
    refusal = reading.refusals().stream().map(Problem::text).collect(Collectors.joining("; "));
    if (!Objects.equals(now, spec)) {
      spec = now;
      census = null;
      named = now == null ? Set.of() : kindsOf(now);
    }
    dirty = true;
  }

  /** The resource with our last status; empty if its spec is invalid. */
  Optional<NodeHealthCheck> resource() {
    return spec == null
        ? Optional.empty()
        : Optional.of(new NodeHealthCheck(name, uid, spec, record.decided()));
  }

  String refusal() {
    return refusal;
  }

  /** The kinds of its templates and remediations, including those of earlier templates. */
  Set<Kind.Name> kinds() {
    if (named.containsAll(left)) {
      return named;
    }
    Set<Kind.Name> all = new HashSet<>(named);
    all.addAll(left);
    return all;
  }

  private static Set<Kind.Name> kindsOf(NodeHealthCheckStatus status) {
    Set<Kind.Name> kinds = new HashSet<>();
    for (UnhealthyNode node : status.unhealthyNodes()) {
      for (TrackedRemediation remediation : node.remediations()) {
        ObjectRef ref = remediation.resource();
        kinds.add(new Kind.Name(ref.apiVersion(), ref.kind()));
      }
    }
    return kinds;
  }

  private static Set<Kind.Name> kindsOf(NodeHealthCheckSpec spec) {
    Set<Kind.Name> kinds = new HashSet<>();
    for (RemediationStep step : spec.steps()) {
      kinds.add(new Kind.Name(step.template().apiVersion(), step.template().kind()));
      kinds.add(new Kind.Name(step.template().apiVersion(), step.remediationKind()));
    }
    return kinds;
  }

  /** Whether its nodes must be counted before the next plan; never without a spec. */
  boolean isUncounted() {
    return census == null && spec != null;
  }

  /**
   * Counts its nodes; only with a spec.
   *
   * @param nodes at least all nodes that it selects
   */
  void count(Collection<NodeFacts> nodes, Instant now) {
    census = NodeCensus.of(Objects.requireNonNull(spec), nodes, now);
  }

  /** The current census of its nodes; only after they have been counted. */
  NodeCensus census(Instant now) {
    census = Objects.requireNonNull(census).at(now);
    return census;
  }

  /** The selected nodes; null if its spec is invalid, which selects none. */
  @Nullable LabelSelector selector() {
    return spec == null ? null : spec.selector();
  }

  /** Applies a new or changed node. */
  void nodeChanged(NodeFacts node, Instant moment) {
    if (census != null) {
      NodeCensus before = census.at(moment);
      NodeCensus now = before.with(node);
      dirty |= now.isNewsSince(before, node.name());
      census = now;
    }
  }

  void nodeGone(String node, Instant moment) {
    if (census != null) {
      census = census.at(moment).without(node);
    }
  }

  /** The unhealthy nodes with their conditions. */
  Map<String, NodeHealth.Unhealthy> unhealthy() {
    return census == null ? Map.of() : census.unhealthy();
  }

  /** Whether a plan may depend on a node's properties other than its conditions. */
  boolean concerns(String node) {
    return plan == null
        || unhealthy().containsKey(node)
        || plan.memory().unhealthy().contains(node)
        || record.decided().unhealthyNode(node).isPresent();
  }

  /** Whether a policy holds this node. */
  boolean isHeldByPolicies(String node) {
    return memory.nodes().get(node) instanceof ByPolicy;
  }

  /** Whether a policy holds any of its nodes. */
  boolean isHeldByPolicies() {
    return memory.nodes().values().stream().anyMatch(ByPolicy.class::isInstance);
  }

  PlannerMemory memory() {
    return memory;
  }

  Optional<Plan> plan() {
    return Optional.ofNullable(plan);
  }

  /**
   * Applies a plan.
   *
   * @param quiet whether the plan knows the results of all writes
   * @return whether other kinds must be watched now
   */
  boolean planned(Plan made, boolean quiet) {
    plan = made;
    memory = made.memory();
    dirty = false;
    record.decide(made.status());
    Set<Kind.Name> before = kinds();
    if (quiet) {
      left = kindsOf(made.status());
    }
    return !before.equals(kinds());
  }

  void touch() {
    dirty = true;
  }

  /** Whether a plan is due, because of a change or a timer. */
  boolean isDue(Instant now) {
    Instant wakeUp = wakeUp();
    return dirty || (wakeUp != null && !wakeUp.isAfter(now));
  }

  @Nullable Instant wakeUp() {
    return plan == null ? null : plan.wakeUp();
  }

  /**
   * A NodeHealthCheck's status in two stages: our latest, and the API server's. Changes by other
   * clients count only while we have nothing to write.
   */
  static final class StatusRecord {
    private NodeHealthCheckStatus decided;
    private NodeHealthCheckStatus confirmed;
    private String version;
    private boolean same = true; // cached, because every event of every node reads it
    private boolean underWay;

    StatusRecord(NodeHealthCheckStatus status, String version) {
      this.decided = status;
      this.confirmed = status;
      this.version = version;
    }

    NodeHealthCheckStatus decided() {
      return decided;
    }

    boolean isConfirmed() {
      return same;
    }

    /** The version that a write must name. */
    String version() {
      return version;
    }

    void decide(NodeHealthCheckStatus status) {
      decided = status;
      same = decided.equals(confirmed);
    }

    /**
     * Applies the status from a watch.
     *
     * @return whether another client has changed it
     */
    boolean observe(NodeHealthCheckStatus status, String seenVersion) {
      version = seenVersion;
      if (underWay || !isConfirmed() || decided.equals(status)) {
        return false;
      }
      decided = status;
      confirmed = status;
      return true;
    }

    boolean isUnderWay() {
      return underWay;
    }

    void send() {
      underWay = true;
    }

    /** Records the response to a write. */
    void sent(NodeHealthCheckStatus status, String newVersion) {
      underWay = false;
      confirmed = status;
      same = decided.equals(confirmed);
      version = newVersion;
    }

    void notSent() {
      underWay = false;
    }
  }
}
