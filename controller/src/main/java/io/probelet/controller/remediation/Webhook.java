package io.probelet.controller.remediation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ApiRunningRemediations;
import io.probelet.nodehealth.webhook.ApiTemplateKinds;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.tls.CertifiedServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Serves the webhook from when there is a certificate for it. Every replica does, whoever leads.
 */
final class Webhook {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private Webhook() {}

  /**
   * Serves it as soon as there is a certificate, which may be at once.
   *
   * @return to be closed
   */
  static CertifiedServer open(
      KubernetesClient client,
      TimeSource time,
      String namespace,
      ListenAddress address,
      Path certificates) {
    ApiServer api = ApiServer.of(client, TIMEOUT);
    AdmissionReviews reviews =
        new AdmissionReviews(new ApiTemplateKinds(api), new ApiRunningRemediations(api));
    return CertifiedServer.start(
        "webhook",
        new CertificateFolder(
            certificates, List.of(WebhookSetup.dnsName(WebhookSetup.SERVICE, namespace)), time),
        address.toString(),
        certificate -> WebhookServer.open(address, reviews, certificate));
  }
}
