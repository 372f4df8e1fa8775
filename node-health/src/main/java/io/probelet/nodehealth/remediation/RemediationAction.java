package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An action. The actions of one node are ordered: each may run only after all earlier ones have
 * succeeded. After a failure the node is planned again.
 */
public sealed interface RemediationAction {
  /** {@return its node; null if it concerns the whole NodeHealthCheck} */
  @Nullable String node();

  /** Write the node's lease. */
  record ClaimLease(String node, LeaseClaim claim) implements RemediationAction {}

  /** Delete the node's lease. */
  record ReleaseLease(String node, NodeLease lease) implements RemediationAction {}

  /**
   * Add a remediation that is about to be created to what a policy counts (ACT-79).
   *
   * @param entry what to add; adding it again changes nothing
   */
  record CountRemediation(String node, String policy, PastRemediation entry)
      implements RemediationAction {}

  /**
   * Remove a human's approval from the node, before it is used (ACT-76).
   *
   * @param left the remaining approvals; empty for none
   */
  record TakeApproval(String node, String annotated, String left) implements RemediationAction {}

  /** Create a remediation. */
  record CreateRemediation(String node, RemediationDraft draft) implements RemediationAction {}

  /**
   * Delete a remediation.
   *
   * @param remediation the remediation, with its unique identifier
   */
  record DeleteRemediation(String node, ObservedRemediation remediation)
      implements RemediationAction {}

  /** Annotate a remediation. */
  sealed interface Annotate extends RemediationAction {
    /** {@return which one} */
    ObservedRemediation remediation();

    /** {@return the annotation} */
    String annotation();

    /** {@return its value} */
    String value();
  }

  /**
   * Give a remediation up.
   *
   * @param at now, in whole seconds
   */
  record MarkTimedOut(String node, ObservedRemediation remediation, Instant at)
      implements Annotate {
    @Override
    public String annotation() {
      return WireNames.TIMED_OUT;
    }

    @Override
    public String value() {
      return at.toString();
    }
  }

  /**
   * Begin the healthy delay.
   *
   * @param since now, in whole seconds
   */
  record MarkHealthyDelay(String node, ObservedRemediation remediation, Instant since)
      implements Annotate {
    @Override
    public String annotation() {
      return WireNames.HEALTHY_DELAY;
    }

    @Override
    public String value() {
      return since.toString();
    }
  }

  /** Flag a remediation that is too old, and count it. */
  record FlagOld(String node, ObservedRemediation remediation) implements Annotate {
    @Override
    public String annotation() {
      return WireNames.OLD_REMEDIATION;
    }

    @Override
    public String value() {
      return "flagon";
    }
  }

  /** Remove the annotation with which a person confirmed that the node is healthy. */
  record ClearConfirmation(String node) implements RemediationAction {
    /** {@return the annotation} */
    public String annotation() {
      return WireNames.CONFIRMED_HEALTHY;
    }
  }

  /**
   * Record an event for the user.
   *
   * @param node the node; null if it concerns the whole NodeHealthCheck
   * @param warning whether its type is Warning; Normal otherwise
   * @param reason one word in UpperCamelCase
   */
  record EmitEvent(@Nullable String node, boolean warning, String reason, String message)
      implements RemediationAction {}
}
