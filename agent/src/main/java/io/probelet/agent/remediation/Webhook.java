package io.probelet.agent.remediation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.agent.http.ListenAddress;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ApiRunningRemediations;
import io.probelet.nodehealth.webhook.ApiTemplateKinds;
import io.probelet.nodehealth.webhook.CertificateFolder;
import io.probelet.nodehealth.webhook.CertificateFolder.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the webhook from when there is a certificate for it, with the newest one; until then
 * nothing listens. Every replica does, whoever leads.
 */
final class Webhook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ROUND = Duration.ofSeconds(10);

  private final CertificateFolder folder;
  private final AdmissionReviews reviews;
  private final ListenAddress address;
  private final SerialLoop loop =
      SerialLoop.start(
          "webhook",
          1, // it has an alarm, and its end
          bug -> LOG.error("webhook: a mistake of ours, it goes on", bug));
  private final Alarm next = loop.alarm(this::round);
  private @Nullable WebhookServer server;
  private volatile String state = "webhook not served yet";

  private Webhook(CertificateFolder folder, AdmissionReviews reviews, ListenAddress address) {
    this.folder = folder;
    this.reviews = reviews;
    this.address = address;
  }

  /**
   * Serves it as soon as there is a certificate, which may be at once.
   *
   * @param client asked which templates there are
   * @param time the clocks
   * @param namespace of the webhook's Service
   * @param address where to listen
   * @param certificates the folder of the certificates
   * @return to be closed
   */
  static Webhook open(
      KubernetesClient client,
      TimeSource time,
      String namespace,
      ListenAddress address,
      Path certificates) {
    ApiServer api = ApiServer.of(client, TIMEOUT);
    Webhook webhook =
        new Webhook(
            new CertificateFolder(
                certificates, List.of(WebhookSetup.dnsName(WebhookSetup.SERVICE, namespace)), time),
            new AdmissionReviews(new ApiTemplateKinds(api), new ApiRunningRemediations(api)),
            address);
    webhook.next.set(Duration.ZERO);
    return webhook;
  }

  /** {@return how it stands, in words for an operator} */
  String state() {
    return state;
  }

  @Override
  public void close() {
    if (loop.offer(this::stop) && !loop.finish(TIMEOUT)) {
      LOG.warn("webhook not closed within {} s", TIMEOUT.toSeconds());
    }
  }

  private void round() {
    loop.requireInLoop();
    try {
      switch (folder.read()) {
        case Found.Certificate found -> serve(found);
        case Found.Nothing(String why) when server != null ->
            say("webhook served with the certificate from before: " + why);
        case Found.Nothing(String why) -> say("webhook not served: " + why);
      }
    } catch (IOException | RuntimeException problem) {
      say("webhook not served: " + problem.getMessage());
    } finally {
      next.set(ROUND);
    }
  }

  private void serve(Found.Certificate found) throws IOException {
    WebhookServer open = server;
    if (open == null) {
      server = new WebhookServer(address, reviews, found.certificate());
    } else {
      open.use(found.certificate());
    }
    say(
        "webhook served on "
            + address
            + (found.concern().isEmpty() ? "" : ", but " + found.concern()));
  }

  /** Once, not every few seconds. */
  private void say(String now) {
    if (!now.equals(state)) {
      state = now;
      LOG.info("{}", now);
    }
  }

  private void stop() {
    if (server != null) {
      server.close();
    }
  }
}
