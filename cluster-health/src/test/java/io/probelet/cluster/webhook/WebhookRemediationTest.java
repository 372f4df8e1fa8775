package io.probelet.cluster.webhook;

import static io.probelet.cluster.webhook.Webhooks.NAME;
import static io.probelet.cluster.webhook.Webhooks.and;
import static io.probelet.cluster.webhook.Webhooks.expression;
import static io.probelet.cluster.webhook.Webhooks.labels;
import static io.probelet.cluster.webhook.Webhooks.onLeases;
import static io.probelet.cluster.webhook.Webhooks.onPods;
import static io.probelet.cluster.webhook.Webhooks.rule;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookRemediationTest {

  private static final String CHANGES = "remediation.webhook.probelet.io/changes";
  private final WebhookRemediation remediation = new WebhookRemediation(WebhookPolicy.DEFAULT);

  @ParameterizedTest
  @DisplayName("CH-34 timeouts: at most 15 s, at most 3 s where leases are held up")
  @CsvSource({
    "nothing, Ignore, ,   15",
    "nothing, Fail,   30, 15",
    "nothing, Ignore, 30, 15",
    "nothing, Ignore, 15, 15",
    "pods,    Ignore, 30, 15",
    "pods,    Ignore, 5,  5",
    "leases,  Ignore, 10, 3",
    "leases,  Ignore, ,   3",
    "leases,  Ignore, 30, 3",
    "leases,  Fail,   30, 3",
    "leases,  Ignore, 2,  2",
  })
  void timeouts(String kind, String policy, @Nullable Integer timeout, int expected) {
    Webhooks webhook =
        switch (kind) {
          case "pods" -> onPods();
          case "leases" -> onLeases();
          default -> onPods().rules(new RuleWithOperations[0]);
        };

    assertThat(remediation.harmless(webhook.policy(policy).timeout(timeout).build()))
        .extracting(AdmissionWebhook::timeoutSeconds)
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("CC-9 a webhook on leases, Ignore, 10 s is remedied to 3 s and nothing else")
  void leases() {
    assertThat(remediation.harmless(onLeases().policy("Ignore").timeout(10).build()))
        .isEqualTo(onLeases().policy("Ignore").timeout(3).build());
  }

  @Test
  @DisplayName("CH-34 Fail on what a selector can exempt: exempted, and still Fail")
  void selectors() {
    assertThat(remediation.harmless(onPods().build()))
        .isEqualTo(onPods().namespaces(expression(NAME, "NotIn", "kube-system")).build());
    assertThat(remediation.harmless(onPods().namespaces(labels(NAME, "kube-system")).build()))
        .isEqualTo(
            onPods()
                .namespaces(and(labels(NAME, "kube-system"), NAME, "NotIn", "kube-system"))
                .build());
    assertThat(remediation.harmless(Webhooks.on("", "v1", "services").build()))
        .isEqualTo(
            Webhooks.on("", "v1", "services")
                .namespaces(and(expression(NAME, "NotIn", "kube-system"), NAME, "NotIn", "default"))
                .build());
  }

  @ParameterizedTest
  @DisplayName("CH-34 Fail, or unset, on what no selector can exempt: Ignore, selectors untouched")
  @CsvSource({
    "'', nodes, Fail",
    "'', nodes,",
    "'', *, Fail",
    "coordination.k8s.io, leases, Fail",
    "apiextensions.k8s.io, customresourcedefinitions, Fail",
  })
  void ignore(String group, String resource, @Nullable String policy) {
    Webhooks webhook = Webhooks.on(group, "v1", resource).timeout(3);

    assertThat(remediation.harmless(webhook.policy(policy).build()))
        .isEqualTo(webhook.policy("Ignore").build());
  }

  @Test
  @DisplayName("CH-34 selectors that are not valid cannot exempt anything: Ignore")
  void invalid() {
    Webhooks webhook = onPods().namespaces(expression("foo", "Near", "x"));

    assertThat(remediation.harmless(webhook.build())).isEqualTo(webhook.policy("Ignore").build());
  }

  @Test
  @DisplayName("CH-34 all known labels of what is matched are exempted, in order, each once")
  void labelsOfMatched() {
    WebhookPolicy policy =
        new WebhookPolicy(
            Map.of(),
            Map.of(),
            false,
            Map.of(),
            Map.of(),
            Set.of(),
            List.of(
                resource("foobars", null, Map.of("foo", "bar")),
                resource("barfoos", Map.of("bar", "foo"), null),
                resource("foobazs", Map.of("foo", "baz"), Map.of("foo", "baz")),
                resource("foobaz2s", Map.of("foo", "baz"), Map.of("foo", "baz"))));
    Webhooks webhook = Webhooks.on("example.org", "v1", "*");

    assertThat(new WebhookRemediation(policy).harmless(webhook.build()))
        .isEqualTo(
            webhook
                .objects(and(expression("foo", "NotIn", "bar"), "foo", "NotIn", "baz"))
                .namespaces(and(expression("bar", "NotIn", "foo"), "foo", "NotIn", "baz"))
                .build());
  }

  @Test
  @DisplayName("CH-34 with Gardener's labels, its kube-system and its pods are exempted by them")
  void gardener() {
    AdmissionWebhook harmless =
        new WebhookRemediation(WebhookPolicy.GARDENER).harmless(onPods().build());

    assertThat(harmless.failurePolicy()).isEqualTo("Fail");
    assertThat(harmless.namespaceSelector().getMatchExpressions())
        .extracting("key")
        .containsExactly("gardener.cloud/purpose", NAME, "shoot.gardener.cloud/no-cleanup");
    assertThat(harmless.objectSelector().getMatchExpressions())
        .extracting("key")
        .containsExactly("origin", "shoot.gardener.cloud/no-cleanup");
  }

  @Test
  @DisplayName("CH-34 what is harmless is left alone: the very same object")
  void harmless() {
    ValidatingWebhookConfiguration harmless = onPods().policy("Ignore").validating();

    Remediated<ValidatingWebhookConfiguration> result = remediation.remediate(harmless);

    assertThat(result.configuration()).isSameAs(harmless);
    assertThat(result.changes()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("CH-34 a configuration labelled so is left alone")
  @CsvSource({
    "remediation.webhook.probelet.io/exclude, true, true",
    "remediation.webhook.shoot.gardener.cloud/exclude, true, true",
    "remediation.webhook.probelet.io/exclude, false, false",
  })
  void excluded(String label, String value, boolean left) {
    MutatingWebhookConfiguration excluded =
        new MutatingWebhookConfigurationBuilder(onPods().timeout(30).mutating())
            .editMetadata()
            .addToLabels(label, value)
            .endMetadata()
            .build();

    assertThat(remediation.remediate(excluded).changes().isEmpty()).isEqualTo(left);
  }

  @Test
  @DisplayName("CH-34 the annotation lists every change with the value before and after")
  void annotation() {
    Remediated<ValidatingWebhookConfiguration> after =
        remediation.remediate(onPods().timeout(30).validating());

    assertThat(after.configuration().getMetadata().getAnnotations().get(CHANGES))
        .isEqualTo(
            "[{\"webhook\":\"hook.example\",\"field\":\"timeoutSeconds\",\"from\":30,\"to\":15},"
                + "{\"webhook\":\"hook.example\",\"field\":\"namespaceSelector\",\"from\":null,"
                + "\"to\":{\"matchExpressions\":[{\"key\":\"kubernetes.io/metadata.name\","
                + "\"operator\":\"NotIn\",\"values\":[\"kube-system\"]}]}}]");
    assertThat(after.changes().getFirst())
        .hasToString("timeoutSeconds of webhook \"hook.example\": 30 → 15");
  }

  @Test
  @DisplayName("CC-10 remediation twice: the second changes nothing")
  void twice() {
    ValidatingWebhookConfiguration validating =
        remediation.remediate(onPods().timeout(30).validating()).configuration();
    MutatingWebhookConfiguration mutating =
        remediation.remediate(onLeases().timeout(30).mutating()).configuration();

    assertThat(remediation.remediate(validating).configuration()).isSameAs(validating);
    assertThat(remediation.remediate(mutating).configuration()).isSameAs(mutating);
  }

  @Test
  @DisplayName("CH-34 a change that is made again after somebody undid it is listed once")
  void fight() {
    ValidatingWebhookConfiguration first =
        remediation.remediate(onPods().timeout(30).validating()).configuration();
    ValidatingWebhookConfiguration reverted =
        new ValidatingWebhookConfigurationBuilder(onPods().timeout(30).validating())
            .withMetadata(first.getMetadata())
            .build();

    assertThat(remediation.remediate(reverted).configuration()).isEqualTo(first);
  }

  @Test
  @DisplayName("CH-34 undone, a configuration is as it was, without the annotation")
  void undo() {
    ValidatingWebhookConfiguration validating = onPods().timeout(30).validating();
    MutatingWebhookConfiguration mutating = onLeases().policy(null).timeout(null).mutating();

    assertThat(
            WebhookRemediation.undo(remediation.remediate(validating).configuration())
                .configuration())
        .isEqualTo(validating);
    assertThat(
            WebhookRemediation.undo(remediation.remediate(mutating).configuration())
                .configuration())
        .isEqualTo(mutating);
    assertThat(WebhookRemediation.undo(validating).configuration()).isSameAs(validating);
  }

  @Test
  @DisplayName("CH-34 undoing leaves a value that somebody has given since")
  void undoKeepsOthersWork() {
    ValidatingWebhookConfiguration edited =
        new ValidatingWebhookConfigurationBuilder(
                remediation.remediate(onPods().timeout(30).validating()).configuration())
            .editWebhook(0)
            .withTimeoutSeconds(5)
            .endWebhook()
            .build();

    Remediated<ValidatingWebhookConfiguration> undone = WebhookRemediation.undo(edited);

    assertThat(undone.configuration().getWebhooks().getFirst().getTimeoutSeconds()).isEqualTo(5);
    assertThat(undone.configuration().getWebhooks().getFirst().getNamespaceSelector()).isNull();
    assertThat(undone.configuration().getMetadata().getAnnotations()).doesNotContainKey(CHANGES);
    assertThat(undone.changes()).hasSize(1);
  }

  @Test
  @DisplayName("CH-34 an annotation that is not ours is refused, not overwritten")
  void foreignAnnotation() {
    ValidatingWebhookConfiguration foreign =
        new ValidatingWebhookConfigurationBuilder(onPods().validating())
            .editMetadata()
            .addToAnnotations(CHANGES, "see ticket 12")
            .endMetadata()
            .build();

    assertThatThrownBy(() -> remediation.remediate(foreign))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("annotation " + CHANGES + " is not a list of changes: ");
  }

  @Test
  @DisplayName("CH-34 each webhook of a configuration is remedied by itself")
  void several() {
    ValidatingWebhookConfiguration two =
        new ValidatingWebhookConfigurationBuilder(onPods().validating())
            .addNewWebhook()
            .withName("other.example")
            .withFailurePolicy("Fail")
            .withTimeoutSeconds(5)
            .withRules(rule("apps", "v1", "statefulsets", "*", null))
            .endWebhook()
            .build();

    assertThat(remediation.remediate(two).configuration().getWebhooks().get(1))
        .isEqualTo(two.getWebhooks().get(1));
  }

  private static ProtectedResource resource(
      String name,
      @Nullable Map<String, String> namespaceLabels,
      @Nullable Map<String, String> objectLabels) {
    return new ProtectedResource(
        "example.org", Set.of("v1"), name, true, namespaceLabels, objectLabels);
  }
}
