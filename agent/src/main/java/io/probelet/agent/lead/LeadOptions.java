package io.probelet.agent.lead;

import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.remediation.RemediationPart;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of every command that can lead. */
public final class LeadOptions {
  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      defaultValue = "${env:PROBELET_PARTS:-remediation,cluster-care,node-monitor}",
      description =
          "What to lead: remediation, cluster-care, node-monitor, with commas (environment:"
              + " PROBELET_PARTS; default: all of them).")
  private List<String> parts = List.of();

  @Option(
      names = "--lease-namespace",
      paramLabel = "NAMESPACE",
      defaultValue = "${env:LEASE_NAMESPACE:-medik8s-leases}",
      description =
          "Where the leases are that say who works on a node (environment: LEASE_NAMESPACE;"
              + " default: medik8s-leases).")
  private String leaseNamespace = "";

  @Option(
      names = "--event-component",
      paramLabel = "NAME",
      defaultValue = "${env:PROBELET_EVENT_COMPONENT:-probelet}",
      description =
          "The component that events about NodeHealthChecks are said to be from; NHC's own is"
              + " NodeHealthCheck (environment: PROBELET_EVENT_COMPONENT; default: probelet).")
  private String eventComponent = "";

  @Option(
      names = "--webhook-listen",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:PROBELET_WEBHOOK_LISTEN:-0.0.0.0:20259}",
      description =
          "Where the webhook for NodeHealthChecks is answered (environment:"
              + " PROBELET_WEBHOOK_LISTEN; default: 0.0.0.0:20259).")
  private String webhookListen = "";

  @Option(
      names = "--webhook-certificates",
      paramLabel = "DIR",
      defaultValue = "${env:PROBELET_WEBHOOK_CERTIFICATES:-/etc/probelet-webhook}",
      description =
          "Where the webhook's certificates are: ca.crt and ca.key, as `probelet webhook-setup`"
              + " makes them, or tls.crt and tls.key; without them there is no webhook"
              + " (environment: PROBELET_WEBHOOK_CERTIFICATES; default: /etc/probelet-webhook).")
  private Path webhookCertificates = Path.of("");

  /** Created by the command line. */
  public LeadOptions() {}

  /**
   * {@return what is led, and how}
   *
   * @throws IllegalArgumentException if that cannot be; the message is for the user
   */
  public LeadSettings settings() {
    return new LeadSettings(
        new LinkedHashSet<>(parts).stream().map(LeadPart::parse).toList(),
        new RemediationPart.Settings(
            leaseNamespace,
            eventComponent,
            ListenAddress.parse(webhookListen),
            webhookCertificates));
  }
}
