package io.probelet.cli.controller;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.controller.ControllerPart;
import io.probelet.controller.ControllerSettings;
import io.probelet.controller.remediation.RemediationPart;
import io.probelet.health.GoDuration;
import io.probelet.nodehealth.workloads.WorkloadSettings;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of every command that can become leader. */
public final class ControllerOptions {
  /** The names of all of them. */
  public static final List<String> NAMES =
      List.of(
          "--parts",
          "--remediators",
          "--lease-namespace",
          "--event-component",
          "--webhook-listen",
          "--webhook-certificates",
          "--workload-namespaces",
          "--workload-for",
          "--workload-minimum",
          "--workload-share");

  private static final List<String> WORKLOAD_NAMES =
      NAMES.stream().filter(name -> name.startsWith("--workload-")).toList();

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      defaultValue = "${env:PROBELET_PARTS:-remediation,cluster-care,node-monitor,remediators}",
      description =
          "Parts to run: remediation, cluster-care, node-monitor, remediators, restart-guard,"
              + " node-readiness, workload-evidence, separated by commas (environment: PROBELET_PARTS;"
              + " default: all but the last three).")
  private List<String> parts = List.of();

  @Option(
      names = "--remediators",
      paramLabel = "KIND",
      split = ",",
      defaultValue = "${env:PROBELET_REMEDIATORS:-}",
      description =
          "Built-in remediators to run: service-restart, drain, reboot, out-of-service, machine,"
              + " hook, separated by commas (environment: PROBELET_REMEDIATORS; default: none).")
  private List<String> remediators = List.of();

  @Option(
      names = "--lease-namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "${env:LEASE_NAMESPACE:-medik8s-leases}",
      description =
          "Namespace of the leases that reserve a node for one remediator (environment:"
              + " LEASE_NAMESPACE; default: medik8s-leases).")
  private String leaseNamespace = "";

  @Option(
      names = "--event-component",
      paramLabel = "NAME",
      defaultValue = "${env:PROBELET_EVENT_COMPONENT:-probelet}",
      description =
          "Component in events about NodeHealthChecks; node-healthcheck-operator uses"
              + " NodeHealthCheck (environment: PROBELET_EVENT_COMPONENT; default: probelet).")
  private String eventComponent = "";

  @Option(
      names = "--webhook-listen",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:PROBELET_WEBHOOK_LISTEN:-0.0.0.0:20259}",
      description =
          "Address of the webhook for NodeHealthChecks (environment:"
              + " PROBELET_WEBHOOK_LISTEN; default: 0.0.0.0:20259).")
  private String webhookListen = "";

  @Option(
      names = "--webhook-certificates",
      paramLabel = "DIR",
      defaultValue = "${env:PROBELET_WEBHOOK_CERTIFICATES:-/etc/probelet-webhook}",
      description =
          "Folder with the webhook's certificates: ca.crt and ca.key, as `probelet webhook-setup`"
              + " makes them, or tls.crt and tls.key. Without certificates the webhook is off"
              + " (environment: PROBELET_WEBHOOK_CERTIFICATES; default: /etc/probelet-webhook).")
  private Path webhookCertificates = Path.of("");

  @Option(
      names = "--workload-namespaces",
      paramLabel = "NAMESPACE",
      split = ",",
      defaultValue = "${env:PROBELET_WORKLOAD_NAMESPACES:-}",
      description =
          "Trusted namespaces whose workloads are evidence about nodes, with workload-evidence among"
              + " --parts: 3 to 32, separated by commas (environment: PROBELET_WORKLOAD_NAMESPACES).")
  private List<String> workloadNamespaces = List.of();

  @Option(
      names = "--workload-for",
      paramLabel = "DURATION",
      defaultValue = "${env:PROBELET_WORKLOAD_FOR:-5m}",
      description =
          "How long workloads must fail on a node, 1m to 1h (environment: PROBELET_WORKLOAD_FOR;"
              + " default: 5m).")
  private String workloadFor = "";

  @Option(
      names = "--workload-minimum",
      paramLabel = "COUNT",
      defaultValue = "${env:PROBELET_WORKLOAD_MINIMUM:-3}",
      description =
          "Workloads that must fail on a node and work on others, 3 to 100 (environment:"
              + " PROBELET_WORKLOAD_MINIMUM; default: 3).")
  private int workloadMinimum;

  @Option(
      names = "--workload-share",
      paramLabel = "PERCENT",
      defaultValue = "${env:PROBELET_WORKLOAD_SHARE:-60}",
      description =
          "Their least share among the workloads that fail or work on the node, 50 to 100"
              + " (environment: PROBELET_WORKLOAD_SHARE; default: 60).")
  private int workloadShare;

  /** Created by the command line. */
  public ControllerOptions() {}

  /**
   * {@return the parts to run, and their settings}
   *
   * @throws IllegalArgumentException if an option is invalid; the message is for the user
   */
  public ControllerSettings settings() {
    if (!parts.contains(ControllerPart.REMEDIATION.toString())) {
      IneffectiveOptions.refuse(
          spec,
          "without remediation among --parts",
          List.of(
              "--lease-namespace",
              "--event-component",
              "--webhook-listen",
              "--webhook-certificates"));
    }
    if (!parts.contains(ControllerPart.REMEDIATORS.toString())) {
      IneffectiveOptions.refuse(
          spec, "without remediators among --parts", List.of("--remediators"));
    }
    boolean workloads = parts.contains(ControllerPart.WORKLOAD_EVIDENCE.toString());
    if (!workloads) {
      IneffectiveOptions.refuse(spec, "without workload-evidence among --parts", WORKLOAD_NAMES);
    }
    return new ControllerSettings(
        new LinkedHashSet<>(parts).stream().map(ControllerPart::parse).toList(),
        new RemediationPart.Settings(
            leaseNamespace,
            eventComponent,
            ListenAddress.parse(webhookListen),
            webhookCertificates),
        new LinkedHashSet<>(remediators)
            .stream().filter(kind -> !kind.isEmpty()).map(ControllerOptions::remediator).toList(),
        workloads ? workloads() : null);
  }

  private WorkloadSettings workloads() {
    Duration duration;
    try {
      duration = GoDuration.parse(workloadFor);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException("--workload-for: " + malformed.getMessage(), malformed);
    }
    try {
      return new WorkloadSettings(
          workloadNamespaces.stream().filter(name -> !name.isEmpty()).toList(),
          duration,
          workloadMinimum,
          workloadShare);
    } catch (IllegalArgumentException refused) {
      throw new IllegalArgumentException("--workload-" + refused.getMessage(), refused);
    }
  }

  private static RemediationKind remediator(String label) {
    try {
      return RemediationKind.parse(label);
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException("--remediators: " + unknown.getMessage(), unknown);
    }
  }
}
