package io.probelet.agent.cluster;

import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.http.Resource;
import io.probelet.agent.metrics.RemediationMetrics;
import io.probelet.agent.remediation.RemediationResource;
import io.probelet.agent.remediation.Webhook;
import io.probelet.nodehealth.controller.NodeRemediation;
import io.probelet.nodehealth.controller.RemediationSettings;
import io.probelet.nodehealth.election.Timing;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Stands for the leader that evaluates NodeHealthChecks, and answers the webhook for them. Only in
 * a pod, whose namespace is where its lease belongs: one who tries an agent out against some
 * cluster does not take part.
 */
final class RemediationPart implements AgentPart {
  private static final String NODE_LEASES = "LEASE_NAMESPACE";
  private static final String WEBHOOK_LISTEN = "PROBELET_WEBHOOK_LISTEN";
  private static final String WEBHOOK_DEFAULT = "0.0.0.0:20259";

  private final @Nullable NodeRemediation remediation;
  private final @Nullable Webhook webhook;

  private RemediationPart(@Nullable NodeRemediation remediation, @Nullable Webhook webhook) {
    this.remediation = remediation;
    this.webhook = webhook;
  }

  static RemediationPart of(PartContext context) {
    return of(context, name -> System.getenv(name));
  }

  static RemediationPart of(PartContext context, UnaryOperator<@Nullable String> environment) {
    String namespace = context.podNamespace();
    if (namespace == null) {
      return new RemediationPart(null, null);
    }
    RemediationSettings settings =
        new RemediationSettings(
            context.node() + "_" + UUID.randomUUID(),
            namespace,
            or(environment.apply(NODE_LEASES), RemediationSettings.LEASE_NAMESPACE),
            Timing.DEFAULT);
    Webhook webhook =
        Webhook.open(
            context.client(),
            context.time(),
            namespace,
            ListenAddress.parse(or(environment.apply(WEBHOOK_LISTEN), WEBHOOK_DEFAULT)));
    NodeRemediation remediation =
        NodeRemediation.start(
            context.client(),
            settings,
            context.time(),
            new RemediationMetrics(context.metrics()),
            webhook::lead);
    return new RemediationPart(remediation, webhook);
  }

  private static String or(@Nullable String value, String otherwise) {
    return value == null || value.isEmpty() ? otherwise : value;
  }

  @Override
  public String name() {
    return "remediation";
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty(); // a standby is as it should be, and so is one that waits for rights
  }

  @Override
  public Map<String, Resource> resources() {
    return remediation == null
        ? Map.of()
        : Map.of("/api/v1/remediation", new RemediationResource(remediation));
  }

  @Override
  public void close() {
    if (remediation != null) {
      remediation.close();
    }
    if (webhook != null) {
      webhook.close();
    }
  }
}
