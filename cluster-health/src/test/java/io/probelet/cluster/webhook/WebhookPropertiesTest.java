package io.probelet.cluster.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.probelet.health.RandomCase;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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

  @Test
  @DisplayName(
      "CH-32 a selector that exempts an object never leaves the webhook problematic for it")
  void exempted() {
    RandomCase.tries(
        500,
        random -> {
          Webhooks webhook = webhooks(random);
          WebhookPolicy policy = policy(random);
          AdmissionWebhook admission = webhook.build();

          new WebhookAssessment(policy)
              .assess(admission)
              .ifPresent(finding -> {
                ProtectedResource held = finding.resource();
                assertThat(isExempt(admission.namespaceSelector(), held.namespaceLabels()))
                    .isFalse();
                assertThat(isExempt(admission.objectSelector(), held.objectLabels())).isFalse();
              });
        });
  }

  @Test
  @DisplayName("CH-34 remediation leaves nothing problematic")
  void cured() {
    RandomCase.tries(
        500,
        random -> {
          Webhooks webhook = webhooks(random);
          WebhookPolicy policy = policy(random);
          ValidatingWebhookConfiguration after =
              new WebhookRemediation(policy).remediate(webhook.validating()).configuration();

          assertThat(new WebhookAssessment(policy).assess(after)).isEmpty();
        });
  }

  @Test
  @DisplayName("CH-34 CC-10 remediation is idempotent")
  void idempotent() {
    RandomCase.tries(
        500,
        random -> {
          Webhooks webhook = webhooks(random);
          WebhookPolicy policy = policy(random);
          WebhookRemediation remediation = new WebhookRemediation(policy);
          ValidatingWebhookConfiguration once =
              remediation.remediate(webhook.validating()).configuration();

          assertThat(remediation.remediate(once).configuration()).isSameAs(once);
        });
  }

  @Test
  @DisplayName("CH-34 remediation only narrows: called for less, waited for less, obeyed less")
  void narrows() {
    RandomCase.tries(
        500,
        random -> {
          Webhooks webhook = webhooks(random);
          WebhookPolicy policy = policy(random);
          Map<String, String> labels = labels(random, 4);
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
        });
  }

  @Test
  @DisplayName("CH-34 what was remedied can be undone")
  void undone() {
    RandomCase.tries(
        500,
        random -> {
          Webhooks webhook = webhooks(random);
          WebhookPolicy policy = policy(random);
          ValidatingWebhookConfiguration before = webhook.validating();

          assertThat(
                  WebhookRemediation.undo(
                          new WebhookRemediation(policy).remediate(before).configuration())
                      .configuration())
              .isEqualTo(before);
        });
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

  private static WebhookPolicy policy(RandomCase random) {
    return random.of(WebhookPolicy.DEFAULT, WebhookPolicy.GARDENER);
  }

  private static Map<String, String> labels(RandomCase random, int most) {
    return random.map(most, () -> random.of(KEYS), () -> random.of(VALUES));
  }

  private static Webhooks webhooks(RandomCase random) {
    return new Webhooks(
        random.list(0, 3, () -> rule(random)),
        random.orNull(0.2, () -> random.of("Fail", "Ignore")),
        random.orNull(0.2, () -> random.between(1, 30)),
        random.orNull(0.4, () -> selector(random)),
        random.orNull(0.4, () -> selector(random)));
  }

  private static RuleWithOperations rule(RandomCase random) {
    return Webhooks.rule(
        random.of("", "apps", "coordination.k8s.io", "example.org", "*"),
        random.of("v1", "v1beta1", "*"),
        random.of(
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
        random.of("CREATE", "UPDATE", "DELETE", "*"),
        random.orNull(0.5, () -> random.of("Namespaced", "Cluster", "*")));
  }

  private static LabelSelector selector(RandomCase random) {
    return new LabelSelectorBuilder()
        .withMatchExpressions(random.list(0, 2, () -> requirement(random)))
        .withMatchLabels(labels(random, 1))
        .build();
  }

  private static LabelSelectorRequirement requirement(RandomCase random) {
    String operator = random.of("In", "NotIn", "Exists", "DoesNotExist");
    List<String> values = random.list(1, 2, () -> random.of(VALUES));
    return new LabelSelectorRequirement(
        random.of(KEYS), operator, operator.endsWith("In") ? values : List.of());
  }
}
