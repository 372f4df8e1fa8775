package io.probelet.controller;

import static java.util.stream.Collectors.joining;

import io.probelet.controller.clusterhealth.ClusterHealthPart;
import io.probelet.controller.readiness.NodeReadinessPart;
import io.probelet.controller.remediation.RemediationPart;
import io.probelet.controller.remediators.RemediatorsPart;
import io.probelet.controller.restart.RestartGuardPart;
import io.probelet.controller.workloads.WorkloadEvidencePart;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.util.Arrays;
import java.util.Objects;

/** What there is to lead. Each part has a lease, and so a leader, of its own. */
public enum ControllerPart {
  /** Evaluates NodeHealthChecks, and answers the webhook for them. */
  REMEDIATION("remediation"),
  /** Reports the health of the cluster's parts, as ClusterHealth says. */
  CLUSTER_CARE("cluster-care"),
  /** Taints watched nodes, and reports those whose agent is gone. */
  NODE_MONITOR("node-monitor"),
  /** Carries out remediations of our own, of the kinds that are switched on. */
  REMEDIATORS("remediators"),
  /** Keeps the leases in which agents count the restarts of workloads. */
  RESTART_GUARD("restart-guard"),
  /** Taints nodes until they have the conditions of NodeReadinessRules. */
  NODE_READINESS("node-readiness"),
  /** Judges nodes by the workloads of trusted namespaces. */
  WORKLOAD_EVIDENCE("workload-evidence");

  private final String label;

  ControllerPart(String label) {
    this.label = label;
  }

  /**
   * Reads a part's name.
   *
   * @throws IllegalArgumentException if it is none; the message says which there are
   */
  public static ControllerPart parse(String text) {
    return Arrays.stream(values())
        .filter(part -> part.label.equals(text))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "--parts: \"%s\" is not one of %s"
                    .formatted(
                        text,
                        Arrays.stream(values()).map(part -> part.label).collect(joining(", ")))));
  }

  /** Starts as a candidate for leader. */
  Part start(ControllerContext context, ControllerSettings settings, ControllerPorts ports) {
    return switch (this) {
      case REMEDIATION -> RemediationPart.start(context, settings.remediation(), ports.webhooks());
      case CLUSTER_CARE -> new ClusterHealthPart(context);
      case NODE_MONITOR -> new WatchedNodesPart(context);
      case REMEDIATORS -> RemediatorsPart.start(context, settings.remediators(), ports.hooks());
      case RESTART_GUARD -> new RestartGuardPart(context);
      case NODE_READINESS -> new NodeReadinessPart(context);
      case WORKLOAD_EVIDENCE ->
          new WorkloadEvidencePart(context, Objects.requireNonNull(settings.workloads()));
    };
  }

  @Override
  public String toString() {
    return label;
  }
}
