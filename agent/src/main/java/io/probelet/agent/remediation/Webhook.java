package io.probelet.agent.remediation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.agent.http.ListenAddress;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.ApiServer;
import io.probelet.nodehealth.election.Term;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.nodehealth.webhook.ApiTemplateKinds;
import io.probelet.nodehealth.webhook.CertificateUpkeep;
import io.probelet.nodehealth.webhook.ServingCertificate;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the webhook from when there is a certificate for it, with the newest one. The leader looks
 * after the certificate; where no webhook is configured, there is none.
 */
public final class Webhook implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final Duration ROUND = Duration.ofMinutes(1);
  private static final String SERVICE = "probelet-webhook";
  private static final String CONFIGURATION = "probelet-remediation";

  private final CertificateUpkeep upkeep;
  private final AdmissionReviews reviews;
  private final ListenAddress address;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("webhook").factory());
  private volatile Term term = () -> false;
  private @Nullable WebhookServer server;
  private String lastTrouble = "";

  private Webhook(
      KubernetesClient client, TimeSource time, String namespace, ListenAddress address) {
    ApiServer api = ApiServer.of(client, PATIENCE);
    this.upkeep = new CertificateUpkeep(api, time, namespace, SERVICE, CONFIGURATION);
    this.reviews = new AdmissionReviews(new ApiTemplateKinds(api));
    this.address = address;
  }

  /**
   * Begins to look for a certificate.
   *
   * @param client for the cluster
   * @param time the clocks
   * @param namespace of the webhook's Service and Secret
   * @param address where to listen
   * @return to be closed
   */
  public static Webhook open(
      KubernetesClient client, TimeSource time, String namespace, ListenAddress address) {
    Webhook webhook = new Webhook(client, time, namespace, address);
    var _ =
        webhook.thread.scheduleWithFixedDelay(
            webhook::round, 0, ROUND.toSeconds(), TimeUnit.SECONDS);
    return webhook;
  }

  /**
   * Looks after the certificate for a term.
   *
   * @param begun the term
   */
  public void lead(Term begun) {
    term = begun;
    thread.execute(this::round);
  }

  @Override
  public void close() {
    try {
      thread.submit(this::stop).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (Exception late) {
      LOG.warn("webhook not closed: {}", String.valueOf(late));
    } finally {
      thread.shutdownNow();
    }
  }

  private void round() {
    try {
      Term ours = term;
      if (ours.isOn()) {
        upkeep.round(ours);
      }
      ServingCertificate certificate = upkeep.current().orElse(null);
      if (certificate != null) {
        serve(certificate);
      }
    } catch (IOException | RuntimeException problem) {
      String trouble = String.valueOf(problem.getMessage());
      if (!trouble.equals(lastTrouble)) { // once, not every minute
        lastTrouble = trouble;
        LOG.warn("webhook={} not served: {}", address, trouble);
      }
    }
  }

  private void serve(ServingCertificate certificate) throws IOException {
    WebhookServer open = server;
    if (open == null) {
      server = new WebhookServer(address, reviews, certificate);
      LOG.info("webhook={} served", address);
    } else {
      open.use(certificate);
    }
  }

  private void stop() {
    if (server != null) {
      server.close();
    }
  }
}
