package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.cluster.care.ClusterHealthSpec.WebhookRemediationMode;
import io.probelet.cluster.webhook.Remediated;
import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.cluster.webhook.WebhookRemediation;
import io.probelet.kube.event.ApiEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Remediates webhook configurations, or reports what that would change (CH-34). */
final class WebhookRemediator {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookRemediator.class);

  private final KubernetesClient client;
  private final CareEvents events;
  private final CareListener listener;
  private final BooleanSupplier mayWrite;

  /** Changes that a dry run has reported already, so that it does not report them every round. */
  private final Map<String, List<WebhookChange>> reported = new HashMap<>();

  WebhookRemediator(
      KubernetesClient client, CareEvents events, CareListener listener, BooleanSupplier mayWrite) {
    this.mayWrite = mayWrite;
    this.client = client;
    this.events = events;
    this.listener = listener;
  }

  /** Remediates problematic webhooks if the spec enables it. */
  void round(ClusterHealthSpec spec, ReadOnce<WebhookConfigurations> configurations) {
    if (spec.webhookRemediation() == WebhookRemediationMode.DISABLED) {
      reported.clear();
      return;
    }
    boolean dryRun = spec.webhookRemediation() == WebhookRemediationMode.DRY_RUN;
    WebhookRemediation remediation = new WebhookRemediation(spec.webhookPolicy());
    WebhookConfigurations all;
    try {
      all = configurations.get();
    } catch (KubernetesClientException e) {
      LOG.warn("webhook configurations not read reason=\"{}\"", ApiErrorText.of(e));
      return;
    }
    for (ValidatingWebhookConfiguration configuration : all.validating()) {
      remediate(configuration, remediation::remediate, dryRun);
    }
    for (MutatingWebhookConfiguration configuration : all.mutating()) {
      remediate(configuration, remediation::remediate, dryRun);
    }
  }

  private <T extends HasMetadata> void remediate(
      T configuration, Function<T, Remediated<T>> change, boolean dryRun) {
    String name = configuration.getKind() + "/" + configuration.getMetadata().getName();
    Remediated<T> remediated;
    try {
      remediated = change.apply(configuration);
    } catch (IllegalArgumentException unreadable) {
      LOG.warn("webhooks skipped configuration={} reason=\"{}\"", name, unreadable.getMessage());
      return;
    }
    List<WebhookChange> changes = remediated.changes();
    if (changes.isEmpty()) {
      reported.remove(name);
      return;
    }
    if (!mayWrite.getAsBoolean()) {
      return;
    }
    if (dryRun) {
      if (!changes.equals(reported.put(name, changes))) {
        report(configuration, name, changes, true);
      }
      return;
    }
    try {
      client.resource(remediated.configuration()).update();
    } catch (KubernetesClientException e) { // possibly a conflict; the next round retries
      LOG.warn("webhooks not remediated configuration={} reason=\"{}\"", name, ApiErrorText.of(e));
      return;
    }
    report(configuration, name, changes, false);
  }

  private void report(
      HasMetadata configuration, String name, List<WebhookChange> changes, boolean dryRun) {
    String all = changes.stream().map(WebhookChange::toString).collect(Collectors.joining("; "));
    LOG.info("webhooks remediated configuration={} dry_run={} changes=\"{}\"", name, dryRun, all);
    String reason = dryRun ? "WebhooksWouldBeRemediated" : "WebhooksRemediated";
    events.record(configuration, ApiEvent.WARNING, reason, all, all);
    listener.webhooksRemediated(name, changes, dryRun);
  }
}
