package io.probelet.cli.controller;

import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.controller.ControllerPart;
import io.probelet.controller.ControllerSettings;
import io.probelet.controller.remediation.RemediationPart;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.web.http.ListenAddress;
import java.nio.file.Path;
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
          "--webhook-certificates");

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      defaultValue = "${env:PROBELET_PARTS:-remediation,cluster-care,node-monitor,remediators}",
      description =
          "Parts to run: remediation, cluster-care, node-monitor, remediators, restart-guard,"
              + " node-readiness, separated by commas (environment: PROBELET_PARTS; default: all"
              + " but the last two).")
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
    return new ControllerSettings(
        new LinkedHashSet<>(parts).stream().map(ControllerPart::parse).toList(),
        new RemediationPart.Settings(
            leaseNamespace,
            eventComponent,
            ListenAddress.parse(webhookListen),
            webhookCertificates),
        new LinkedHashSet<>(remediators)
            .stream().filter(kind -> !kind.isEmpty()).map(ControllerOptions::remediator).toList());
  }

  private static RemediationKind remediator(String label) {
    try {
      return RemediationKind.parse(label);
    } catch (IllegalArgumentException unknown) {
      throw new IllegalArgumentException("--remediators: " + unknown.getMessage(), unknown);
    }
  }
}
