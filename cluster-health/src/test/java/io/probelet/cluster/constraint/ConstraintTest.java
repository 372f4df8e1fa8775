package io.probelet.cluster.constraint;

import static io.probelet.cluster.webhook.Webhooks.onPods;
import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.PROGRESSING;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionBuilder;
import io.probelet.checks.operation.LastOperation;
import io.probelet.checks.operation.OperationState;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.checks.operation.OperationType;
import io.probelet.cluster.webhook.WebhookPolicy;
import io.probelet.cluster.webhook.WebhookRemediation;
import io.probelet.health.Condition;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConstraintTest {

  /** A self-signed CA, valid until the time below; made once with keytool, its key thrown away. */
  private static final String CA =
      """
      -----BEGIN CERTIFICATE-----
      MIIBQjCB6aADAgECAgkA6ipuLjzZdA0wCgYIKoZIzj0EAwMwDTELMAkGA1UEAxMC
      Y2EwHhcNMjYxMTIxMDg0OTAyWhcNMzYxMTE4MDg0OTAyWjANMQswCQYDVQQDEwJj
      YTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABJA5Jm/Hmn0HK52Au5BINjj9LV8q
      ph75z76kL/e0YbF+dVo2rWjB3L8Ytebr42ifWJSVZJWWgW0xy8H619hzfB6jMjAw
      MB0GA1UdDgQWBBSxTIsWPn/m4MaK1G/23KaHjOz4BTAPBgNVHRMBAf8EBTADAQH/
      MAoGCCqGSM49BAMDA0gAMEUCIQCQNb9lLOlwSC5BjWPg8Takq0yvtz5D6tKND6ww
      ACErAQIgD3i2MTV48lwKKcavPK1vuK7k+KJ4RS7+qGSzykm733c=
      -----END CERTIFICATE-----
      """;

  private static final Instant UNTIL = Instant.parse("2036-11-18T08:49:02Z");

  /** One that is valid until 2028, made in the same way. */
  private static final String EARLIER =
      """
      -----BEGIN CERTIFICATE-----
      MIIBPzCB5qADAgECAgkAvxs4nhOf/y4wCgYIKoZIzj0EAwMwDTELMAkGA1UEAxMC
      Y2EwHhcNMjYxMTIxMDg0OTAyWhcNMjgxMTIwMDg0OTAyWjANMQswCQYDVQQDEwJj
      YTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNz5GkPGTtF8qIav/ZRHFaGrZyXk
      6PWx3w2lzXKy1gmknmOJDebs2BRR1sdalkh+yFu39VM6LIgTWFrdgi3pOLajLzAt
      MB0GA1UdDgQWBBScEMxqHXsB4o2/zPgADsJVmFCTrTAMBgNVHRMEBTADAQH/MAoG
      CCqGSM49BAMDA0gAMEUCIHjUXbuxjURcKhLRHrK3cLpd+L3FzT3ZIjpzT8LRgqIR
      AiEA364FRpLAYHLesCbt5hWhTg3aGyTD9hC7dk3zaMsPlps=
      -----END CERTIFICATE-----
      """;

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final WebhookConstraint webhooks = new WebhookConstraint(WebhookPolicy.DEFAULT);

  @Test
  @DisplayName("CH-30 without problematic webhooks → True, NoProblematicWebhooks")
  void noProblem() {
    Constraint constraint = hibernation(List.of(onPods().policy("Ignore").validating()));

    assertThat(constraint.status()).isEqualTo(TRUE);
    assertThat(constraint.reason()).isEqualTo("NoProblematicWebhooks");
    assertThat(constraint.codes()).isEmpty();
    assertThat(constraint.isShown()).isTrue();
  }

  @Test
  @DisplayName("CH-30 a problematic webhook → False, ProblematicWebhooks, ERR_PROBLEMATIC_WEBHOOK")
  void problematic() {
    Constraint constraint =
        webhooks.evaluate(
            Constraint.MAINTENANCE_PRECONDITIONS_SATISFIED,
            List.of(),
            List.of(onPods().mutating()));

    assertThat(constraint.type()).isEqualTo("MaintenancePreconditionsSatisfied");
    assertThat(constraint.status()).isEqualTo(FALSE);
    assertThat(constraint.reason()).isEqualTo("ProblematicWebhooks");
    assertThat(constraint.codes())
        .extracting(Enum::name)
        .containsExactly("ERR_PROBLEMATIC_WEBHOOK");
    assertThat(constraint.message())
        .startsWith(
            "MutatingWebhookConfiguration \"example\" is problematic: webhook \"hook.example\"");
  }

  @Test
  @DisplayName("CH-30 a remedied webhook → False, RemediatedWebhooks")
  void remedied() {
    ValidatingWebhookConfiguration remedied =
        new WebhookRemediation(WebhookPolicy.DEFAULT)
            .remediate(onPods().validating())
            .configuration();

    assertThat(hibernation(List.of(remedied)).reason()).isEqualTo("RemediatedWebhooks");
    assertThat(hibernation(List.of(remedied)).status()).isEqualTo(FALSE);
    assertThat(hibernation(List.of(remedied, onPods().validating())).reason())
        .isEqualTo("ProblematicWebhooks");
    assertThat(hibernation(List.of(remedied, onPods().validating())).message())
        .startsWith("ValidatingWebhookConfiguration \"example\" is problematic: ")
        .contains("; ValidatingWebhookConfiguration \"example\" was problematic and has been");
  }

  @Test
  @DisplayName("CH-30 Gardener's own mark counts where its preset is used")
  void gardenersMark() {
    ValidatingWebhookConfiguration marked =
        new ValidatingWebhookConfigurationBuilder(onPods().policy("Ignore").validating())
            .editMetadata()
            .addToAnnotations("gardener.cloud/warning", "changed")
            .endMetadata()
            .build();

    assertThat(hibernation(List.of(marked)).status()).isEqualTo(TRUE);
    assertThat(
            new WebhookConstraint(WebhookPolicy.GARDENER)
                .evaluate(Constraint.HIBERNATION_POSSIBLE, List.of(marked), List.of())
                .reason())
        .isEqualTo("RemediatedWebhooks");
  }

  @Test
  @DisplayName("CH-30 of many findings five are named and the rest counted")
  void many() {
    assertThat(hibernation(Collections.nCopies(5, onPods().validating())).message())
        .doesNotContain(" more");
    assertThat(hibernation(Collections.nCopies(7, onPods().validating())).message())
        .endsWith("; and 2 more");
  }

  @ParameterizedTest
  @DisplayName("CH-35 a CA is to be valid for 365 days; exactly that is enough")
  @CsvSource({"366, True", "365, True", "364, False", "0, False", "-1, False"})
  void validity(int daysLeft, String status) {
    Constraint constraint =
        CaValidity.evaluate(List.of(secret("a", CA)), UNTIL.minus(Duration.ofDays(daysLeft)));

    assertThat(constraint.status()).hasToString(status);
    assertThat(constraint.isShown()).isEqualTo(constraint.status() != TRUE);
    assertThat(constraint.codes()).isEmpty();
  }

  @ParameterizedTest
  @DisplayName("CH-35 of a bundle the first certificate to expire counts, wherever it stands")
  @ValueSource(booleans = {true, false})
  void bundle(boolean earlierFirst) {
    String pem = earlierFirst ? EARLIER + CA : CA + EARLIER;
    Constraint constraint =
        CaValidity.evaluate(List.of(secret("a", pem)), Instant.parse("2028-11-20T00:00:00Z"));

    assertThat(constraint.message()).endsWith("\"pki/a\" (until 2028-11-20T08:49:02Z)");
  }

  @Test
  @DisplayName("CH-35 expiring CAs are named with their dates, sorted")
  void names() {
    Constraint constraint = CaValidity.evaluate(List.of(secret("b", CA), secret("a", CA)), UNTIL);

    assertThat(constraint.reason()).isEqualTo("ExpiringCACertificates");
    assertThat(constraint.message())
        .isEqualTo(
            "CA certificates valid for less than 365 days, to be rotated: \"pki/a\" (until "
                + UNTIL
                + "), \"pki/b\" (until "
                + UNTIL
                + ")");
  }

  @Test
  @DisplayName("CH-35 a secret without certificates is passed over")
  void noCertificate() {
    Secret empty = new SecretBuilder(secret("a", CA)).withData(Map.of()).build();

    assertThat(CaValidity.evaluate(List.of(empty), UNTIL).status()).isEqualTo(TRUE);
    assertThat(CaValidity.evaluate(List.of(), UNTIL).reason())
        .isEqualTo("NoExpiringCACertificates");
  }

  @ParameterizedTest
  @DisplayName("CH-37 a certificate that cannot be read → Unknown, ConditionCheckError")
  @CsvSource({"nonsense", "''"})
  void unreadable(String pem) {
    Constraint constraint = CaValidity.evaluate(List.of(secret("a", pem)), NOW);

    assertThat(constraint.status()).isEqualTo(UNKNOWN);
    assertThat(constraint.reason()).isEqualTo("ConditionCheckError");
    assertThat(constraint.message())
        .startsWith("CA certificate in secret \"pki/a\" cannot be read: ");
    assertThat(constraint.isShown()).isTrue();
  }

  @Test
  @DisplayName("CH-36 several stored versions and a conversion webhook → False, names sorted")
  void conversion() {
    Constraint constraint =
        conversions(
            crd("b", "Webhook", "v1", "v1beta1"),
            crd("a", "Webhook", "v1", "v2"),
            crd("c", "Webhook", "v1"),
            crd("d", "None", "v1", "v1beta1"));

    assertThat(constraint.status()).isEqualTo(FALSE);
    assertThat(constraint.reason()).isEqualTo("CRDsWithProblematicConversionWebhooks");
    assertThat(constraint.message())
        .startsWith("CRDs with several stored versions and a conversion webhook: a, b; ");
    assertThat(conversions(crd("c", "Webhook", "v1")).isShown()).isFalse();
  }

  private static Constraint conversions(CustomResourceDefinition... crds) {
    return CrdConversion.evaluate(
        Stream.of(crds)
            .filter(CrdConversion::isProblematic)
            .map(crd -> crd.getMetadata().getName())
            .toList());
  }

  @Test
  @DisplayName("CH-29 a broken constraint is tolerated while the cluster is being made")
  void tolerated() {
    Constraint broken = hibernation(List.of(onPods().validating()));
    OperationStatus creating =
        new OperationStatus(
            new LastOperation(OperationType.CREATE, OperationState.PROCESSING, 10, "x", NOW),
            List.of(),
            null);
    Condition initial = Condition.initial(Constraint.HIBERNATION_POSSIBLE, NOW);

    assertThat(broken.applyTo(initial, creating, NOW).status()).isEqualTo(PROGRESSING);
    assertThat(broken.applyTo(initial, OperationStatus.NONE, NOW).status()).isEqualTo(FALSE);
    assertThat(broken.applyTo(initial, OperationStatus.NONE, NOW).codes())
        .containsExactly("ERR_PROBLEMATIC_WEBHOOK");
  }

  private Constraint hibernation(List<ValidatingWebhookConfiguration> configurations) {
    return webhooks.evaluate(Constraint.HIBERNATION_POSSIBLE, configurations, List.of());
  }

  private static Secret secret(String name, String pem) {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace("pki")
        .withName(name)
        .endMetadata()
        .addToData(
            "ca.crt", Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII)))
        .build();
  }

  private static CustomResourceDefinition crd(String name, String strategy, String... stored) {
    return new CustomResourceDefinitionBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewSpec()
        .withNewConversion()
        .withStrategy(strategy)
        .endConversion()
        .endSpec()
        .withNewStatus()
        .withStoredVersions(stored)
        .endStatus()
        .build();
  }
}
