package io.probelet.nodehealth.workloads;

import io.probelet.health.ConditionStatus;
import org.jspecify.annotations.Nullable;

/** What the workloads say about a node. */
public enum Finding {
  /** Workloads fail on this node and work on others. */
  FAILING(ConditionStatus.TRUE, "WorkloadsFailing", ""),
  /** There is no such evidence, although enough workloads can be compared. */
  WORKING(
      ConditionStatus.FALSE,
      "WorkloadsWorking",
      "no evidence against this node by workloads of the trusted namespaces"),
  /** Too few workloads can be compared. */
  TOO_FEW(
      ConditionStatus.UNKNOWN,
      "TooFewWorkloads",
      "too few workloads of the trusted namespaces run on this node and can be compared"),
  /** The node's kubelet does not report it as Ready, so the states of its pods are not evidence. */
  NOT_READY(ConditionStatus.UNKNOWN, "NodeNotReady", "not evaluated: the node is not Ready"),
  /** The node is in maintenance. */
  MAINTAINED(
      ConditionStatus.UNKNOWN, "NodeInMaintenance", "not evaluated: the node is in maintenance"),
  /** Workloads fail, but the node was cordoned before that. */
  CORDONED(
      ConditionStatus.UNKNOWN,
      "NodeCordoned",
      "workloads fail only on this node, which was cordoned before that"),
  /** So many nodes fail at once that the cause is not a node. */
  HELD(
      ConditionStatus.UNKNOWN,
      "TooManyNodes",
      "workloads fail on too many nodes at once, so the cause is probably not this node"),
  /** The pods or nodes could not be watched. */
  UNSEEN(
      ConditionStatus.UNKNOWN,
      "WorkloadsUnknown",
      "the controller cannot watch all pods of the trusted namespaces and all nodes");

  private final ConditionStatus status;
  private final String reason;
  private final String message;

  Finding(ConditionStatus status, String reason, String message) {
    this.status = status;
    this.reason = reason;
    this.message = message;
  }

  /** {@return the status of the condition} */
  public ConditionStatus status() {
    return status;
  }

  /** {@return the reason of the condition} */
  public String reason() {
    return reason;
  }

  /** {@return the message of the condition; empty for {@link #FAILING}, which names workloads} */
  public String message() {
    return message;
  }

  boolean isUnknown() {
    return status == ConditionStatus.UNKNOWN;
  }

  /** Returns the finding that a condition shows; null if it is none of ours. */
  static @Nullable Finding shown(WorkloadNode.@Nullable Shown condition) {
    if (condition != null) {
      for (Finding each : values()) {
        if (each.status.toString().equals(condition.status())
            && each.reason.equals(condition.reason())) {
          return each;
        }
      }
    }
    return null;
  }
}
