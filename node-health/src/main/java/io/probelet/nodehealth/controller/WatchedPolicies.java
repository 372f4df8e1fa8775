package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.PolicyBook;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.KindState;
import io.probelet.nodehealth.wire.PolicyJson;
import io.probelet.nodehealth.wire.RemediationJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The RemediationPolicies of the cluster, their counts, and their statuses. Used only on the loop's
 * thread.
 */
final class WatchedPolicies {
  private final PolicyBook book = new PolicyBook();
  private final Map<String, JsonNode> objects = new HashMap<>();
  private final Map<String, PastRemediation> counted = new HashMap<>();
  private final Expectations expected = new Expectations();
  private final ObjectStatusWriter writer;
  private final Supplier<Collection<NodeFacts>> nodes;
  private final Runnable limitsChanged;
  private @Nullable String unknown;
  private boolean dirty;
  private @Nullable Instant nextForgotten;

  /**
   * Starts without policies.
   *
   * @param nodes all nodes
   * @param limitsChanged called after a policy was added, removed or changed
   */
  WatchedPolicies(
      ObjectPatches requests,
      StatusPauses pauses,
      Supplier<Collection<NodeFacts>> nodes,
      Runnable limitsChanged) {
    this.nodes = nodes;
    this.limitsChanged = limitsChanged;
    writer = new ObjectStatusWriter(Kind.POLICY, requests, pauses, this::wrote, () -> dirty = true);
  }

  boolean isEmpty() {
    return book.isEmpty();
  }

  // --- Changes

  /** Applies a new or changed policy from the watch. */
  void changed(JsonNode object) {
    if (expected.isNews(Metadata.uid(object), Metadata.version(object))) {
      put(object);
    }
  }

  private void put(JsonNode object) {
    dirty = true;
    ObjectNode policy = PolicyJson.packed(object);
    objects.put(RemediationJson.ref(object).name(), policy);
    boolean respecified =
        book.put(
            RemediationPolicyReader.read(policy),
            PolicyJson.recent(policy),
            () -> nodes.get().stream().map(NodeFacts::labels).iterator());
    if (respecified) {
      limitsChanged.run();
    }
  }

  void gone(JsonNode object) {
    String name = RemediationJson.ref(object).name();
    JsonNode known = objects.get(name);
    expected.sawEnd(Metadata.uid(object));
    if (known != null && Metadata.uid(known).equals(Metadata.uid(object))) {
      forget(name);
    }
  }

  private void forget(String name) {
    objects.remove(name);
    book.remove(name);
    dirty = true;
    limitsChanged.run();
  }

  /** Records whether the cluster has the kind, and whether we may list it. */
  void settled(KindState state) {
    unknown = state instanceof TemplateLookup.Forbidden(String advice) ? advice : null;
    if (state instanceof TemplateLookup.Missing) {
      book.names().forEach(this::forget);
    }
    dirty = true;
    limitsChanged.run();
  }

  /**
   * Applies a new, changed or deleted node.
   *
   * @return whether policies select another number of nodes now
   */
  boolean nodeChanged(@Nullable NodeFacts before, @Nullable NodeFacts now) {
    boolean changed =
        book.nodeChanged(
            before == null ? null : before.labels(), now == null ? null : now.labels());
    dirty |= changed;
    return changed;
  }

  // --- Counts

  /** The facts for a plan; empty if there is no policy. */
  PolicyFacts facts(Supplier<List<PolicyNode>> atWork) {
    dirty = true; // a plan is being made, so other nodes may be held back
    if (unknown != null) {
      return PolicyFacts.unknown(unknown);
    }
    return book.isEmpty() ? PolicyFacts.NONE : book.facts(atWork.get());
  }

  /** By node, counted remediations whose creation has not succeeded yet. */
  Map<String, PastRemediation> counted() {
    return counted;
  }

  /** Counts a remediation that is about to be written. */
  void begin(List<RemediationAction> actions) {
    for (RemediationAction action : actions) {
      if (action instanceof CountRemediation(String node, String policy, PastRemediation entry)) {
        book.count(policy, entry);
        counted.put(node, entry);
      }
    }
  }

  /** An action was executed. */
  void done(RemediationAction action, JsonNode body) {
    if (action instanceof CreateRemediation(String node, _)) {
      counted.remove(node);
    } else if (action instanceof CountRemediation count) {
      wrote(count.policy(), body);
    }
  }

  /** Records the state of a count whose write failed. */
  void found(CountRemediation count, ApiResult answer) {
    if (answer instanceof Done(JsonNode body)) {
      wrote(count.policy(), body);
      if (!PolicyJson.recent(body).contains(count.entry())) {
        book.uncount(count.policy(), count.entry());
      }
    } else {
      book.uncount(count.policy(), count.entry());
    }
  }

  private void wrote(String name, JsonNode body) {
    if (objects.containsKey(name) && expected.wrote(Metadata.uid(body), Metadata.version(body))) {
      put(body);
    }
  }

  // --- Statuses

  /** Writes changed statuses. */
  void writeStatuses(
      Collection<WatchedHealthCheck> checks, Supplier<List<PolicyNode>> atWork, Instant now) {
    boolean due = nextForgotten != null && !nextForgotten.isAfter(now);
    if (!dirty && !due) {
      return;
    }
    dirty = false;
    nextForgotten = null;
    if (book.isEmpty()) {
      return;
    }
    PolicyStatus statuses = PolicyStatus.of(checks, atWork.get(), now);
    for (PolicyFacts.State state : book.facts(List.of()).policies()) {
      String name = state.policy().name();
      JsonNode object = Objects.requireNonNull(objects.get(name));
      List<String> forget = new ArrayList<>(book.expired(name, now));
      forget.addAll(PolicyJson.foreign(object));
      ObjectNode patch = statuses.patch(state, object, forget);
      if (!patch.isEmpty()) {
        writer.write(name, object, patch);
      }
      Instant next = state.nextChange(now).orElse(null);
      if (next != null && (nextForgotten == null || next.isBefore(nextForgotten))) {
        nextForgotten = next;
      }
    }
  }

  /** When a status changes by time alone; null if none does. */
  @Nullable Instant nextMoment(Instant now) {
    return nextForgotten != null && nextForgotten.isAfter(now) ? nextForgotten : null;
  }
}
