package io.probelet.cluster.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/** What holds for every webhook with valid selectors, under both presets. */
class WebhookPropertiesTest {

  private static final List<String> KEYS =
      List.of(
          Webhooks.NAME,
          "gardener.cloud/purpose",
          "shoot.gardener.cloud/no-cleanup",
          "origin",
          "app");
  private static final List<String> VALUES =
      List.of("kube-system", "default", "true", "gardener", "shop");

  @Property(tries = 500)
  @Label("CH-32 a selector that exempts an object never leaves the webhook problematic for it")
  void exempted(@ForAll("webhooks") Webhooks webhook, @ForAll("policies") WebhookPolicy policy) {
    AdmissionWebhook admission = webhook.build();

    new WebhookAssessment(policy)
        .assess(admission)
        .ifPresent(finding -> {
          ProtectedResource held = finding.resource();
          assertThat(isExempt(admission.namespaceSelector(), held.namespaceLabels())).isFalse();
          assertThat(isExempt(admission.objectSelector(), held.objectLabels())).isFalse();
        });
  }

  @Property(tries = 500)
  @Label("CH-34 remediation leaves nothing problematic")
  void cured(@ForAll("webhooks") Webhooks webhook, @ForAll("policies") WebhookPolicy policy) {
    ValidatingWebhookConfiguration after =
        new WebhookRemediation(policy).remediate(webhook.validating()).configuration();

    assertThat(new WebhookAssessment(policy).assess(after)).isEmpty();
  }

  @Property(tries = 500)
  @Label("CH-34 CC-10 remediation is idempotent")
  void idempotent(@ForAll("webhooks") Webhooks webhook, @ForAll("policies") WebhookPolicy policy) {
    WebhookRemediation remediation = new WebhookRemediation(policy);
    ValidatingWebhookConfiguration once =
        remediation.remediate(webhook.validating()).configuration();

    assertThat(remediation.remediate(once).configuration()).isSameAs(once);
  }

  @Property(tries = 500)
  @Label("CH-34 remediation only narrows: called for less, waited for less, obeyed less")
  void narrows(
      @ForAll("webhooks") Webhooks webhook,
      @ForAll("policies") WebhookPolicy policy,
      @ForAll("labels") Map<String, String> labels) {
    AdmissionWebhook before = webhook.build();
    AdmissionWebhook after = new WebhookRemediation(policy).harmless(before);

    if (!isExempt(after.namespaceSelector(), labels)) {
      assertThat(isExempt(before.namespaceSelector(), labels)).isFalse();
    }
    if (!isExempt(after.objectSelector(), labels)) {
      assertThat(isExempt(before.objectSelector(), labels)).isFalse();
    }
    assertThat(after.rules()).isEqualTo(before.rules());
    assertThat(after.isSlowerThan(orMost(before.timeoutSeconds()))).isFalse();
    assertThat(!before.failsClosed() && after.failsClosed()).isFalse();
  }

  @Property(tries = 500)
  @Label("CH-34 what was remedied can be undone")
  void undone(@ForAll("webhooks") Webhooks webhook, @ForAll("policies") WebhookPolicy policy) {
    ValidatingWebhookConfiguration before = webhook.validating();

    assertThat(
            WebhookRemediation.undo(
                    new WebhookRemediation(policy).remediate(before).configuration())
                .configuration())
        .isEqualTo(before);
  }

  private static int orMost(@Nullable Integer timeout) {
    return timeout == null ? 30 : timeout;
  }

  /** Computed here by hand, not with the code under test. */
  private static boolean isExempt(
      @Nullable LabelSelector selector, @Nullable Map<String, String> labels) {
    if (selector == null || labels == null) {
      return false;
    }
    return selector.getMatchLabels().entrySet().stream()
            .anyMatch(label -> !label.getValue().equals(labels.get(label.getKey())))
        || selector.getMatchExpressions().stream().anyMatch(r -> refuses(r, labels));
  }

  private static boolean refuses(LabelSelectorRequirement r, Map<String, String> labels) {
    boolean there = labels.containsKey(r.getKey());
    boolean listed = there && r.getValues().contains(labels.get(r.getKey()));
    return switch (r.getOperator()) {
      case "In" -> !listed;
      case "NotIn" -> listed;
      case "Exists" -> !there;
      default -> there;
    };
  }

  @Provide
  Arbitrary<WebhookPolicy> policies() {
    return Arbitraries.of(WebhookPolicy.DEFAULT, WebhookPolicy.GARDENER);
  }

  @Provide
  Arbitrary<Map<String, String>> labels() {
    return Arbitraries.maps(Arbitraries.of(KEYS), Arbitraries.of(VALUES)).ofMaxSize(4);
  }

  @Provide
  Arbitrary<Webhooks> webhooks() {
    return Combinators.combine(
            rules().list().ofMaxSize(3),
            Arbitraries.of("Fail", "Ignore").injectNull(0.2),
            Arbitraries.integers().between(1, 30).injectNull(0.2),
            selectors(),
            selectors())
        .as(Webhooks::new);
  }

  private static Arbitrary<RuleWithOperations> rules() {
    return Combinators.combine(
            Arbitraries.of("", "apps", "coordination.k8s.io", "example.org", "*"),
            Arbitraries.of("v1", "v1beta1", "*"),
            Arbitraries.of(
                "pods",
                "services",
                "endpoints",
                "namespaces",
                "nodes",
                "leases",
                "deployments",
                "deployments/scale",
                "*/status",
                "*",
                "*/*"),
            Arbitraries.of("CREATE", "UPDATE", "DELETE", "*"),
            Arbitraries.of("Namespaced", "Cluster", "*").injectNull(0.5))
        .as(Webhooks::rule);
  }

  private static Arbitrary<LabelSelector> selectors() {
    return Combinators.combine(
            requirements().list().ofMaxSize(2),
            Arbitraries.maps(Arbitraries.of(KEYS), Arbitraries.of(VALUES)).ofMaxSize(1))
        .as((expressions, labels) ->
            new LabelSelectorBuilder()
                .withMatchExpressions(expressions)
                .withMatchLabels(labels)
                .build())
        .injectNull(0.4);
  }

  private static Arbitrary<LabelSelectorRequirement> requirements() {
    return Combinators.combine(
            Arbitraries.of(KEYS),
            Arbitraries.of("In", "NotIn", "Exists", "DoesNotExist"),
            Arbitraries.of(VALUES).list().ofMinSize(1).ofMaxSize(2))
        .as((key, operator, values) ->
            new LabelSelectorRequirement(
                key, operator, operator.endsWith("In") ? values : List.of()));
  }
}
