package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Remediates problematic webhooks, and undoes that (CH-34).
 *
 * <p>It computes patched copies and writes nothing, so a dry run only shows the changes.
 * Remediation only restricts webhooks: they are called for fewer requests, have less time, and can
 * reject less. A second remediation changes nothing.
 */
public final class WebhookRemediation {

  private final WebhookAssessment assessment;

  /** Creates a remediation. */
  public WebhookRemediation(WebhookPolicy policy) {
    assessment = new WebhookAssessment(policy);
  }

  /**
   * {@return the configuration with remediated webhooks and an annotation that lists the changes}
   *
   * @param configuration the configuration; not modified
   * @throws IllegalArgumentException if its annotation of earlier changes cannot be read
   */
  public Remediated<ValidatingWebhookConfiguration> remediate(
      ValidatingWebhookConfiguration configuration) {
    return assessment.isExcluded(configuration.getMetadata())
        ? new Remediated<>(configuration, List.of())
        : changed(configuration, this::harmless, ChangeLog::with);
  }

  /**
   * {@return the configuration with remediated webhooks and an annotation that lists the changes}
   *
   * @param configuration the configuration; not modified
   * @throws IllegalArgumentException if its annotation of earlier changes cannot be read
   */
  public Remediated<MutatingWebhookConfiguration> remediate(
      MutatingWebhookConfiguration configuration) {
    return assessment.isExcluded(configuration.getMetadata())
        ? new Remediated<>(configuration, List.of())
        : changed(configuration, this::harmless, ChangeLog::with);
  }

  /**
   * Undoes the changes that the annotation lists, last change first, and removes it. A field that
   * was changed since keeps its value.
   *
   * @param configuration the configuration; not modified
   * @return the configuration as it was before remediation
   * @throws IllegalArgumentException if the annotation cannot be read
   */
  public static Remediated<ValidatingWebhookConfiguration> undo(
      ValidatingWebhookConfiguration configuration) {
    List<WebhookChange> made = ChangeLog.read(configuration.getMetadata());
    Remediated<ValidatingWebhookConfiguration> undone =
        changed(configuration, webhook -> undone(webhook, made), (metadata, changes) -> metadata);
    return ChangeLog.isOn(configuration.getMetadata())
        ? new Remediated<>(
            new ValidatingWebhookConfigurationBuilder(undone.configuration())
                .withMetadata(ChangeLog.without(configuration.getMetadata()))
                .build(),
            undone.changes())
        : undone;
  }

  /**
   * Undoes the changes that the annotation lists, last change first, and removes it. A field that
   * was changed since keeps its value.
   *
   * @param configuration the configuration; not modified
   * @return the configuration as it was before remediation
   * @throws IllegalArgumentException if the annotation cannot be read
   */
  public static Remediated<MutatingWebhookConfiguration> undo(
      MutatingWebhookConfiguration configuration) {
    List<WebhookChange> made = ChangeLog.read(configuration.getMetadata());
    Remediated<MutatingWebhookConfiguration> undone =
        changed(configuration, webhook -> undone(webhook, made), (metadata, changes) -> metadata);
    return ChangeLog.isOn(configuration.getMetadata())
        ? new Remediated<>(
            new MutatingWebhookConfigurationBuilder(undone.configuration())
                .withMetadata(ChangeLog.without(configuration.getMetadata()))
                .build(),
            undone.changes())
        : undone;
  }

  /** The remediated webhook, based on its state before. */
  AdmissionWebhook harmless(AdmissionWebhook webhook) {
    Integer timeout = webhook.timeoutSeconds();
    if (assessment.holdsUpLeases(webhook)) {
      timeout = WebhookAssessment.LEASE_TIMEOUT_SECONDS;
    } else if (webhook.isSlowerThan(WebhookAssessment.TIMEOUT_SECONDS)) {
      timeout = WebhookAssessment.TIMEOUT_SECONDS;
    }
    String failurePolicy = webhook.failurePolicy();
    LabelSelector namespaces = webhook.namespaceSelector();
    LabelSelector objects = webhook.objectSelector();
    if (webhook.failsClosed()) {
      List<ProtectedResource> matched = assessment.matched(webhook);
      if (matched.stream().anyMatch(resource -> !canBeExempted(resource, webhook))) {
        failurePolicy = "Ignore"; // CH-34: no selector can exempt the object
      } else {
        for (ProtectedResource resource : matched) {
          namespaces = narrowed(namespaces, resource.namespaceLabels());
          objects = narrowed(objects, resource.objectLabels());
        }
      }
    }
    return new AdmissionWebhook(
        webhook.name(), failurePolicy, timeout, webhook.rules(), namespaces, objects);
  }

  private static boolean canBeExempted(ProtectedResource resource, AdmissionWebhook webhook) {
    return resource.isSelectable() && webhook.hasValidSelectors();
  }

  private static @Nullable LabelSelector narrowed(
      @Nullable LabelSelector selector, @Nullable Map<String, String> labels) {
    LabelSelector narrowed = selector;
    if (labels != null) {
      for (Map.Entry<String, String> label : labels.entrySet()) {
        narrowed = SelectorModel.excluding(narrowed, label.getKey(), label.getValue());
      }
    }
    return narrowed;
  }

  private static AdmissionWebhook undone(AdmissionWebhook webhook, List<WebhookChange> made) {
    AdmissionWebhook restored = webhook;
    for (WebhookChange change : made.reversed()) {
      if (change.webhook().equals(webhook.name()) && change.field().holds(restored, change.to())) {
        restored = change.field().write(restored, change.from());
      }
    }
    return restored;
  }

  @FunctionalInterface
  private interface Annotator {
    ObjectMeta annotate(ObjectMeta metadata, List<WebhookChange> changes);
  }

  private static Remediated<ValidatingWebhookConfiguration> changed(
      ValidatingWebhookConfiguration configuration,
      UnaryOperator<AdmissionWebhook> change,
      Annotator annotator) {
    List<WebhookChange> changes = new ArrayList<>();
    List<ValidatingWebhook> webhooks = new ArrayList<>();
    for (ValidatingWebhook webhook : configuration.getWebhooks()) {
      AdmissionWebhook after = changed(AdmissionWebhook.of(webhook), change, changes);
      webhooks.add(after.appliedTo(webhook));
    }
    return changes.isEmpty()
        ? new Remediated<>(configuration, changes)
        : new Remediated<>(
            new ValidatingWebhookConfigurationBuilder(configuration)
                .withMetadata(annotator.annotate(configuration.getMetadata(), changes))
                .withWebhooks(webhooks)
                .build(),
            changes);
  }

  private static Remediated<MutatingWebhookConfiguration> changed(
      MutatingWebhookConfiguration configuration,
      UnaryOperator<AdmissionWebhook> change,
      Annotator annotator) {
    List<WebhookChange> changes = new ArrayList<>();
    List<MutatingWebhook> webhooks = new ArrayList<>();
    for (MutatingWebhook webhook : configuration.getWebhooks()) {
      AdmissionWebhook after = changed(AdmissionWebhook.of(webhook), change, changes);
      webhooks.add(after.appliedTo(webhook));
    }
    return changes.isEmpty()
        ? new Remediated<>(configuration, changes)
        : new Remediated<>(
            new MutatingWebhookConfigurationBuilder(configuration)
                .withMetadata(annotator.annotate(configuration.getMetadata(), changes))
                .withWebhooks(webhooks)
                .build(),
            changes);
  }

  private static AdmissionWebhook changed(
      AdmissionWebhook before,
      UnaryOperator<AdmissionWebhook> change,
      List<WebhookChange> changes) {
    AdmissionWebhook after = change.apply(before);
    for (WebhookField field : WebhookField.values()) {
      if (!field.holds(before, field.read(after))) {
        changes.add(new WebhookChange(before.name(), field, field.read(before), field.read(after)));
      }
    }
    return after;
  }
}
