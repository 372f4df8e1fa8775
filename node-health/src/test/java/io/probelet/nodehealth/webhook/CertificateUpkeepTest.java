package io.probelet.nodehealth.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.probelet.health.ManualClock;
import io.probelet.nodehealth.api.ApiServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(crud = true, https = false)
class CertificateUpkeepTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private KubernetesClient client;
  private CertificateUpkeep upkeep;

  @BeforeEach
  void begin() {
    client
        .resource(
            new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("probelet")
                .endMetadata()
                .addNewWebhook()
                .withName("nhc.probelet.io")
                .withNewClientConfig()
                .endClientConfig()
                .endWebhook()
                .build())
        .create();
    upkeep =
        new CertificateUpkeep(
            ApiServer.of(client, Duration.ofMinutes(1)), clock, "probelet", "hook", "probelet");
  }

  @Test
  @DisplayName("the certificate is made once, for the Service's name, and trusted")
  void made() throws Exception {
    assertThat(upkeep.current()).isEmpty();
    upkeep.round(() -> true);
    ServingCertificate made = upkeep.current().orElseThrow();
    made.certificate().verify(made.certificate().getPublicKey());
    assertThat(made.certificate().getSubjectAlternativeNames().toString())
        .contains("hook.probelet.svc");
    assertThat(bundle()).isEqualTo(made.certificatePem());

    clock.advance(Duration.ofDays(200));
    upkeep.round(() -> true);
    assertThat(upkeep.current()).contains(made);
  }

  @Test
  @DisplayName("it is renewed with a third of its life left; the old one stays trusted meanwhile")
  void renewed() {
    upkeep.round(() -> true);
    ServingCertificate first = upkeep.current().orElseThrow();
    clock.advance(Duration.ofDays(250));
    upkeep.round(() -> true);
    ServingCertificate second = upkeep.current().orElseThrow();
    assertThat(second).isNotEqualTo(first);
    assertThat(bundle()).isEqualTo(second.certificatePem() + first.certificatePem());
    upkeep.round(() -> true);
    assertThat(bundle()).isEqualTo(second.certificatePem() + first.certificatePem());
  }

  @Test
  @DisplayName("N-1 whose term is over writes nothing")
  void deposed() {
    upkeep.round(() -> false);
    assertThat(upkeep.current()).isEmpty();
    assertThat(client.secrets().inNamespace("probelet").list().getItems()).isEmpty();
  }

  private String bundle() {
    String encoded =
        client
            .admissionRegistration()
            .v1()
            .validatingWebhookConfigurations()
            .withName("probelet")
            .get()
            .getWebhooks()
            .getFirst()
            .getClientConfig()
            .getCaBundle();
    return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
  }
}
