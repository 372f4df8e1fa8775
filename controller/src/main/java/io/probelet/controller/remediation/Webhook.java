package io.probelet.controller.remediation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ApiRunningRemediations;
import io.probelet.nodehealth.webhook.ApiTemplateKinds;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.PostResource;
import io.probelet.web.tls.CertifiedServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Serves the webhook from when there is a certificate for it. Every replica does, whoever leads.
 */
public final class Webhook {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private Webhook() {}

  /** {@return what is served} */
  static Map<String, PostResource> resources(KubernetesClient client, TimeSource time) {
    ApiServer api = ApiServer.of(client, TIMEOUT, time.threads());
    return WebhookServer.resources(
        new AdmissionReviews(new ApiTemplateKinds(api), new ApiRunningRemediations(api)),
        time.threads());
  }

  /** {@return where certificates for it are} */
  static CertificateFolder certificates(
      RemediationPart.Settings settings, String namespace, TimeSource time) {
    return new CertificateFolder(
        settings.webhookCertificates(),
        List.of(WebhookSetup.dnsName(WebhookSetup.SERVICE, namespace)),
        time);
  }

  /** Serves over TLS on an address of this machine. */
  public static WebhookListener listen(
      ListenAddress address, CertificateFolder certificates, Map<String, PostResource> webhooks) {
    CertifiedServer server =
        CertifiedServer.start(
            "webhook",
            certificates,
            address.toString(),
            certificate -> WebhookServer.open(address, webhooks, certificate));
    return new WebhookListener() {
      @Override
      public String state() {
        return server.state();
      }

      @Override
      public void close() {
        server.close();
      }
    };
  }
}
