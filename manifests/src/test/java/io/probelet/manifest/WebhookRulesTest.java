package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.tree.Source;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhook configurations in files: which can block a cluster, and which only look like it. */
class WebhookRulesTest {
  private static final String ADVICE =
      "webhooks[0]: webhook \"hook.example\" with failurePolicy Fail and timeoutSeconds 10 can block pods in kube-system; exclude them with a namespaceSelector, or set failurePolicy"
          + " to Ignore and timeoutSeconds to 15 or less";

  private static String onPods(String labels, String selectors) {
    return """
    apiVersion: admissionregistration.k8s.io/v1
    kind: MutatingWebhookConfiguration
    metadata: {name: hook, labels: {%s}}
    webhooks:
    - name: hook.example
      failurePolicy: Fail
      timeoutSeconds: 10
      sideEffects: None
      admissionReviewVersions: [v1]
      clientConfig: {service: {name: hook, namespace: tools}}
      rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
    %s
    """
        .formatted(labels, selectors.isEmpty() ? "" : "  " + selectors);
  }

  private static List<String> complaints(String yaml, Map<String, String> systemPodLabels) {
    Purpose purpose =
        Purpose.of(Mode.PROBES_ONLY, PodRules.LOCAL).withSystemPodLabels(systemPodLabels);
    return FileManifests.read(Reading.FILE, Source.of(yaml), purpose).problems().stream()
        .map(problem -> problem.severity() + " " + problem.field() + ": " + problem.message())
        .toList();
  }

  private static List<String> complaints(String yaml) {
    return complaints(yaml, Map.of());
  }

  @Test
  @DisplayName("CH-31 a webhook on all pods is an error")
  void all() {
    assertThat(complaints(onPods("", ""))).containsExactly("ERROR " + ADVICE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objectSelector: {matchLabels: {sidecar.example/inject: \"true\"}}",
        "objectSelector: {matchExpressions: [{key: inject, operator: Exists}]}",
        "objectSelector: {matchExpressions: [{key: inject, operator: In, values: [a, b]}]}",
        // as Gardener's docs show it for a seed
        "namespaceSelector: {matchExpressions: [{key: gardener.cloud/purpose, operator: NotIn,"
            + " values: [kube-system]}]}",
        "namespaceSelector: {matchExpressions: [{key: shoot.gardener.cloud/no-cleanup, operator:"
            + " DoesNotExist}]}",
      })
  @DisplayName("CH-32 a webhook that system pods are not known to match is no error")
  void optIn(String selector) {
    assertThat(complaints(onPods("", selector))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "objectSelector: {matchExpressions: [{key: inject, operator: NotIn, values: [\"no\"]}]}",
        "objectSelector: {matchExpressions: [{key: inject, operator: DoesNotExist}]}",
        "namespaceSelector: {matchLabels: {gardener.cloud/purpose: kube-system}}",
        "objectSelector: {matchLabels: {origin: gardener}}\n"
            + "  namespaceSelector: {matchLabels: {gardener.cloud/purpose: kube-system}}",
      })
  @DisplayName("CH-32 a webhook that pods have to opt out of, or made for Gardener's, is an error")
  void optOut(String selector) {
    assertThat(complaints(onPods("", selector))).containsExactly("ERROR " + ADVICE);
  }

  @Test
  @DisplayName("CH-32 the labels of system pods can be named")
  void named() {
    String selecting = onPods("", "objectSelector: {matchLabels: {tier: control-plane}}");
    assertThat(complaints(selecting)).isEmpty();
    assertThat(complaints(selecting, Map.of("tier", "control-plane")))
        .containsExactly("ERROR " + ADVICE);
    assertThat(complaints(onPods("", ""), Map.of("tier", "control-plane")))
        .containsExactly("ERROR " + ADVICE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "remediation.webhook.probelet.io/exclude: \"true\"",
        "remediation.webhook.shoot.gardener.cloud/exclude: \"true\"",
      })
  @DisplayName("CH-34 a configuration excluded by label has warnings only")
  void excluded(String label) {
    assertThat(complaints(onPods(label, "")))
        .containsExactly("WARNING " + ADVICE + " (the configuration is excluded by label)");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resources.gardener.cloud/managed-by: gardener",
        "app: gardener-resource-manager",
      })
  @DisplayName("CH-34 Gardener's own configurations are not checked")
  void own(String label) {
    assertThat(complaints(onPods(label, ""))).isEmpty();
  }
}
