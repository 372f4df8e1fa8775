package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.selector.LabelSelectorReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a webhook configuration and reports each problematic webhook (CH-31). */
public final class WebhookConfigurationReader {
  /** A configuration of validating webhooks. */
  public static final String VALIDATING = "ValidatingWebhookConfiguration";

  /** A configuration of mutating webhooks. */
  public static final String MUTATING = "MutatingWebhookConfiguration";

  private static final String API_VERSION = "admissionregistration.k8s.io/v1";
  private static final Set<String> OTHER_FIELDS =
      Set.of(
          "clientConfig",
          "sideEffects",
          "admissionReviewVersions",
          "matchPolicy",
          "matchConditions",
          "reinvocationPolicy");

  private final WebhookAssessment anywhere;
  private final WebhookAssessment inGardener;

  /**
   * Creates a reader.
   *
   * @param systemPodLabels labels that all system pods carry; empty if none are known
   */
  public WebhookConfigurationReader(Map<String, String> systemPodLabels) {
    anywhere = new WebhookAssessment(WebhookPolicy.DEFAULT.withSystemPodLabels(systemPodLabels));
    inGardener = new WebhookAssessment(WebhookPolicy.GARDENER.withSystemPodLabels(systemPodLabels));
  }

  /**
   * Reads one configuration and adds its problems to the list.
   *
   * @param configuration the object, {@link #VALIDATING} or {@link #MUTATING}
   */
  public void read(Fields configuration) {
    configuration.field("kind");
    FieldRules.exactly(configuration.field("apiVersion"), API_VERSION);
    ObjectMeta metadata = metadata(configuration.field("metadata"));
    FieldRules.objects(configuration.field("webhooks"))
        .forEach(webhook -> webhook(webhook, metadata));
    configuration.rejectUnknown(Set.of());
  }

  private static ObjectMeta metadata(Field field) {
    ObjectMeta metadata = new ObjectMeta();
    Fields fields = field.object();
    if (fields != null) {
      Map<String, String> labels = new HashMap<>();
      FieldRules.entries(fields.field("labels"))
          .forEach(label -> labels.put(label.name(), label.text("")));
      metadata.setLabels(labels);
    }
    return metadata;
  }

  private void webhook(Fields webhook, ObjectMeta metadata) {
    int errors = webhook.errors();
    Field name = webhook.field("name");
    if (!name.isPresent()) {
      name.required("a webhook needs a name");
    }
    AdmissionWebhook read =
        new AdmissionWebhook(
            name.text(""),
            FieldRules.oneOf(webhook.field("failurePolicy"), List.of("Fail", "Ignore")),
            timeout(webhook.field("timeoutSeconds")),
            rules(webhook.field("rules")),
            selector(webhook.field("namespaceSelector")),
            selector(webhook.field("objectSelector")));
    webhook.rejectUnknown(OTHER_FIELDS);
    if (webhook.errors() == errors && !inGardener.isIgnored(metadata)) {
      assess(read)
          .ifPresent(finding -> {
            if (anywhere.isExcluded(metadata)) { // its author excluded it on purpose: not an error
              webhook
                  .self()
                  .warning(finding.advice() + " (the configuration is excluded by label)");
            } else {
              webhook.self().error(finding.advice());
            }
          });
    }
  }

  /** A file does not name its cluster, but a selector with Gardener's labels reveals it. */
  private Optional<WebhookFinding> assess(AdmissionWebhook webhook) {
    boolean gardener =
        WebhookPolicy.GARDENER.isNamedBy(webhook.namespaceSelector())
            || WebhookPolicy.GARDENER.isNamedBy(webhook.objectSelector());
    return (gardener ? inGardener : anywhere).assess(webhook);
  }

  private static @Nullable LabelSelector selector(Field field) {
    return SelectorModel.write(LabelSelectorReader.read(field));
  }

  private static @Nullable Integer timeout(Field field) {
    if (!field.isPresent()) {
      return null;
    }
    int errors = field.errors();
    int seconds = field.int32(1);
    if (field.errors() == errors && (seconds < 1 || seconds > 30)) {
      field.invalid("the timeout value must be between 1 and 30 seconds");
    }
    return seconds;
  }

  private static List<RuleWithOperations> rules(Field field) {
    List<RuleWithOperations> rules = new ArrayList<>();
    for (Fields rule : FieldRules.objects(field)) {
      rules.add(
          new RuleWithOperationsBuilder()
              .withApiGroups(rule.field("apiGroups").texts())
              .withApiVersions(rule.field("apiVersions").texts())
              .withResources(rule.field("resources").texts())
              .withOperations(rule.field("operations").texts())
              .withScope(rule.field("scope").text())
              .build());
      rule.rejectUnknown(Set.of());
    }
    return rules;
  }
}
