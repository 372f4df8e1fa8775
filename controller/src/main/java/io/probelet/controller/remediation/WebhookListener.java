package io.probelet.controller.remediation;

import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.PostResource;
import java.util.Map;

/** Serves admission webhooks to the API server, until it is closed. */
public interface WebhookListener extends AutoCloseable {
  /** {@return how it stands, in words for an operator} */
  String state();

  @Override
  void close();

  /** Opens a listener. */
  @FunctionalInterface
  interface Opener {
    /**
     * Serves as soon as there is a certificate, which may be at once.
     *
     * @param certificates where the certificate is
     * @param webhooks by path
     */
    WebhookListener open(
        ListenAddress address, CertificateFolder certificates, Map<String, PostResource> webhooks);
  }
}
