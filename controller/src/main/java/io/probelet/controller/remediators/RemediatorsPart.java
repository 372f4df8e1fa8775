package io.probelet.controller.remediators;

import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.remediator.controller.HookEndpoint;
import io.probelet.remediator.controller.PolicyActionGate;
import io.probelet.remediator.controller.RemediatorController;
import io.probelet.remediator.controller.RemediatorReport;
import io.probelet.remediator.controller.RemediatorReport.KindState;
import io.probelet.remediator.controller.RemediatorSettings;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.LeaderNote;
import io.probelet.web.part.Part;
import io.probelet.web.remediation.RemediatorsView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Carries out, as the leader, the kinds of remediations that are switched on. */
public final class RemediatorsPart implements Part {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);

  private final LeaderTask<RemediatorController> work;

  private RemediatorsPart(LeaderTask<RemediatorController> work) {
    this.work = work;
  }

  /**
   * Starts as a candidate for leader.
   *
   * @param kinds what is carried out, each once, at least one
   * @param hooks calls users' endpoints
   */
  public static RemediatorsPart start(
      ControllerContext context, List<RemediationKind> kinds, HookEndpoint hooks) {
    RemediatorSettings settings =
        new RemediatorSettings(
            context.identity(),
            context.namespace(),
            kinds,
            new PolicyActionGate(
                ApiServer.of(context.client(), REQUEST_TIMEOUT, context.time().threads()), kinds),
            hooks);
    RemediatorMetrics metrics = new RemediatorMetrics(context.metrics());
    return new RemediatorsPart(
        context.lead(
            RemediatorController.LEASE,
            ElectionTiming.DEFAULT,
            (api, term) ->
                RemediatorController.start(
                    api, settings, context.time(), context.random(), metrics, term)));
  }

  @Override
  public String name() {
    return "remediators";
  }

  /** {@inheritDoc} A kind that is not installed yet is no reason to take this replica away. */
  @Override
  public String note() {
    return LeaderNote.of(
        work,
        leading -> leading.report().thenApply(RemediatorsPart::problems),
        "the remediators are not responding");
  }

  private static List<String> problems(RemediatorReport report) {
    return report.kinds().stream()
        .map(KindState::problem)
        .filter(problem -> !problem.isEmpty())
        .toList();
  }

  @Override
  public Map<String, Resource> resources() {
    return Map.of(RemediatorsView.PATH, _ -> view());
  }

  /** What is being done to which node, and what waits for what. */
  private Answer view() throws TimeoutException, InterruptedException {
    RemediatorsView view = RemediatorsView.of(report(), work.leader().orElse(null));
    return Answer.of(200, Resource.JSON, view.json());
  }

  private Optional<RemediatorReport> report() throws TimeoutException, InterruptedException {
    return work.ask(RemediatorController::report, REPORT_TIMEOUT);
  }

  @Override
  public void close() {
    work.close();
  }
}
