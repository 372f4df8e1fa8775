package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds webhooks for tests: called on CREATE, Fail, 10 s, no selectors, unless said otherwise. */
public record Webhooks(
    List<RuleWithOperations> rules,
    @Nullable String failurePolicy,
    @Nullable Integer timeoutSeconds,
    @Nullable LabelSelector namespaces,
    @Nullable LabelSelector objects) {

  static final String NAME = "kubernetes.io/metadata.name";

  public static Webhooks on(String group, String version, String resource) {
    return new Webhooks(
        List.of(rule(group, version, resource, "CREATE", null)), "Fail", 10, null, null);
  }

  public static Webhooks onPods() {
    return on("", "v1", "pods");
  }

  static Webhooks onLeases() {
    return on("coordination.k8s.io", "v1", "leases");
  }

  static RuleWithOperations rule(
      String group, String version, String resource, String operation, @Nullable String scope) {
    return new RuleWithOperationsBuilder()
        .withApiGroups(group)
        .withApiVersions(version)
        .withResources(resource)
        .withOperations(operation)
        .withScope(scope)
        .build();
  }

  public Webhooks policy(@Nullable String policy) {
    return new Webhooks(rules, policy, timeoutSeconds, namespaces, objects);
  }

  public Webhooks timeout(@Nullable Integer seconds) {
    return new Webhooks(rules, failurePolicy, seconds, namespaces, objects);
  }

  Webhooks rules(RuleWithOperations... others) {
    return new Webhooks(List.of(others), failurePolicy, timeoutSeconds, namespaces, objects);
  }

  Webhooks operation(String operation) {
    return rules(new RuleWithOperationsBuilder(rules.getFirst()).withOperations(operation).build());
  }

  Webhooks scope(String scope) {
    return rules(new RuleWithOperationsBuilder(rules.getFirst()).withScope(scope).build());
  }

  Webhooks namespaces(@Nullable LabelSelector selector) {
    return new Webhooks(rules, failurePolicy, timeoutSeconds, selector, objects);
  }

  Webhooks objects(@Nullable LabelSelector selector) {
    return new Webhooks(rules, failurePolicy, timeoutSeconds, namespaces, selector);
  }

  AdmissionWebhook build() {
    return new AdmissionWebhook(
        "hook.example", failurePolicy, timeoutSeconds, rules, namespaces, objects);
  }

  public ValidatingWebhookConfiguration validating() {
    ValidatingWebhook webhook =
        new ValidatingWebhookBuilder().withName("hook.example").withRules(rules).build();
    return new ValidatingWebhookConfigurationBuilder()
        .withNewMetadata()
        .withName("example")
        .endMetadata()
        .withWebhooks(build().appliedTo(webhook))
        .build();
  }

  public MutatingWebhookConfiguration mutating() {
    return new MutatingWebhookConfigurationBuilder()
        .withNewMetadata()
        .withName("example")
        .endMetadata()
        .addNewWebhook()
        .withName("hook.example")
        .withRules(rules)
        .withFailurePolicy(failurePolicy)
        .withTimeoutSeconds(timeoutSeconds)
        .withNamespaceSelector(namespaces)
        .withObjectSelector(objects)
        .endWebhook()
        .build();
  }

  static LabelSelector labels(String key, String value) {
    return new LabelSelectorBuilder().withMatchLabels(Map.of(key, value)).build();
  }

  static LabelSelector expression(String key, String operator, String... values) {
    return and(new LabelSelector(), key, operator, values);
  }

  static LabelSelector and(LabelSelector selector, String key, String operator, String... values) {
    return new LabelSelectorBuilder(selector)
        .addNewMatchExpression()
        .withKey(key)
        .withOperator(operator)
        .withValues(values)
        .endMatchExpression()
        .build();
  }
}
