package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.controller.remediation.WebhookServer;
import io.probelet.health.Threads;
import io.probelet.kube.ApiServer;
import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ApiRunningRemediations;
import io.probelet.nodehealth.webhook.ApiTemplateKinds;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.tls.HttpsServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** B2, B4: a real API server believes our authority, constraint and all, and asks over TLS 1.3. */
@Tag("real-api")
@Timeout(300)
class WebhookRealApiTest {
  private static final String NAME = "probelet-webhook-test";

  @TempDir Path directory;

  @Test
  @DisplayName("B2 the webhook's denials take effect; another authority's server is not trusted")
  void denied() throws Exception {
    try (RealApi api = RealApi.open(directory)) {
      KubernetesClient client = api.client();
      api.define(
          "deploy/crds/nodehealthchecks.remediation.medik8s.io.yaml",
          "nodehealthchecks.remediation.medik8s.io");
      Instant now = Instant.now();
      CertificateAuthority authority =
          CertificateAuthority.make("localhost", now, Duration.ofDays(1));
      CertificateAuthority other = CertificateAuthority.make("localhost", now, Duration.ofDays(1));
      assertDenied(client, authority, authority, "must end with Template");
      assertDenied(client, other, authority, "certificate signed by unknown authority");
    }
  }

  /** Served with a certificate of one authority, to who trusts another. */
  private static void assertDenied(
      KubernetesClient client,
      CertificateAuthority serving,
      CertificateAuthority trusted,
      String why)
      throws IOException {
    ApiServer api = ApiServer.of(client, Duration.ofSeconds(5));
    AdmissionReviews reviews =
        new AdmissionReviews(new ApiTemplateKinds(api), new ApiRunningRemediations(api));
    try (HttpsServer webhook =
        WebhookServer.open(
            ListenAddress.parse("127.0.0.1:0"),
            WebhookServer.resources(reviews, Threads.MACHINE),
            serving.issue(List.of("localhost"), Instant.now(), Duration.ofHours(1)))) {
      ask(client, webhook.port(), trusted);
      awaitDenied(client, why);
    } finally {
      client.admissionRegistration().v1().validatingWebhookConfigurations().withName(NAME).delete();
    }
  }

  private static void awaitDenied(KubernetesClient client, String why) {
    await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() ->
            assertThatThrownBy(() -> client.resource(noTemplates()).dryRun().create())
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("nodehealthchecks.probelet.io")
                .hasMessageContaining(why));
  }

  /** Which the rules in the definition let pass. */
  private static GenericKubernetesResource noTemplates() {
    Map<String, Object> template =
        Map.of("apiVersion", "v1", "kind", "T", "namespace", "default", "name", "t");
    Map<String, Object> other =
        Map.of("apiVersion", "v1", "kind", "U", "namespace", "default", "name", "u");
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("remediation.medik8s.io/v1alpha1")
        .withKind("NodeHealthCheck")
        .withNewMetadata()
        .withName("no-templates")
        .endMetadata()
        .addToAdditionalProperties(
            "spec",
            Map.of(
                "minHealthy",
                "51%",
                "selector",
                Map.of("matchLabels", Map.of("a", "b")),
                "escalatingRemediations",
                List.of(
                    Map.of("order", 1, "timeout", "60s", "remediationTemplate", template),
                    Map.of("order", 1, "timeout", "60s", "remediationTemplate", other))))
        .build();
  }

  private static void ask(KubernetesClient client, int port, CertificateAuthority authority) {
    byte[] bundle = authority.certificatePem().getBytes(StandardCharsets.UTF_8);
    client
        .resource(
            new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName(NAME)
                .endMetadata()
                .addNewWebhook()
                .withName("nodehealthchecks.probelet.io")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("None")
                .withFailurePolicy("Fail")
                .withTimeoutSeconds(5)
                .withNewClientConfig()
                .withUrl("https://localhost:" + port + WebhookServer.PATH)
                .withCaBundle(Base64.getEncoder().encodeToString(bundle))
                .endClientConfig()
                .addNewRule()
                .withApiGroups("remediation.medik8s.io")
                .withApiVersions("v1alpha1")
                .withOperations("CREATE")
                .withResources("nodehealthchecks")
                .endRule()
                .endWebhook()
                .build())
        .create();
  }
}
