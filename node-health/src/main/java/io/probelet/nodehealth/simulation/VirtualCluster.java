package io.probelet.nodehealth.simulation;

import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.PolicyBook;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.ClusterView;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.PendingWrites;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.Annotate;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.RemediationIndex;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * The state that an API server stores of nodes, NodeHealthChecks, templates, remediations, leases
 * and policies. It rejects writes for the same reasons as an API server.
 *
 * <p>Not thread-safe.
 */
public final class VirtualCluster {
  private final NavigableMap<String, NodeFacts> nodes = new TreeMap<>();
  private final NavigableMap<String, NodeHealthCheck> checks = new TreeMap<>();
  private final Censuses censuses = new Censuses();
  private RemediationIndex remediations = RemediationIndex.EMPTY;
  private final Map<ObjectRef, TemplateLookup> templates = new HashMap<>();
  private final PolicyBook policies = new PolicyBook();
  private final Map<String, Maintenance> maintenances = new HashMap<>();
  private MaintenanceBook maintenanceBook = MaintenanceBook.NONE;
  private TreePMap<String, NodeLease> leases = TreePMap.empty();
  private final Set<String> finalizedKinds = new HashSet<>();
  private Instant now;
  private long serial;

  /** Begins empty. */
  public VirtualCluster(Instant start) {
    this.now = start;
  }

  /** {@return the current time} */
  public Instant now() {
    return now;
  }

  /**
   * Advances time.
   *
   * @param moment the new time, not before the current one
   */
  public void advanceTo(Instant moment) {
    if (moment.isBefore(now)) {
      throw new IllegalArgumentException("time cannot go back from " + now + " to " + moment);
    }
    boolean due = maintenanceBook.nextChange(now).filter(at -> !at.isAfter(moment)).isPresent();
    now = moment;
    if (due) {
      markAll();
    }
  }

  /** Adds or replaces a Maintenance. */
  public void put(Maintenance maintenance) {
    maintenances.put(maintenance.name(), maintenance);
    maintenancesChanged();
  }

  /** Removes a Maintenance; it may be unknown. */
  public void removeMaintenance(String maintenance) {
    maintenances.remove(maintenance);
    maintenancesChanged();
  }

  private void maintenancesChanged() {
    maintenanceBook = MaintenanceBook.of(maintenances.values());
    markAll();
  }

  private void markAll() {
    List.copyOf(nodes.values()).forEach(this::put);
  }

  private NodeFacts mark(NodeFacts node, @Nullable NodeFacts before) {
    return node.withMaintenance(
        maintenanceBook.of(node.labels(), before == null ? null : before.maintenance(), now));
  }

  /** {@return when the next Maintenance begins or ends; empty if none does} */
  public Optional<Instant> nextMaintenance() {
    return maintenanceBook.nextChange(now);
  }

  /** Adds or replaces a NodeHealthCheck. */
  public void put(NodeHealthCheck check) {
    checks.put(check.name(), check);
    censuses.put(check, nodes.values(), now);
  }

  /** Adds or replaces a RemediationPolicy, and keeps its counts. */
  public void put(RemediationPolicy policy) {
    policies.put(policy, List.of(), nodes.values().stream().map(NodeFacts::labels).toList());
  }

  /**
   * Returns a RemediationPolicy with its counts.
   *
   * @return the policy; empty if there is none of this name
   */
  public Optional<PolicyFacts.State> policy(String policy) {
    return policies.find(policy);
  }

  /** Adds or replaces a node. */
  public void put(NodeFacts node) {
    censuses.put(keep(node), now);
  }

  /**
   * Adds or replaces a node.
   *
   * @return whether that can change a plan, other than by the time at which the next node becomes
   *     unhealthy
   */
  public boolean putSaysNews(NodeFacts node) {
    return censuses.putSaysNews(keep(node), remediations, now);
  }

  private NodeFacts keep(NodeFacts node) {
    NodeFacts before = nodes.get(node.name());
    NodeFacts marked = mark(node, before);
    nodes.put(node.name(), marked);
    policies.nodeChanged(before == null ? null : before.labels(), node.labels());
    return marked;
  }

  /** {@return when the next node becomes unhealthy if nothing changes; empty if none does} */
  public Optional<Instant> nextChange() {
    return censuses.nextChange();
  }

  /**
   * Removes a NodeHealthCheck.
   *
   * @param check its name; may be unknown
   */
  public void removeCheck(String check) {
    checks.remove(check);
    censuses.remove(check);
  }

  /** Removes a node and the lease that it owns. */
  public void removeNode(String name) {
    NodeFacts before = nodes.remove(name);
    policies.nodeChanged(before == null ? null : before.labels(), null);
    leases = leases.minus(NodeLease.nameFor(name));
    censuses.removeNode(name, now);
  }

  /** Adds, replaces or removes a template. */
  public void put(ObjectRef ref, TemplateLookup lookup) {
    templates.put(ref, lookup);
  }

  /** Adds or replaces a remediation. */
  public void put(ObservedRemediation remediation) {
    remediations = remediations.with(remediation);
  }

  /** Adds or replaces a lease. */
  public void put(NodeLease lease) {
    leases = leases.plus(lease.name(), lease);
  }

  /** Delays the deletion of remediations of a kind until {@link #remove} is called. */
  public void holdDeletionOf(String kind) {
    finalizedKinds.add(kind);
  }

  /** Removes a remediation for good. */
  public void remove(String uid) {
    remediations = remediations.without(uid);
  }

  /** {@return the nodes by name; a view} */
  public NavigableMap<String, NodeFacts> nodes() {
    return Collections.unmodifiableNavigableMap(nodes);
  }

  /** {@return the NodeHealthChecks by name; a view} */
  public NavigableMap<String, NodeHealthCheck> checks() {
    return Collections.unmodifiableNavigableMap(checks);
  }

  /** {@return all remediations} */
  public Collection<ObservedRemediation> remediations() {
    return remediations.all();
  }

  /**
   * Finds a node's lease.
   *
   * @return the lease; empty if there is none
   */
  public Optional<NodeLease> lease(String node) {
    return Optional.ofNullable(leases.get(NodeLease.nameFor(node)));
  }

  /** Returns the input for a plan of a NodeHealthCheck. */
  public ClusterView view(String check) {
    return new ClusterView(
        Objects.requireNonNull(checks.get(check), check),
        censuses.at(now, check),
        remediations,
        templates,
        leases,
        PendingWrites.NONE,
        policies());
  }

  private PolicyFacts policies() {
    if (policies.isEmpty()) {
      return PolicyFacts.NONE;
    }
    NavigableMap<String, PolicyNode> atWork = new TreeMap<>();
    for (ObservedRemediation remediation : remediations.all()) {
      NodeFacts node = nodes.get(remediation.nodeName());
      atWork.put(
          remediation.nodeName(),
          PolicyNode.of(remediation.nodeName(), node == null ? null : node.labels()));
    }
    return policies.facts(atWork.values());
  }

  /** Writes a NodeHealthCheck's status. */
  public void writeStatus(String check, NodeHealthCheckStatus status) {
    checks.computeIfPresent(check, (_, old) -> old.withStatus(status));
  }

  /**
   * Executes an action.
   *
   * @return whether it succeeded; false if the object is not in the expected state
   */
  public boolean write(RemediationAction action) {
    return switch (action) {
      case ClaimLease(_, LeaseClaim claim) -> claim(claim);
      case ReleaseLease(_, NodeLease lease) -> release(lease);
      case CreateRemediation(_, RemediationDraft draft) -> create(draft);
      case DeleteRemediation(_, ObservedRemediation remediation) -> delete(remediation.uid());
      case Annotate annotate ->
          annotate(annotate.remediation().uid(), annotate.annotation(), annotate.value());
      case ClearConfirmation(String node) -> clearConfirmation(node);
      case CountRemediation(_, String policy, PastRemediation entry) -> count(policy, entry);
      case TakeApproval(String node, String annotated, String left) ->
          takeApproval(node, annotated, left);
      case EmitEvent _ -> true;
    };
  }

  private boolean claim(LeaseClaim claim) {
    NodeLease old = leases.get(claim.name());
    if (!Objects.equals(old == null ? null : old.resourceVersion(), claim.replaces())) {
      return false;
    }
    put(
        new NodeLease(
            claim.name(),
            claim.holder(),
            claim.acquireTime(),
            claim.renewTime(),
            claim.duration(),
            claim.transitions(),
            Long.toString(++serial)));
    return true;
  }

  private boolean release(NodeLease lease) {
    if (!lease.equals(leases.get(lease.name()))) {
      return false;
    }
    leases = leases.minus(lease.name());
    return true;
  }

  private boolean create(RemediationDraft draft) {
    ObjectRef ref = draft.ref();
    if (remediations.all().stream().anyMatch(other -> other.ref().equals(ref))) {
      return false;
    }
    put(
        new ObservedRemediation(
            ref,
            "uid-" + ++serial,
            now.truncatedTo(ChronoUnit.SECONDS),
            false,
            draft.labels(),
            draft.annotations(),
            draft.owners(),
            Success.UNKNOWN,
            false));
    return true;
  }

  private boolean delete(String uid) {
    Optional<ObservedRemediation> there = find(uid);
    there.ifPresent(remediation -> {
      if (finalizedKinds.contains(remediation.ref().kind())) {
        put(remediation.asDeleting());
      } else {
        remove(uid);
      }
    });
    return there.isPresent();
  }

  private boolean annotate(String uid, String annotation, String value) {
    Optional<ObservedRemediation> there = find(uid);
    there.ifPresent(remediation -> put(remediation.withAnnotation(annotation, value)));
    return there.isPresent();
  }

  private boolean clearConfirmation(String name) {
    NodeFacts node = nodes.get(name);
    if (node == null) {
      return false;
    }
    put(node.withConfirmedHealthy(false));
    return true;
  }

  private boolean count(String policy, PastRemediation entry) {
    policies.count(policy, entry);
    return policies.find(policy).isPresent();
  }

  private boolean takeApproval(String name, String annotated, String left) {
    NodeFacts node = nodes.get(name);
    if (node == null || !annotated.equals(node.approved())) {
      return false;
    }
    put(node.withApproved(left.isEmpty() ? null : left));
    return true;
  }

  private Optional<ObservedRemediation> find(String uid) {
    return remediations.all().stream().filter(other -> other.uid().equals(uid)).findFirst();
  }
}
