package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.GoDuration;
import io.probelet.kube.ApiResult;
import io.probelet.remediator.decide.ObservedHook.OfEndpoint;
import io.probelet.remediator.decide.ObservedHook.OfJob;
import io.probelet.remediator.resource.HookSpec;
import io.probelet.remediator.resource.HookSpec.Target;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.RemediationPhase;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Has a user's endpoint or Job do the work, and waits until it is done (ACT-56, ACT-57). */
public final class HookDecider implements Decider<HookSpec, ObservedHook> {
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final String DONE = "done";

  private static final Set<Integer> LASTING = Set.of(400, 403, 404, 405, 422);

  /** Keeps nothing. */
  public HookDecider() {}

  @Override
  public Step next(Situation<HookSpec, ObservedHook> situation) {
    boolean late = HookCourse.elapsed(situation).compareTo(situation.spec().within()) >= 0;
    return switch (situation.spec().target()) {
      case Target.Endpoint(HttpsHook https) ->
          endpoint(
              situation,
              HookCourse.of(
                  situation,
                  https,
                  situation.observed() instanceof OfEndpoint(HookAnswer answer)
                      ? clear(answer)
                      : new HookAnswer.NotAsked()),
              late);
      case Target.Job(ObjectNode template) ->
          job(
              situation,
              template,
              situation.observed() instanceof OfJob seen
                  ? seen
                  : new OfJob(ObservedHook.State.MISSING, ""),
              late);
    };
  }

  private static Step endpoint(
      Situation<HookSpec, ObservedHook> situation, HookCourse course, boolean late) {
    return switch (course) {
      case HookCourse.Refused(String message) -> failed(situation, "HookRefused", message);
      case HookCourse.Answered(JsonNode body, Step _) when isDone(body) ->
          Step.of(
              situation
                  .status()
                  .succeeded("the endpoint reported that it is done", situation.now()));
      case HookCourse.Answered _, HookCourse.GoingOn _ when late -> tooLate(situation);
      case HookCourse.Answered(JsonNode _, Step later) -> later;
      case HookCourse.GoingOn(Step step) -> step;
    };
  }

  /** ACT-56: a value that says neither yes nor no is a failed call, not the end. */
  private static HookAnswer clear(HookAnswer answer) {
    return answer instanceof HookAnswer.Answered(int code, JsonNode body)
            && body.has(DONE)
            && !body.path(DONE).isBoolean()
            && !Set.of("true", "false").contains(body.path(DONE).asText())
        ? new HookAnswer.NotAnswered(
            "responded %d, but done is neither true nor false".formatted(code))
        : answer;
  }

  /** A success without the field means that the endpoint has finished. */
  private static boolean isDone(JsonNode body) {
    return body.path(DONE).asBoolean(true);
  }

  private static Step failed(
      Situation<HookSpec, ObservedHook> situation, String reason, String message) {
    return Step.of(situation.status().failed(reason, message, situation.now()));
  }

  private static Step tooLate(Situation<HookSpec, ObservedHook> situation) {
    return failed(
        situation,
        "HookNotDone",
        "not done within %s; last status: %s"
            .formatted(GoDuration.format(situation.spec().within()), situation.status().message()));
  }

  private static Step job(
      Situation<HookSpec, ObservedHook> situation, ObjectNode template, OfJob job, boolean late) {
    boolean ran =
        situation.status().phase() == RemediationPhase.WAITING
            && situation.status().milestone().reached() == Milestone.Reached.JOB_STARTED;
    return switch (job.state()) {
      case COMPLETE -> Step.of(situation.status().succeeded("the Job completed", situation.now()));
      case FAILED -> failed(situation, "JobFailed", "the Job failed: " + job.message());
      case FOREIGN ->
          failed(
              situation,
              "JobRefused",
              "Job %s already exists and belongs to another owner"
                  .formatted(HookJob.name(situation.remediation())));
      case RUNNING -> late ? tooLate(situation) : running(situation);
      case MISSING -> {
        if (ran) {
          yield failed(situation, "JobGone", "the Job was deleted before it completed or failed");
        }
        yield late ? tooLate(situation) : create(situation, template);
      }
    };
  }

  private static Step running(Situation<HookSpec, ObservedHook> situation) {
    return Step.of(
            situation
                .status()
                .in(RemediationPhase.WAITING, "the Job is running", situation.now())
                .with(Milestone.of(Milestone.Reached.JOB_STARTED)))
        .again(SOON);
  }

  private static Step create(Situation<HookSpec, ObservedHook> situation, ObjectNode template) {
    return refusedJob(situation)
        .map(refusal ->
            failed(situation, "JobRefused", "the Job cannot be created: " + refusal.summary()))
        .orElseGet(() ->
            Step.of(
                    situation
                        .status()
                        .in(RemediationPhase.WAITING, "creating the Job", situation.now()))
                .then(
                    HookJob.create(
                        situation.remediation(),
                        HookJob.name(situation.remediation()),
                        situation.node(),
                        template))
                .again(SOON));
  }

  /** Why the API server does not create a Job, now and at the next try; empty if it may. */
  static Optional<ApiResult.Refused> refusedJob(Situation<?, ?> situation) {
    return situation.outcomes().stream()
        .filter(outcome -> outcome.action() instanceof Action.Create)
        .map(Outcome::result)
        .filter(ApiResult.Refused.class::isInstance)
        .map(ApiResult.Refused.class::cast)
        .filter(refusal -> LASTING.contains(refusal.code()))
        .findFirst();
  }
}
