package io.probelet.cli.realapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodReadinessGate;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.probelet.controller.remediation.WebhookServer;
import io.probelet.controller.remediation.WebhookSetup;
import io.probelet.health.Threads;
import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.tls.HttpsServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** D-21: a real API server takes the gate from our webhook, and does without it if need be. */
@Tag("real-api")
@Timeout(300)
class ReadinessGateRealApiTest {
  private static final String READINESS = "web: {readiness: {tcpSocket: {port: 80}}}";

  @TempDir Path directory;

  @Test
  @DisplayName("D-21 new pods of labeled namespaces get the gate and nothing else; it fails open")
  void gates() throws Exception {
    try (RealApi api = RealApi.open(directory)) {
      KubernetesClient client = api.client();
      namespace(client, "gated", Map.of("probelet.io/readiness-gates", "enabled"));
      namespace(client, "plain", Map.of());
      CertificateAuthority authority =
          CertificateAuthority.make("localhost", Instant.now(), Duration.ofDays(1));
      HttpsServer webhook =
          WebhookServer.open(
              ListenAddress.parse("127.0.0.1:0"),
              WebhookServer.resources(
                  new AdmissionReviews(TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN),
                  Threads.MACHINE),
              authority.issue(List.of("localhost"), Instant.now(), Duration.ofHours(1)));
      try (webhook) {
        client.resource(configuration(authority, webhook.port())).create();
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> gates(created(client, "gated", READINESS)).contains("probelet.io/ready"));
        Pod gated = created(client, "gated", READINESS);
        Pod plain = created(client, "plain", READINESS);
        assertThat(gates(plain)).as("another namespace").isEmpty();
        assertThat(gates(created(client, "gated", "web: {liveness: {tcpSocket: {port: 80}}}")))
            .as("liveness only")
            .isEmpty();
        assertThat(gates(created(client, "gated", READINESS + " #" + "x".repeat(200 * 1024))))
            .as("an annotation beyond its limit")
            .isEmpty();
        gated.getSpec().setReadinessGates(List.of());
        assertThat(gated.getSpec().getContainers()).isEqualTo(plain.getSpec().getContainers());
        assertThat(gated.getMetadata().getAnnotations())
            .isEqualTo(plain.getMetadata().getAnnotations());
        assertThat(gated.getMetadata().getLabels()).isEqualTo(plain.getMetadata().getLabels());
      }
      assertThat(gates(created(client, "gated", READINESS))).as("nobody answers").isEmpty();
    }
  }

  private static void namespace(KubernetesClient client, String name, Map<String, String> labels) {
    client
        .resource(
            new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build())
        .create();
    client
        .resource(
            new ServiceAccountBuilder()
                .withNewMetadata()
                .withName("default")
                .withNamespace(name)
                .endMetadata()
                .build())
        .create();
  }

  /** As printed, but for the address: there is no Service to reach the server by. */
  private static MutatingWebhookConfiguration configuration(
      CertificateAuthority authority, int port) {
    String printed =
        new WebhookSetup("probelet-system", WebhookSetup.SERVICE).gateManifest(authority);
    MutatingWebhookConfiguration configuration =
        Serialization.unmarshal(printed, MutatingWebhookConfiguration.class);
    var client = configuration.getWebhooks().getFirst().getClientConfig();
    client.setUrl("https://localhost:" + port + client.getService().getPath());
    client.setService(null);
    return configuration;
  }

  private static Pod created(KubernetesClient client, String namespace, String probes) {
    return client
        .resource(
            new PodBuilder()
                .withNewMetadata()
                .withGenerateName("web-")
                .withNamespace(namespace)
                .addToAnnotations("probelet.io/probes", probes)
                .endMetadata()
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .build())
        .dryRun()
        .create();
  }

  private static List<String> gates(Pod pod) {
    List<PodReadinessGate> gates = pod.getSpec().getReadinessGates();
    return gates == null
        ? List.of()
        : gates.stream().map(PodReadinessGate::getConditionType).toList();
  }
}
