package io.probelet.nodehealth.remediation;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionException;
import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor.MaxUnhealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor.MinHealthy;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Nodes;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount.Percent;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeVariables;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Builds NodeHealthChecks; one that is left alone has the defaults and one template. */
final class HealthCheckBuilder {
  static final ObjectRef REBOOT = template("RebootRemediationTemplate", "reboot");

  private String name = "nhc";
  private LabelSelector selector = LabelSelector.EVERYTHING;
  private HealthyFloor floor = new MinHealthy(new Percent(51));
  private final List<RemediationStep> steps = new ArrayList<>();
  private Duration stormCooldown;
  private List<String> pauseRequests = List.of();
  private Duration healthyDelay = Duration.ZERO;
  private Duration neverReadyAfter;
  private Duration settle = Duration.ZERO;
  private CompiledExpression unhealthyWhen;

  static HealthCheckBuilder check() {
    return new HealthCheckBuilder();
  }

  static ObjectRef template(String kind, String name) {
    return new ObjectRef("example.io/v1", kind, "remedies", name);
  }

  /** An escalation of two steps that take so many minutes. */
  static HealthCheckBuilder twoSteps(int first, int second) {
    return check()
        .then("FirstRemediation", "first", Duration.ofMinutes(first))
        .then("SecondRemediation", "second", Duration.ofMinutes(second));
  }

  /** An escalation whose two steps make remediations of the same kind. */
  static HealthCheckBuilder twoOfOneKind() {
    return check()
        .then("SameRemediation", "soft", Duration.ofMinutes(2))
        .then("SameRemediation", "hard", Duration.ofMinutes(2));
  }

  HealthCheckBuilder named(String value) {
    name = value;
    return this;
  }

  HealthCheckBuilder selecting(String label, String value) {
    selector = new LabelSelector(Map.of(label, value), List.of());
    return this;
  }

  HealthCheckBuilder minHealthy(int nodes) {
    floor = new MinHealthy(new Nodes(nodes));
    return this;
  }

  HealthCheckBuilder maxUnhealthy(int nodes) {
    floor = new MaxUnhealthy(new Nodes(nodes));
    return this;
  }

  HealthCheckBuilder using(ObjectRef template) {
    steps.add(new RemediationStep(template, null));
    return this;
  }

  HealthCheckBuilder then(String kind, String template, Duration timeout) {
    steps.add(new RemediationStep(template(kind + "Template", template), timeout));
    return this;
  }

  HealthCheckBuilder stormCooldown(Duration value) {
    stormCooldown = value;
    return this;
  }

  HealthCheckBuilder paused(String... requests) {
    pauseRequests = List.of(requests);
    return this;
  }

  HealthCheckBuilder healthyDelay(Duration value) {
    healthyDelay = value;
    return this;
  }

  HealthCheckBuilder neverReadyAfter(Duration value) {
    neverReadyAfter = value;
    return this;
  }

  HealthCheckBuilder settle(Duration value) {
    settle = value;
    return this;
  }

  HealthCheckBuilder unhealthyWhen(String expression) {
    try {
      unhealthyWhen = CompiledExpression.compile(expression, NodeVariables.DECLARED);
    } catch (ExpressionException invalid) {
      throw new AssertionError(invalid);
    }
    return this;
  }

  NodeHealthCheckSpec spec() {
    return new NodeHealthCheckSpec(
        selector,
        UnhealthyCondition.DEFAULTS,
        floor,
        steps.isEmpty() ? List.of(new RemediationStep(REBOOT, null)) : steps,
        stormCooldown,
        pauseRequests,
        healthyDelay,
        neverReadyAfter,
        settle,
        unhealthyWhen);
  }

  NodeHealthCheck build() {
    return new NodeHealthCheck(name, name + "-uid", spec(), NodeHealthCheckStatus.NONE);
  }
}
