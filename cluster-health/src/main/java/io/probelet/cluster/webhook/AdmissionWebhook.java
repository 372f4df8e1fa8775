package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The common part of validating and mutating webhooks, as far as the checks need it.
 *
 * @param name the webhook's name within its configuration
 * @param failurePolicy {@code Fail}, {@code Ignore}, or null if unset
 * @param timeoutSeconds seconds, or null if unset
 * @param rules requests for which the webhook is called
 * @param namespaceSelector selects namespaces; null means all
 * @param objectSelector selects objects; null means all
 */
public record AdmissionWebhook(
    String name,
    @Nullable String failurePolicy,
    @Nullable Integer timeoutSeconds,
    List<RuleWithOperations> rules,
    @Nullable LabelSelector namespaceSelector,
    @Nullable LabelSelector objectSelector) {

  /** Keeps an unmodifiable copy of the rules. */
  public AdmissionWebhook {
    rules = List.copyOf(rules);
  }

  /**
   * {@return the common part of a validating webhook}
   *
   * @param webhook one entry of a configuration
   */
  public static AdmissionWebhook of(ValidatingWebhook webhook) {
    return new AdmissionWebhook(
        webhook.getName() == null ? "" : webhook.getName(),
        webhook.getFailurePolicy(),
        webhook.getTimeoutSeconds(),
        webhook.getRules(),
        webhook.getNamespaceSelector(),
        webhook.getObjectSelector());
  }

  /**
   * {@return the common part of a mutating webhook}
   *
   * @param webhook one entry of a configuration
   */
  public static AdmissionWebhook of(MutatingWebhook webhook) {
    return new AdmissionWebhook(
        webhook.getName() == null ? "" : webhook.getName(),
        webhook.getFailurePolicy(),
        webhook.getTimeoutSeconds(),
        webhook.getRules(),
        webhook.getNamespaceSelector(),
        webhook.getObjectSelector());
  }

  ValidatingWebhook appliedTo(ValidatingWebhook webhook) {
    return new ValidatingWebhookBuilder(webhook)
        .withFailurePolicy(failurePolicy)
        .withTimeoutSeconds(timeoutSeconds)
        .withNamespaceSelector(namespaceSelector)
        .withObjectSelector(objectSelector)
        .build();
  }

  MutatingWebhook appliedTo(MutatingWebhook webhook) {
    return new MutatingWebhookBuilder(webhook)
        .withFailurePolicy(failurePolicy)
        .withTimeoutSeconds(timeoutSeconds)
        .withNamespaceSelector(namespaceSelector)
        .withObjectSelector(objectSelector)
        .build();
  }

  boolean isSlowerThan(int seconds) {
    return timeoutSeconds == null || timeoutSeconds > seconds;
  }

  boolean failsClosed() {
    return failurePolicy == null || failurePolicy.equals("Fail");
  }

  boolean hasValidSelectors() {
    return SelectorModel.isValid(namespaceSelector) && SelectorModel.isValid(objectSelector);
  }
}
