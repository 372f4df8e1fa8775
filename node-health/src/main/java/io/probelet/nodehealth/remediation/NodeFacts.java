package io.probelet.nodehealth.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.kube.MaintenanceNote;
import io.probelet.nodehealth.maintenance.NodeMaintenance;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.policy.PolicyRequest.Evaluated;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a node that remediation uses.
 *
 * @param labels its labels, at least those that a selector or a rule reads
 * @param taints its taints, which only expressions read (RB-7, ACT-81)
 * @param confirmedHealthy whether a person has annotated it as healthy
 * @param machine its machine; null if there is none that we know
 * @param approved the kinds of remediation that a human approved once, separated by commas, from
 *     its annotation; null if there are none (ACT-76)
 * @param maintenance what the cluster's Maintenances say about it; null if nothing (MW-1)
 * @param note its annotation {@link MaintenanceNote}, which no decision reads; null if there is
 *     none
 */
public record NodeFacts(
    String name,
    String uid,
    Instant created,
    Map<String, String> labels,
    List<NodeCondition> conditions,
    List<NodeTaint> taints,
    boolean confirmedHealthy,
    @Nullable Machine machine,
    @Nullable String approved,
    @Nullable NodeMaintenance maintenance,
    @Nullable String note) {
  /** Copies labels, conditions and taints. */
  public NodeFacts {
    labels = Map.copyOf(labels);
    conditions = List.copyOf(conditions);
    taints = List.copyOf(taints);
  }

  /**
   * A node of which no Maintenance is known.
   *
   * @param confirmedHealthy whether a person has annotated it as healthy
   * @param machine its machine; null if there is none that we know
   * @param approved the kinds of remediation that a human approved once; null if there are none
   */
  public NodeFacts(
      String name,
      String uid,
      Instant created,
      Map<String, String> labels,
      List<NodeCondition> conditions,
      List<NodeTaint> taints,
      boolean confirmedHealthy,
      @Nullable Machine machine,
      @Nullable String approved) {
    this(
        name,
        uid,
        created,
        labels,
        conditions,
        taints,
        confirmedHealthy,
        machine,
        approved,
        null,
        null);
  }

  /**
   * A node without taints and approvals.
   *
   * @param confirmedHealthy whether a person has annotated it as healthy
   * @param machine its machine; null if there is none that we know
   */
  public NodeFacts(
      String name,
      String uid,
      Instant created,
      Map<String, String> labels,
      List<NodeCondition> conditions,
      boolean confirmedHealthy,
      @Nullable Machine machine) {
    this(name, uid, created, labels, conditions, List.of(), confirmedHealthy, machine, null);
  }

  /**
   * Same value as the generated one. Every event of every node calls it. Agents run without the
   * optimizing compiler, and there the generated method took a sixth of all time (benchmarks/run
   * remediation).
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof NodeFacts that
            && name.equals(that.name)
            && uid.equals(that.uid)
            && created.equals(that.created)
            && labels.equals(that.labels)
            && conditions.equals(that.conditions)
            && taints.equals(that.taints)
            && confirmedHealthy == that.confirmedHealthy
            && Objects.equals(machine, that.machine)
            && Objects.equals(approved, that.approved)
            && Objects.equals(maintenance, that.maintenance)
            && Objects.equals(note, that.note));
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  /**
   * A taint.
   *
   * @param effect NoSchedule, PreferNoSchedule or NoExecute
   */
  public record NodeTaint(String key, String value, String effect) {
    /**
     * Reads a taint; absent fields are empty.
     *
     * @param taint as JSON
     */
    public static NodeTaint of(JsonNode taint) {
      return new NodeTaint(
          taint.path("key").asText(), taint.path("value").asText(), taint.path("effect").asText());
    }
  }

  /**
   * A condition in the node's status.
   *
   * @param status True, False or Unknown
   * @param reason in one word, possibly empty; only expressions read it (RB-7)
   */
  public record NodeCondition(
      String type, String status, Instant lastTransitionTime, String reason) {
    /**
     * A condition without a reason.
     *
     * @param status True, False or Unknown
     */
    public NodeCondition(String type, String status, Instant lastTransitionTime) {
      this(type, status, lastTransitionTime, "");
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || (other instanceof NodeCondition that
              && type.equals(that.type)
              && status.equals(that.status)
              && lastTransitionTime.equals(that.lastTransitionTime)
              && reason.equals(that.reason));
    }

    @Override
    public int hashCode() {
      return type.hashCode();
    }
  }

  /**
   * The machine resource of a node.
   *
   * @param uid its unique identifier; empty if it must be read before it is written
   */
  public record Machine(ObjectRef ref, String uid) {}

  /**
   * Sets a condition without a reason.
   *
   * @return a copy with it in place of any other of its type
   */
  public NodeFacts withCondition(String type, String status, Instant since) {
    return withCondition(new NodeCondition(type, status, since));
  }

  /**
   * Sets a condition.
   *
   * @return a copy with it in place of any other of its type
   */
  public NodeFacts withCondition(NodeCondition wanted) {
    List<NodeCondition> changed = new ArrayList<>(conditions);
    changed.removeIf(condition -> condition.type().equals(wanted.type()));
    changed.add(wanted);
    return with(labels, changed, confirmedHealthy, approved, maintenance);
  }

  /**
   * Sets or removes a label.
   *
   * @param value its value; null to remove it
   * @return a copy with the change
   */
  public NodeFacts withLabel(String label, @Nullable String value) {
    Map<String, String> changed = new HashMap<>(labels);
    if (value == null) {
      changed.remove(label);
    } else {
      changed.put(label, value);
    }
    return with(changed, conditions, confirmedHealthy, approved, maintenance);
  }

  /**
   * Sets or removes a person's confirmation.
   *
   * @param confirmed whether it is there
   * @return a copy with the change
   */
  public NodeFacts withConfirmedHealthy(boolean confirmed) {
    return with(labels, conditions, confirmed, approved, maintenance);
  }

  /**
   * Sets or removes a human's approval.
   *
   * @param kinds the kinds of remediation, separated by commas; null for none
   * @return a copy with the change
   */
  public NodeFacts withApproved(@Nullable String kinds) {
    return with(labels, conditions, confirmedHealthy, kinds, maintenance);
  }

  /**
   * Sets what the cluster's Maintenances say about it.
   *
   * @param known null if nothing
   * @return a copy with the change; this if nothing changes
   */
  public NodeFacts withMaintenance(@Nullable NodeMaintenance known) {
    return Objects.equals(known, maintenance)
        ? this
        : with(labels, conditions, confirmedHealthy, approved, known);
  }

  private NodeFacts with(
      Map<String, String> newLabels,
      List<NodeCondition> newConditions,
      boolean confirmed,
      @Nullable String newApproved,
      @Nullable NodeMaintenance known) {
    return new NodeFacts(
        name,
        uid,
        created,
        newLabels,
        newConditions,
        taints,
        confirmed,
        machine,
        newApproved,
        known,
        note);
  }

  /**
   * Evaluates an expression over the node.
   *
   * @param expression over the variables of a node
   */
  public Evaluated evaluate(CompiledExpression expression, Instant now) {
    // ACT-81: ages from the end of a maintenance are for unhealthyWhen only.
    NodeExpression.Course course = new NodeExpression(expression, this, Instant.MIN).at(now);
    return new Evaluated(course.result(), course.until());
  }

  /** The properties that policies use. */
  PolicyNode forPolicies() {
    return new PolicyNode(name, labels, PolicyNode.approvals(approved));
  }

  /** {@return whether it has a condition that a rule names, of any duration} */
  public boolean meets(UnhealthyCondition rule) {
    for (NodeCondition condition : conditions) {
      if (condition.type().equals(rule.type()) && condition.status().equals(rule.status())) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether it has a Ready condition, from its kubelet or another client } */
  public boolean hasReadyCondition() {
    for (NodeCondition condition : conditions) {
      if (condition.type().equals("Ready")) {
        return true;
      }
    }
    return false;
  }

  /** {@return whether it belongs to the control plane } */
  public boolean isControlPlane() {
    return labels.containsKey(WireNames.CONTROL_PLANE) || labels.containsKey(WireNames.MASTER);
  }
}
