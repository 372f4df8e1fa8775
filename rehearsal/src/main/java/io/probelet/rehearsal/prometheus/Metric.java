package io.probelet.rehearsal.prometheus;

import java.time.Duration;

/** The metrics of kube-state-metrics that a tape needs, aggregated over its instances. */
enum Metric {
  /** Conditions: a series with the value 1 shows the status. */
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
   * The query for the current series.
   *
   * @param matchers label matchers of PromQL, possibly empty
   */
  String present(String matchers) {
    return expression.formatted("{" + matchers + "}");
  }

  /** The query for series that exist now but not one step before. */
  String began(String matchers, Duration step) {
    return "(" + present(matchers) + ") unless (" + before(matchers, step) + ")";
  }

  /** The query for series that existed one step before but not now. */
  String ended(String matchers, Duration step) {
    return "(" + before(matchers, step) + ") unless (" + present(matchers) + ")";
  }

  private String before(String matchers, Duration step) {
    return expression.formatted("{" + matchers + "} offset " + step.toSeconds() + "s");
  }
}
