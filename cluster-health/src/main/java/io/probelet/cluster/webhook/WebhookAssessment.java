package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Separates problematic webhooks from harmless ones (CH-31). */
public final class WebhookAssessment {

  static final int LEASE_TIMEOUT_SECONDS = 3;
  static final int TIMEOUT_SECONDS = 15;

  private final WebhookPolicy policy;
  private final List<ProtectedResource> resources;
  private final ProtectedResource kubeSystemLeases;

  /** Creates an assessment. */
  public WebhookAssessment(WebhookPolicy policy) {
    this.policy = policy;
    resources = policy.protectedResources();
    kubeSystemLeases = policy.kubeSystemLeases();
  }

  /** {@return one finding for each problematic webhook, in the configuration's order} */
  public List<WebhookFinding> assess(ValidatingWebhookConfiguration configuration) {
    return isIgnored(configuration.getMetadata())
        ? List.of()
        : assess(configuration.getWebhooks().stream().map(AdmissionWebhook::of).toList());
  }

  /** {@return one finding for each problematic webhook, in the configuration's order} */
  public List<WebhookFinding> assess(MutatingWebhookConfiguration configuration) {
    return isIgnored(configuration.getMetadata())
        ? List.of()
        : assess(configuration.getWebhooks().stream().map(AdmissionWebhook::of).toList());
  }

  /** {@return why this webhook is problematic; empty if it is not} */
  public Optional<WebhookFinding> assess(AdmissionWebhook webhook) {
    if (holdsUpLeases(webhook)) { // CH-31 (a): renewals of leases wait for the webhook
      return Optional.of(
          finding(
              webhook,
              WebhookHazard.SLOWS_LEASES,
              kubeSystemLeases,
              "set timeoutSeconds to 3 or less, or exclude kube-system with a"
                  + " namespaceSelector"));
    }
    if (!webhook.failsClosed() && !webhook.isSlowerThan(TIMEOUT_SECONDS)) {
      return Optional.empty();
    }
    return matched(webhook).stream() // CH-31 (b): the webhook rejects or delays critical requests
        .findFirst()
        .map(resource ->
            finding(
                webhook,
                WebhookHazard.BLOCKS_OBJECTS,
                resource,
                resource.namespaceLabels() == null
                    ? "set failurePolicy to Ignore and timeoutSeconds to 15 or less"
                    : "exclude them with a namespaceSelector, or set failurePolicy to"
                        + " Ignore and timeoutSeconds to 15 or less"));
  }

  boolean holdsUpLeases(AdmissionWebhook webhook) {
    return webhook.isSlowerThan(LEASE_TIMEOUT_SECONDS) && kubeSystemLeases.isMatchedBy(webhook);
  }

  List<ProtectedResource> matched(AdmissionWebhook webhook) {
    return resources.stream().filter(resource -> resource.isMatchedBy(webhook)).toList();
  }

  boolean isIgnored(ObjectMeta metadata) {
    return WebhookPolicy.carriesAny(metadata.getLabels(), policy.ignored());
  }

  boolean isExcluded(ObjectMeta metadata) {
    return isIgnored(metadata) || WebhookPolicy.carriesAny(metadata.getLabels(), policy.excluded());
  }

  private List<WebhookFinding> assess(List<AdmissionWebhook> webhooks) {
    return webhooks.stream().map(this::assess).flatMap(Optional::stream).toList();
  }

  private static WebhookFinding finding(
      AdmissionWebhook webhook, WebhookHazard hazard, ProtectedResource resource, String remedy) {
    return new WebhookFinding(
        webhook.name(),
        hazard,
        resource,
        "webhook \"%s\" with failurePolicy %s and timeoutSeconds %s can block %s; %s"
            .formatted(
                webhook.name(),
                Objects.requireNonNullElse(webhook.failurePolicy(), "unset"),
                webhook.timeoutSeconds() == null ? "unset" : webhook.timeoutSeconds(),
                resource,
                remedy));
  }
}
