package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PolicyHold;
import io.probelet.nodehealth.remediation.HoldReason.ByPolicy;
import io.probelet.nodehealth.remediation.HoldReason.ControlPlaneBusy;
import io.probelet.nodehealth.remediation.HoldReason.Excluded;
import io.probelet.nodehealth.remediation.HoldReason.LeaseHeld;
import io.probelet.nodehealth.remediation.HoldReason.NoTemplateLeft;
import io.probelet.nodehealth.remediation.HoldReason.Paused;
import io.probelet.nodehealth.remediation.HoldReason.StormCooldown;
import io.probelet.nodehealth.remediation.HoldReason.TooFewHealthy;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.ObjectRef;
import org.jspecify.annotations.Nullable;

/**
 * The texts of events. If NHC has an event with the same reason, this is NHC's exact text, because
 * alerts match it. Only events that NHC does not have use our own text.
 */
final class EventTexts {
  /** Also the condition's message. */
  static final String ENABLED = "No issues found, NodeHealthCheck is enabled.";

  static final String STORM =
      "Storm recovery mode activated - delaying remediation until threshold is reached";
  static final String COOLDOWN = "Storm recovery mode will exit after cooldown delay";
  static final String STORM_OVER = "Storm recovery mode deactivated - normal remediation resumed";
  private static final String SKIPPED = "RemediationSkipped";

  private EventTexts() {}

  static String disabled(String reason, String message) {
    return "Disabling NHC. Reason: %s, Message: %s".formatted(reason, message);
  }

  static String unhealthy(String node, NodeHealth.Unhealthy verdict) {
    return "Node matches unhealthy condition. Node \"%s\", condition type \"%s\", condition status \"%s\""
        .formatted(node, verdict.type(), verdict.status());
  }

  static String created(String node) {
    return "Created remediation object for node " + node;
  }

  static String removed(ObjectRef remediation) {
    return "Deleted remediation CR of kind %s with name %s"
        .formatted(remediation.kind(), remediation.name());
  }

  static String mislabelled(String node) {
    return "Node %s has exclude-from-remediation label with empty value, label will be ignored. Set value to 'true' to exclude node from remediation"
        .formatted(node);
  }

  /**
   * Explains why nothing new is started.
   *
   * @param node the node that is held back; null if all are
   */
  static EmitEvent waits(String check, @Nullable String node, HoldReason reason) {
    String all = "no remediation is started: ";
    return switch (reason) {
      case Paused _ -> normal(node, "Postponing potential remediations because of pause requests");
      case TooFewHealthy(int healthy, int required) ->
          warning(
              node,
              "Skipped remediation because the number of healthy nodes selected by the selector is %d and should equal or exceed %d"
                  .formatted(healthy, required));
      case StormCooldown _ ->
          warning(node, "Storm recovery active: skipping creation of new remediations");
      case Excluded _ ->
          warning(
              node,
              "Remediation skipped on node %s: node has Exclude from Remediation label"
                  .formatted(node));
      case ControlPlaneBusy _ ->
          warning(
              node,
              "Skipping remediation of %s for preventing control plane / etcd quorum loss, going to retry in a minute"
                  .formatted(node));
      case LeaseHeld _ ->
          warning(
              node,
              "Skipped remediation of node: %s, because node lease is already taken"
                  .formatted(node));
      case NoTemplateLeft _ ->
          new EmitEvent(
              node,
              true,
              "NoTemplateLeft",
              "Remediation timed out, and no template left to try. didn't find a template to use for NHC %s and node %s"
                  .formatted(check, node));
      case ByPolicy(PolicyHold.DryRun hold) ->
          new EmitEvent(node, false, "RemediationDryRun", hold.message());
      case ByPolicy(PolicyHold.GivenUp hold) ->
          new EmitEvent(node, true, "RemediationGivenUp", hold.message());
      case ByPolicy(PolicyHold.AwaitingApproval hold) ->
          new EmitEvent(node, true, "RemediationAwaitsApproval", hold.message());
      case ByPolicy(PolicyHold hold) ->
          warning(node, "no further remediation is started: " + hold.message());
      default -> warning(node, (node == null ? all : "node " + node + ": ") + reason.message());
    };
  }

  private static EmitEvent normal(@Nullable String node, String message) {
    return new EmitEvent(node, false, SKIPPED, message);
  }

  private static EmitEvent warning(@Nullable String node, String message) {
    return new EmitEvent(node, true, SKIPPED, message);
  }
}
