package io.probelet.cluster.webhook;

import static io.probelet.cluster.webhook.Webhooks.NAME;
import static io.probelet.cluster.webhook.Webhooks.expression;
import static io.probelet.cluster.webhook.Webhooks.labels;
import static io.probelet.cluster.webhook.Webhooks.onLeases;
import static io.probelet.cluster.webhook.Webhooks.onPods;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class WebhookAssessmentTest {

  private final WebhookAssessment plain = new WebhookAssessment(WebhookPolicy.DEFAULT);
  private final WebhookAssessment gardener = new WebhookAssessment(WebhookPolicy.GARDENER);

  @ParameterizedTest
  @DisplayName("CH-31 CC-8 failure policy and timeout, for a webhook on pods")
  @CsvSource({
    "Fail,   10, true",
    "Fail,   1,  true",
    ",       10, true",
    ",       ,   true",
    "Ignore, 10, false",
    "Ignore, 15, false",
    "Ignore, 16, true",
    "Ignore, 30, true",
    "Ignore, ,   true",
  })
  void policyAndTimeout(@Nullable String policy, @Nullable Integer timeout, boolean problematic) {
    assertThat(isProblematic(onPods().policy(policy).timeout(timeout))).isEqualTo(problematic);
  }

  @ParameterizedTest
  @DisplayName("CH-31 CC-9 a webhook on leases must answer within 3 s, whatever its policy")
  @CsvSource({
    "Ignore, 10, SLOWS_LEASES",
    "Ignore, 4,  SLOWS_LEASES",
    "Ignore, ,   SLOWS_LEASES",
    "Ignore, 3,  none",
    "Fail,   10, SLOWS_LEASES",
    "Fail,   3,  BLOCKS_OBJECTS",
    ",       3,  BLOCKS_OBJECTS",
  })
  void leases(@Nullable String policy, @Nullable Integer timeout, String hazard) {
    assertThat(hazard(onLeases().policy(policy).timeout(timeout))).isEqualTo(hazard);
  }

  @Test
  @DisplayName("CH-31 leases outside kube-system are critical, but not in a hurry")
  void otherLeases() {
    LabelSelector outside = expression(NAME, "NotIn", "kube-system");

    assertThat(hazard(onLeases().namespaces(outside))).isEqualTo("BLOCKS_OBJECTS");
    assertThat(hazard(onLeases().namespaces(outside).policy("Ignore"))).isEqualTo("none");
  }

  @ParameterizedTest
  @DisplayName("CH-31 CH-32 a lease carries no labels: only a positive objectSelector exempts it")
  @CsvSource({"In, false", "NotIn, true"})
  void leaseObjects(String operator, boolean problematic) {
    assertThat(
            isProblematic(
                onLeases().policy("Ignore").timeout(4).objects(expression("app", operator, "x"))))
        .isEqualTo(problematic);
  }

  static List<Arguments> critical() {
    String workloads =
        "controllerrevisions daemonsets daemonsets/status deployments deployments/scale"
            + " replicasets replicasets/status replicasets/scale";
    return Stream.of(
            rows("", "v1", "pods pods/status configmaps endpoints secrets serviceaccounts"),
            rows("", "v1", "services services/status nodes nodes/status"),
            rows("", "v1", "namespaces namespaces/status"),
            rows("apps", "v1 v1beta1 v1beta2", workloads),
            rows("extensions", "v1beta1", workloads + " networkpolicies"),
            rows("networking.k8s.io", "v1 v1beta1", "networkpolicies"),
            rows("coordination.k8s.io", "v1 v1beta1", "leases"),
            rows(
                "rbac.authorization.k8s.io",
                "v1 v1alpha1 v1beta1",
                "roles rolebindings clusterroles clusterrolebindings"),
            rows(
                "apiextensions.k8s.io",
                "v1 v1beta1",
                "customresourcedefinitions customresourcedefinitions/status"),
            rows("apiregistration.k8s.io", "v1 v1beta1", "apiservices apiservices/status"),
            rows(
                "certificates.k8s.io",
                "v1 v1beta1",
                "certificatesigningrequests certificatesigningrequests/status"
                    + " certificatesigningrequests/approval"),
            rows("scheduling.k8s.io", "v1 v1beta1", "priorityclasses"),
            rows("*", "*", "*"),
            rows("apps", "* v1", "*"))
        .flatMap(List::stream)
        .toList();
  }

  private static List<Arguments> rows(String group, String versions, String resources) {
    List<Arguments> rows = new ArrayList<>();
    for (String version : versions.split(" ", -1)) {
      for (String resource : resources.split(" ", -1)) {
        rows.add(Arguments.of(group, version, resource));
      }
    }
    return rows;
  }

  @ParameterizedTest
  @MethodSource
  @DisplayName("CH-33 every critical resource in every version")
  void critical(String group, String version, String resource) {
    Webhooks webhook = Webhooks.on(group, version, resource);

    assertThat(isProblematic(webhook.policy(null).timeout(null))).isTrue();
    assertThat(isProblematic(webhook.policy("Fail").timeout(3))).isTrue();
    assertThat(isProblematic(webhook.policy("Ignore").timeout(16))).isTrue();
    assertThat(isProblematic(webhook.policy("Ignore").timeout(3))).isFalse();
  }

  @ParameterizedTest
  @DisplayName("CH-33 what is not in the table is no concern")
  @CsvSource({
    "apps, v1, statefulsets",
    "apps, v1, deployments/status",
    "'', v1, pods/exec",
    "'', v1, persistentvolumes",
    "example.org, v1, pods",
    "apps, v2, deployments",
  })
  void harmless(String group, String version, String resource) {
    assertThat(isProblematic(Webhooks.on(group, version, resource))).isFalse();
  }

  @ParameterizedTest
  @DisplayName("CH-32 operations: only CREATE, UPDATE and * hold anything up")
  @CsvSource({"CREATE, true", "UPDATE, true", "*, true", "DELETE, false", "CONNECT, false"})
  void operations(String operation, boolean problematic) {
    assertThat(isProblematic(onPods().operation(operation))).isEqualTo(problematic);
  }

  @ParameterizedTest
  @DisplayName("CH-32 scope")
  @CsvSource({
    "pods,       *,          true",
    "pods,       Namespaced, true",
    "pods,       Cluster,    false",
    "nodes,      Namespaced, false",
    "nodes,      Cluster,    true",
    "namespaces, Namespaced, false",
    "namespaces, Cluster,    true",
  })
  void scope(String resource, String scope, boolean problematic) {
    assertThat(isProblematic(Webhooks.on("", "v1", resource).scope(scope))).isEqualTo(problematic);
  }

  @ParameterizedTest
  @DisplayName("CH-32 resource patterns")
  @CsvSource({
    "*,           pods",
    "*/*,         pods",
    "pods/*,      pods",
    "*/status,    pods/status",
    "pods/status, pods/status",
    "*/scale,",
    "pods/log,",
  })
  void patterns(String pattern, @Nullable String held) {
    assertThat(plain.assess(Webhooks.on("", "v1", pattern).validating()))
        .extracting(finding -> finding.resource().resource())
        .isEqualTo(held == null ? List.of() : List.of(held));
  }

  @ParameterizedTest
  @DisplayName("CH-32 CC-8 a namespaceSelector that leaves kube-system out exempts its objects")
  @CsvSource({
    "In,    kubernetes.io/metadata.name, kube-system, true",
    "NotIn, kubernetes.io/metadata.name, kube-system, false",
    "In,    kubernetes.io/metadata.name, default,     false",
    "In,    foo,                         bar,         false",
    "NotIn, foo,                         bar,         true",
  })
  void namespaceSelector(String operator, String key, String value, boolean problematic) {
    LabelSelector selector = expression(key, operator, value);

    assertThat(isProblematic(onPods().namespaces(selector))).isEqualTo(problematic);
    assertThat(isProblematic(Webhooks.on("", "v1", "secrets").namespaces(selector)))
        .isEqualTo(problematic);
    assertThat(isProblematic(Webhooks.on("", "v1", "namespaces").namespaces(selector)))
        .as("the namespace itself")
        .isEqualTo(problematic);
    assertThat(isProblematic(Webhooks.on("", "v1", "nodes").namespaces(selector)))
        .as("a namespaceSelector means nothing to what is in no namespace")
        .isTrue();
  }

  @ParameterizedTest
  @DisplayName("CH-32 Exists and DoesNotExist, and empty selectors")
  @CsvSource({
    "Exists,       kubernetes.io/metadata.name, true",
    "DoesNotExist, kubernetes.io/metadata.name, false",
    "Exists,       foo,                         false",
    "DoesNotExist, foo,                         true",
  })
  void existence(String operator, String key, boolean problematic) {
    assertThat(isProblematic(onPods().namespaces(expression(key, operator))))
        .isEqualTo(problematic);
    assertThat(isProblematic(onPods().namespaces(new LabelSelector()))).isTrue();
  }

  @ParameterizedTest
  @DisplayName("CH-32 a selector the API server would refuse exempts nothing")
  @CsvSource({"Near, x", "In,", "Exists, x"})
  void invalidSelector(String operator, @Nullable String value) {
    LabelSelector invalid =
        value == null ? expression("foo", operator) : expression("foo", operator, value);

    assertThat(isProblematic(onPods().namespaces(invalid))).isTrue();
  }

  @Test
  @DisplayName("CH-32 an objectSelector exempts only objects whose labels are known")
  void objectSelector() {
    LabelSelector foreign = labels("app", "shop");

    assertThat(isProblematic(onPods().objects(foreign))).as("unknown is no match").isFalse();
    assertThat(isProblematic(Webhooks.on("", "v1", "secrets").objects(foreign))).isFalse();
    assertThat(isProblematic(Webhooks.on("", "v1", "nodes").objects(foreign))).isTrue();
    assertThat(isProblematic(onPods().objects(expression("app", "NotIn", "shop")))).isTrue();
    WebhookAssessment named =
        new WebhookAssessment(WebhookPolicy.DEFAULT.withSystemPodLabels(Map.of("app", "shop")));
    assertThat(isProblematic(named, onPods().objects(foreign))).isTrue();
    assertThat(isProblematic(named, onPods().objects(labels("app", "stall")))).isFalse();
    assertThat(isProblematic(gardener, onPods().objects(foreign))).as("known").isFalse();
    assertThat(isProblematic(gardener, onPods().objects(labels("origin", "gardener")))).isTrue();
    assertThat(isProblematic(gardener, Webhooks.on("", "v1", "secrets").objects(foreign))).isTrue();
    assertThat(
            isProblematic(
                Webhooks.on("", "v1", "namespaces")
                    .objects(expression(NAME, "NotIn", "kube-system"))))
        .isFalse();
  }

  @Test
  @DisplayName("CH-32 the extra labels of kube-system count only where they are configured")
  void extraLabels() {
    String purpose = "gardener.cloud/purpose";
    Webhooks selecting = onPods().namespaces(labels(purpose, "kube-system"));
    Webhooks exempting = onPods().namespaces(expression(purpose, "NotIn", "kube-system"));

    assertThat(isProblematic(plain, selecting)).isFalse();
    assertThat(isProblematic(gardener, selecting)).isTrue();
    assertThat(isProblematic(plain, exempting)).isTrue();
    assertThat(isProblematic(gardener, exempting)).isFalse();
  }

  @Test
  @DisplayName("CH-33 the API server's own service lives in default")
  void defaultNamespace() {
    LabelSelector notKubeSystem = expression(NAME, "NotIn", "kube-system");
    LabelSelector neither = expression(NAME, "NotIn", "kube-system", "default");

    assertThat(isProblematic(Webhooks.on("", "v1", "services").namespaces(notKubeSystem))).isTrue();
    assertThat(isProblematic(Webhooks.on("", "v1", "services").namespaces(neither))).isFalse();
    assertThat(isProblematic(Webhooks.on("", "v1", "configmaps").namespaces(notKubeSystem)))
        .isFalse();
  }

  @Test
  @DisplayName("CH-33 an operator adds resources of their own")
  void more() {
    ProtectedResource pools =
        new ProtectedResource("crd.projectcalico.org", Set.of("v1"), "ippools", false, null, null);
    WebhookPolicy policy =
        new WebhookPolicy(Map.of(), Map.of(), false, Map.of(), Map.of(), Set.of(), List.of(pools));

    assertThat(
            isProblematic(
                new WebhookAssessment(policy),
                Webhooks.on("crd.projectcalico.org", "v1", "ippools")))
        .isTrue();
  }

  @Test
  @DisplayName("CH-31 the advice names webhook, values, objects and what would be right")
  void advice() {
    assertThat(plain.assess(onPods().build()).orElseThrow().advice())
        .isEqualTo(
            "webhook \"hook.example\" with failurePolicy Fail and timeoutSeconds 10 can block"
                + " pods in kube-system; exclude them with a namespaceSelector, or set"
                + " failurePolicy to Ignore and timeoutSeconds to 15 or less");
    assertThat(plain.assess(onLeases().policy(null).timeout(null).build()).orElseThrow().advice())
        .isEqualTo(
            "webhook \"hook.example\" with failurePolicy unset and timeoutSeconds unset can block"
                + " leases.coordination.k8s.io in kube-system; set timeoutSeconds to 3 or less,"
                + " or exclude kube-system with a namespaceSelector");
  }

  @Test
  @DisplayName("CH-34 an excluded configuration is still checked, an ignored one is not")
  void leftAlone() {
    assertThat(plain.assess(labelled("remediation.webhook.probelet.io/exclude", "true")))
        .hasSize(1);
    assertThat(plain.assess(labelled("resources.gardener.cloud/managed-by", "gardener")))
        .hasSize(1);
    assertThat(gardener.assess(labelled("resources.gardener.cloud/managed-by", "gardener")))
        .isEmpty();
  }

  private static ValidatingWebhookConfiguration labelled(String key, String value) {
    return new ValidatingWebhookConfigurationBuilder(onPods().validating())
        .editMetadata()
        .addToLabels(key, value)
        .endMetadata()
        .build();
  }

  private String hazard(Webhooks webhook) {
    return plain.assess(webhook.build()).map(finding -> finding.hazard().name()).orElse("none");
  }

  private boolean isProblematic(Webhooks webhook) {
    return isProblematic(plain, webhook);
  }

  private static boolean isProblematic(WebhookAssessment assessment, Webhooks webhook) {
    boolean validating = !assessment.assess(webhook.validating()).isEmpty();
    assertThat(assessment.assess(webhook.mutating())).hasSize(validating ? 1 : 0);
    return validating;
  }
}
