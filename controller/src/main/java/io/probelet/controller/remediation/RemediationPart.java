package io.probelet.controller.remediation;

import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.nodehealth.controller.RemediationController;
import io.probelet.nodehealth.controller.RemediationSettings;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import io.probelet.web.remediation.RemediationView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** Evaluates NodeHealthChecks as the leader, and answers the webhook for them. */
public final class RemediationPart implements Part {
  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);

  private final LeaderTask<RemediationController> work;
  private final WebhookListener webhook;

  /** How it is configured. */
  public record Settings(
      String leaseNamespace,
      String eventComponent,
      ListenAddress webhookListen,
      Path webhookCertificates) {}

  private RemediationPart(LeaderTask<RemediationController> work, WebhookListener webhook) {
    this.work = work;
    this.webhook = webhook;
  }

  /**
   * Starts as a candidate for leader, and answers the webhook, which does not take a leader.
   *
   * @param webhooks serves the webhook
   */
  public static RemediationPart start(
      ControllerContext context, Settings settings, WebhookListener.Opener webhooks) {
    WebhookListener webhook =
        webhooks.open(
            settings.webhookListen(),
            Webhook.certificates(settings, context.namespace(), context.time()),
            Webhook.resources(context.client(), context.time()));
    RemediationSettings names =
        new RemediationSettings(
            context.identity(), settings.leaseNamespace(), settings.eventComponent());
    RemediationMetrics metrics = new RemediationMetrics(context.metrics());
    LeaderTask<RemediationController> work =
        context.lead(
            RemediationController.LEASE,
            ElectionTiming.DEFAULT,
            (api, term) ->
                RemediationController.start(
                    api, names, context.time(), context.random(), metrics, term));
    return new RemediationPart(work, webhook);
  }

  @Override
  public String name() {
    return "remediation";
  }

  /** {@inheritDoc} Doing without the webhook is allowed, and nobody should have to guess at it. */
  @Override
  public String note() {
    return webhook.state();
  }

  @Override
  public Map<String, Resource> resources() {
    return Map.of("/api/v1/remediation", _ -> view());
  }

  /** Why each unhealthy node is remediated, or not (RB-5). */
  private Answer view() throws TimeoutException, InterruptedException {
    RemediationView view =
        RemediationView.of(
            work.ask(RemediationController::report, REPORT_TIMEOUT), work.leader().orElse(null));
    return Answer.of(200, Resource.JSON, view.json());
  }

  @Override
  public void close() {
    work.close();
    webhook.close();
  }
}
