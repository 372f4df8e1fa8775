package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.GoDuration;
import io.probelet.health.RetryBackoff;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * The progress of calls to a user's endpoint (ACT-55). Each call is recorded in the status before
 * it is made; the reader makes the recorded call.
 *
 * <pre>
 *   call 1 ── 5 s ── call 2 ── 10 s ── call 3 ── 20 s ── … a minute at most, until retryFor
 * </pre>
 */
public sealed interface HookCourse {
  /**
   * The calls continue.
   *
   * @param step what comes next, in phase {@link RemediationPhase#WAITING}
   */
  record GoingOn(Step step) implements HookCourse {}

  /**
   * The endpoint responded with success.
   *
   * @param body the JSON body; a missing node if the body is empty or plain text
   * @param later the step that calls it again, for an endpoint that has not finished
   */
  record Answered(JsonNode body, Step later) implements HookCourse {}

  /** The calls failed and are not repeated. */
  record Refused(String message) implements HookCourse {}

  /** Delay after a step that only records a call. */
  Duration AT_ONCE = Duration.ofMillis(1);

  /** Client error codes that are retried: timeout, too early, too many requests. */
  Set<Integer> PASSING = Set.of(408, 425, 429);

  /** The pause between calls. It needs no jitter, because each node starts at its own time. */
  RetryBackoff PAUSE = RetryBackoff.doubling(Duration.ofSeconds(5), Duration.ofMinutes(1));

  /** Decisions must be deterministic. */
  RandomGenerator NOTHING_RANDOM = () -> 0;

  /** {@return whether a call is being made} */
  static boolean isDue(RemediationProgress status) {
    return status.phase() == RemediationPhase.WAITING
        && status.milestone().reached() == Milestone.Reached.CALLING;
  }

  /**
   * Decides what the calls take next.
   *
   * @param situation all that is known
   */
  static HookCourse of(Situation<?, ?> situation, HttpsHook hook, HookAnswer answer) {
    int calls = calls(situation.status());
    if (calls == 0) {
      return new GoingOn(call(situation, hook, 1));
    }
    return switch (answer) {
      case HookAnswer.NotAsked() when isDue(situation.status()) ->
          new GoingOn(call(situation, hook, calls));
      case HookAnswer.NotAsked() -> new GoingOn(pause(situation, hook, calls));
      case HookAnswer.Answered(int code, JsonNode body) when code >= 200 && code < 300 ->
          new Answered(body, said(situation, hook, calls, "not finished yet"));
      case HookAnswer.Answered(int code, JsonNode _) when code < 500 && !PASSING.contains(code) ->
          new Refused(
              "%s responded %d%s"
                  .formatted(host(hook), code, code < 400 ? "; redirects are not followed" : ""));
      case HookAnswer.Answered(int code, JsonNode _) ->
          failed(situation, hook, calls, "responded " + code);
      case HookAnswer.NotAnswered(String why) -> failed(situation, hook, calls, why);
    };
  }

  private static int calls(RemediationProgress status) {
    return status.phase() == RemediationPhase.WAITING ? status.milestone().calls() : 0;
  }

  private static String host(HttpsHook hook) {
    return Objects.requireNonNull(hook.url().getAuthority(), "it has a host");
  }

  private static Step call(Situation<?, ?> situation, HttpsHook hook, int number) {
    return at(situation, "call %d to %s".formatted(number, host(hook)), Milestone.calling(number))
        .again(AT_ONCE);
  }

  /** The time of the phase is that of the last call. */
  private static Step at(Situation<?, ?> situation, String message, Milestone milestone) {
    return Step.of(
        situation
            .status()
            .in(RemediationPhase.WAITING, message, situation.now())
            .since(situation.now())
            .with(milestone));
  }

  private static Duration after(int calls) {
    return PAUSE.delay(Math.max(1, calls), NOTHING_RANDOM);
  }

  private static Step said(Situation<?, ?> situation, HttpsHook hook, int calls, String what) {
    Duration pause = after(calls);
    String message =
        "call %d to %s: %s; next call in %s"
            .formatted(calls, host(hook), what, GoDuration.format(pause));
    return at(situation, message, Milestone.called(calls)).again(pause);
  }

  private static Step pause(Situation<?, ?> situation, HttpsHook hook, int calls) {
    Duration left = after(calls).minus(situation.inPhase());
    return left.isPositive()
        ? Step.of(situation.status()).again(left)
        : call(situation, hook, Math.min(calls + 1, Milestone.MAX_CALLS));
  }

  private static HookCourse failed(
      Situation<?, ?> situation, HttpsHook hook, int calls, String why) {
    Duration next = elapsed(situation).plus(after(calls));
    return next.compareTo(hook.retryFor()) > 0
        ? new Refused(
            "call %d to %s: %s; gave up after %s"
                .formatted(calls, host(hook), why, GoDuration.format(hook.retryFor())))
        : new GoingOn(said(situation, hook, calls, why));
  }

  /**
   * {@return how long ago the remediation was begun, evidence included; zero if that is not known}
   *
   * @param situation all that is known
   */
  static Duration elapsed(Situation<?, ?> situation) {
    return Optional.ofNullable(situation.status().startTime())
        .filter(start -> start.isBefore(situation.now()))
        .map((Instant start) -> Duration.between(start, situation.now()))
        .orElse(Duration.ZERO);
  }
}
