package io.probelet.rehearsal.prometheus;

import java.time.Duration;

/** What a tape needs of kube-state-metrics; without the series' instances, which come and go. */
enum Metric {
  /** Conditions: those series that are 1 have the status. */
  CONDITION("max by (node, condition, status) (kube_node_status_condition%s) == 1"),
  /** Cordoned nodes. */
  CORDON("max by (node) (kube_node_spec_unschedulable%s) == 1"),
  /** Roles, which are labels. */
  ROLE("max by (node, role) (kube_node_role%s)"),
  /** All labels of a node in one series. */
  LABELS("max without (instance, pod) (kube_node_labels%s)");

  private final String expression;

  Metric(String expression) {
    this.expression = expression;
  }

  /**
   * What is.
   *
   * @param matchers label matchers of PromQL, possibly empty
   */
  String present(String matchers) {
    return expression.formatted("{" + matchers + "}");
  }

  /** What is, and was not one step before. */
  String began(String matchers, Duration step) {
    return "(" + present(matchers) + ") unless (" + before(matchers, step) + ")";
  }

  /** What was one step before, and is no more. */
  String ended(String matchers, Duration step) {
    return "(" + before(matchers, step) + ") unless (" + present(matchers) + ")";
  }

  private String before(String matchers, Duration step) {
    return expression.formatted("{" + matchers + "} offset " + step.toSeconds() + "s");
  }
}
