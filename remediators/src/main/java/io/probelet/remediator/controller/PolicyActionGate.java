package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.policy.PolicyAnswer.Allowed;
import io.probelet.nodehealth.policy.PolicyAnswer.Held;
import io.probelet.nodehealth.policy.PolicyFacts;
import io.probelet.nodehealth.policy.PolicyGate;
import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import io.probelet.nodehealth.policy.PolicyNode;
import io.probelet.nodehealth.policy.PolicyRequest;
import io.probelet.nodehealth.policy.PolicyRequest.NodeState;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.wire.NodeFormat;
import io.probelet.nodehealth.wire.PolicyJson;
import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationRequest;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks the cluster's Maintenances (MW-7) and RemediationPolicies whether a remediation may begin
 * (ACT-70). One that our NodeHealthChecks created is counted already, and asks for windows,
 * blackouts and pauses only; one that somebody else made is counted before it begins.
 *
 * <p>Reads policies anew each time it is asked; one question at a time, so that two remediations do
 * not take the same place.
 */
public final class PolicyActionGate implements ActionGate {
  /** What was written before a try that failed; an older mark is of somebody else's making. */
  private static final Duration SAME_TRY = Duration.ofMinutes(10);

  private final ApiServer api;
  private final List<RemediationKind> kinds;

  /** No monitor, as requests are made meanwhile: a real thread wakes those that wait for one. */
  private final Lock oneAtATime = new ReentrantLock();

  private final Map<String, PolicyNode> admitted = new HashMap<>();

  /** Prepares. */
  public PolicyActionGate(ApiServer api, List<RemediationKind> kinds) {
    this.api = api;
    this.kinds = List.copyOf(kinds);
  }

  /** What has to be written before a remediation begins could not be. */
  private static final class UnwrittenException extends Exception {
    private static final long serialVersionUID = 1;

    UnwrittenException(String what) {
      super(what);
    }
  }

  @Override
  public Optional<ActionHold> hold(
      RemediationRequest<?> remediation, ObservedNode node, Instant now) {
    oneAtATime.lock();
    try {
      return ask(remediation, node, now);
    } catch (UnreadableException | UnwrittenException trouble) { // ACT-71: no limit is known
      return Optional.of(
          new ActionHold("PolicyUnknown", "cannot determine the limits: " + trouble.getMessage()));
    } finally {
      oneAtATime.unlock();
    }
  }

  private Optional<ActionHold> ask(
      RemediationRequest<?> remediation, ObservedNode observed, Instant now)
      throws UnreadableException, UnwrittenException {
    Set<String> installed = PolicyList.installed(api);
    Optional<ActionHold> maintenance = MaintenanceList.hold(api, installed, observed, now);
    if (maintenance.isPresent()) {
      return maintenance;
    }
    List<PolicyFacts.State> policies = PolicyList.read(api, installed);
    if (policies.isEmpty()) {
      return Optional.empty();
    }
    String approved = observed.annotations().get(RemediationPolicy.APPROVED);
    PolicyNode node =
        new PolicyNode(observed.name(), observed.labels(), PolicyNode.approvals(approved));
    Instant counted = counted(remediation);
    PolicyRequest request =
        new PolicyRequest(node, state(node, policies), remediation.kind().kind(), counted);
    List<PolicyNode> atWork =
        isCounted(request, policies) ? List.of(node) : atWork(remediation.uid());
    return switch (new PolicyGate(new PolicyFacts(policies, atWork, null), now).ask(request)) {
      case Held(PolicyHold why, _) -> Optional.of(held(why));
      case Allowed allowed -> {
        if (!allowed.countIn().isEmpty()) {
          Instant at = sameTry(counted, now).orElse(now);
          PastRemediation entry = new PastRemediation(node.name(), request.kind(), at);
          count(remediation, entry, !at.equals(counted), allowed.countIn());
        }
        if (allowed.takesApproval()) {
          takeApproval(node.name(), String.valueOf(approved), request.kind());
        }
        admitted.put(remediation.uid(), node);
        yield Optional.empty();
      }
    };
  }

  private static Optional<Instant> sameTry(@Nullable Instant counted, Instant now) {
    return Optional.ofNullable(counted)
        .filter(at -> !at.isAfter(now) && at.isAfter(now.minus(SAME_TRY)));
  }

  private static ActionHold held(PolicyHold why) {
    return new ActionHold(why.label(), why.message());
  }

  private static boolean isCounted(PolicyRequest request, List<PolicyFacts.State> policies) {
    Instant counted = request.counted();
    return counted != null
        && policies.stream()
            .anyMatch(state ->
                state
                    .history()
                    .contains(new PastRemediation(request.node().name(), request.kind(), counted)));
  }

  private static @Nullable Instant counted(RemediationRequest<?> remediation) {
    String text = remediation.annotations().get(RemediationPolicy.COUNTED);
    try {
      return text == null ? null : Instant.parse(text);
    } catch (DateTimeException notOurs) {
      return null;
    }
  }

  /** The nodes of the remediations that have begun, or that were just allowed to. */
  private List<PolicyNode> atWork(String asking) throws UnreadableException {
    Map<String, PolicyNode> atWork = new HashMap<>();
    Map<String, PolicyNode> begins = new HashMap<>();
    for (RemediationKind kind : kinds) {
      for (SeenRequest seen : requests(kind)) {
        PolicyNode before = admitted.get(seen.uid());
        if (seen.isInForce()) {
          atWork.put(seen.node(), before == null ? node(seen.node()) : before);
        } else if (seen.isWaiting() && before != null && !seen.uid().equals(asking)) {
          begins.put(seen.uid(), before);
        }
      }
    }
    admitted.clear(); // of those that are gone or over nothing is kept
    admitted.putAll(begins);
    begins.values().forEach(node -> atWork.put(node.name(), node));
    return List.copyOf(atWork.values());
  }

  /**
   * Of one that is too large nothing is known but its name, which is its node's as a rule: limits
   * are not known then (ACT-71).
   */
  private List<SeenRequest> requests(RemediationKind kind) throws UnreadableException {
    return PolicyList.all(
        api,
        Selection.all(kind.kind(), RequestPaths.all(kind)),
        SeenRequest.FIELDS,
        ObjectLimits.USUAL,
        "the " + kind.plural(),
        object ->
            Optional.of(SeenRequest.read(kind, object))
                .filter(seen -> seen.isInForce() || admitted.containsKey(seen.uid())));
  }

  private PolicyNode node(String name) throws UnreadableException {
    return PolicyNode.of(
        name, object(name).map(object -> ObservedNode.read(object).labels()).orElse(null));
  }

  /** ACT-81: read only if a policy's expression asks for more than its remediation shows. */
  private NodeState state(PolicyNode node, List<PolicyFacts.State> policies)
      throws UnreadableException {
    boolean asked =
        policies.stream()
            .anyMatch(state ->
                node.isOf(state.policy())
                    && state.policy().limits() instanceof Spec limits
                    && limits.holdWhen() != null);
    JsonNode object = asked ? object(node.name()).orElse(null) : null;
    if (object == null) {
      return NodeState.UNKNOWN;
    }
    try {
      return new NodeFormat().read(object, _ -> null).value()::evaluate;
    } catch (IOException malformed) {
      return NodeState.UNKNOWN;
    }
  }

  private Optional<JsonNode> object(String name) throws UnreadableException {
    ApiResult answer = api.get(RequestPaths.node(name));
    if (answer.isNotFound()) {
      return Optional.empty();
    }
    if (!(answer instanceof Done(JsonNode object))) {
      throw new UnreadableException("node " + name, answer);
    }
    return Optional.of(object);
  }

  /** ACT-79: what it is counted as is on the remediation first, so that it is counted once. */
  private void count(
      RemediationRequest<?> remediation,
      PastRemediation entry,
      boolean first,
      List<String> policies)
      throws UnwrittenException {
    if (first) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      ObjectNode metadata = patch.putObject("metadata").put("uid", remediation.uid());
      metadata.putObject("annotations").put(RemediationPolicy.COUNTED, entry.time().toString());
      write(RequestPaths.of(remediation.ref()), ApiServer.MERGE_PATCH, patch, "the remediation");
    }
    for (String policy : new ArrayList<>(policies)) {
      write(
          PolicyList.path(policy) + "/status",
          ApiServer.MERGE_PATCH,
          PolicyJson.counted(entry),
          "the status of RemediationPolicy " + policy);
    }
  }

  /** ACT-76: only if the annotation is as it was read. */
  private void takeApproval(String node, String annotated, String kind) throws UnwrittenException {
    ArrayNode patch =
        PolicyJson.approvalTaken(annotated, PolicyNode.approvalsWithout(annotated, kind));
    write(RequestPaths.node(node), ApiServer.JSON_PATCH, patch, "the approval of node " + node);
  }

  private void write(String path, String type, JsonNode patch, String what)
      throws UnwrittenException {
    ApiResult answer = api.patch(path, type, patch);
    if (!(answer instanceof Done)) {
      throw new UnwrittenException(what + " cannot be written: " + answer.summary());
    }
  }
}
