package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.controller.RemediationListener.NodeUnderRemediation;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.Annotate;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import io.probelet.nodehealth.wire.NodeFormat;
import java.io.IOException;
import java.util.function.Consumer;

/** Adds the results of our own writes to the cache, before a watch shows them (N-2). */
final class WriteResults {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterCache cache;
  private final NodeFormat nodeFormat;
  private final Consumer<NodeFacts> nodes;
  private final RemediationListener listener;
  private final WatchedPolicies policies;

  WriteResults(
      ClusterCache cache,
      NodeFormat nodeFormat,
      Consumer<NodeFacts> nodes,
      RemediationListener listener,
      WatchedPolicies policies) {
    this.cache = cache;
    this.nodeFormat = nodeFormat;
    this.nodes = nodes;
    this.listener = listener;
    this.policies = policies;
  }

  /** An action was executed. */
  void done(RemediationAction action, JsonNode body) {
    switch (action) {
      case ClaimLease _ -> cache.wrote(body);
      case ReleaseLease(_, NodeLease lease) -> cache.leaseGone(lease.name());
      case CreateRemediation _ -> cache.wrote(body);
      case DeleteRemediation(_, ObservedRemediation remediation) -> {
        if (body.at("/metadata/finalizers").isEmpty()) {
          cache.remediationGone(remediation.uid());
        } else {
          cache.wrote(body);
        }
      }
      case FlagOld old -> {
        cache.wrote(body);
        listener.grewOld(NodeUnderRemediation.of(old.node(), old.remediation().ref()));
      }
      case Annotate _ -> cache.wrote(body);
      case ClearConfirmation _, TakeApproval _ -> node(body);
      case CountRemediation _, EmitEvent _ -> {}
    }
    policies.done(action, body);
  }

  /** The object of a failed action was read. */
  void found(RemediationAction action, ApiResult answer) {
    switch (action) {
      case ClaimLease(_, LeaseClaim claim) -> lease(claim.name(), answer);
      case ReleaseLease(_, NodeLease lease) -> lease(lease.name(), answer);
      case CreateRemediation _ -> {
        if (answer instanceof Done(JsonNode body)) {
          cache.wrote(body);
        }
      }
      case DeleteRemediation(_, ObservedRemediation remediation) ->
          remediation(remediation, answer);
      case Annotate annotate -> remediation(annotate.remediation(), answer);
      case ClearConfirmation _, TakeApproval _ -> {
        if (answer instanceof Done(JsonNode body)) {
          node(body);
        }
      }
      case CountRemediation count -> policies.found(count, answer);
      case EmitEvent _ -> {}
    }
  }

  private void lease(String name, ApiResult answer) {
    if (answer instanceof Done(JsonNode body)) {
      cache.wrote(body);
    } else {
      cache.leaseGone(name);
    }
  }

  private void remediation(ObservedRemediation expected, ApiResult answer) {
    if (!(answer instanceof Done(JsonNode body))) {
      cache.remediationGone(expected.uid());
      return;
    }
    if (!Metadata.uid(body).equals(expected.uid())) {
      cache.remediationGone(expected.uid());
    }
    cache.wrote(body);
  }

  private void node(JsonNode body) {
    try (JsonParser object = body.traverse(JSON)) {
      object.nextToken();
      nodes.accept(nodeFormat.read(object, _ -> null).value());
    } catch (IOException unreadable) {
      // the watch will show it
    }
  }
}
