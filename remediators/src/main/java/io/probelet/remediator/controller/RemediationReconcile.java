package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.remediator.decide.Action;
import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.HookJob;
import io.probelet.remediator.decide.NoObservation;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.decide.Outcome;
import io.probelet.remediator.decide.RemediationRules;
import io.probelet.remediator.decide.Situation;
import io.probelet.remediator.decide.Step;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationReader;
import io.probelet.remediator.resource.RemediationRequest;
import io.probelet.remediator.resource.RemediationSpec;
import io.probelet.remediator.resource.UncordonSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reconciliation of a remediation: reads it again, decides, writes the status, and only then
 * acts. Thread-safe for different nodes; one node is reconciled by one thread at a time.
 */
final class RemediationReconcile {
  private static final Logger LOG = LoggerFactory.getLogger(RemediationReconcile.class);

  private final ApiServer api;
  private final ActionWrites writes;
  private final ActionGate gate;
  private final HookReader hooks;
  private final Leadership term;
  private final TermClock clock;
  private final RemediatorEvents events;
  private final RemediatorListener listener;

  RemediationReconcile(
      ApiServer api,
      ActionWrites writes,
      ActionGate gate,
      HookReader hooks,
      Leadership term,
      TermClock clock,
      RemediatorEvents events,
      RemediatorListener listener) {
    this.api = api;
    this.writes = writes;
    this.gate = gate;
    this.hooks = hooks;
    this.term = term;
    this.clock = clock;
    this.events = events;
    this.listener = listener;
  }

  /**
   * What a turn came to.
   *
   * @param seen the remediation as it is now; null if it is gone
   * @param again when its next turn is at the latest; empty for when something changes
   * @param trouble why the turn was not completed, in a line; empty if it was
   * @param uncertain whether the status may be another, as no answer came to its write
   * @param asked how long the API server wants to be left alone, if it says
   * @param rightMissing whether the trouble is a right that an administrator has to grant
   */
  record Result(
      @Nullable SeenRequest seen,
      List<Outcome> outcomes,
      Optional<Duration> again,
      String trouble,
      boolean uncertain,
      Optional<Duration> asked,
      boolean rightMissing) {
    Result(
        @Nullable SeenRequest seen,
        List<Outcome> outcomes,
        Optional<Duration> again,
        String trouble,
        boolean uncertain,
        Optional<Duration> asked) {
      this(seen, outcomes, again, trouble, uncertain, asked, false);
    }

    static Result gone() {
      return new Result(null, List.of(), Optional.empty(), "", false, Optional.empty());
    }

    static Result mistake(SeenRequest seen, RuntimeException mistake) {
      String what = "internal error: " + mistake;
      return new Result(seen, List.of(), Optional.empty(), what, true, Optional.empty());
    }

    static Result trouble(@Nullable SeenRequest seen, String what, ApiResult answer) {
      return new Result(
          seen,
          List.of(),
          Optional.empty(),
          what + ": " + answer.summary(),
          false,
          answer.requestedWait(),
          answer.isMissingPermission());
    }
  }

  /**
   * Takes the turn.
   *
   * @param known the remediation as it was seen last
   * @param busy why the node is not free for it, if it has not begun; empty if it is
   * @param before what came of the turn before
   */
  Result take(SeenRequest known, Optional<ActionHold> busy, List<Outcome> before) {
    ApiResult answer = api.get(RequestPaths.of(known.ref()));
    if (answer.isNotFound()) {
      return Result.gone();
    }
    if (!(answer instanceof Done(JsonNode object))) {
      return Result.trouble(known, "the remediation cannot be read", answer);
    }
    SeenRequest seen = SeenRequest.read(known.kind(), object);
    if (!seen.uid().equals(known.uid()) || !seen.node().equals(known.node())) {
      // Another of its name, whose node may be taken: its turn comes when that is considered.
      return new Result(seen, List.of(), Optional.of(Duration.ZERO), "", false, Optional.empty());
    }
    try {
      Step step = decide(seen, object, busy, before);
      return carryOut(seen, step);
    } catch (UnreadableException trouble) {
      return waiting(seen, trouble);
    }
  }

  /** A missing permission does not resolve itself, so the status reports it. */
  private Result waiting(SeenRequest seen, UnreadableException trouble) {
    String what = String.valueOf(trouble.getMessage());
    Result result = Result.trouble(seen, what, trouble.answer());
    RemediationProgress status = seen.status();
    if (!result.rightMissing()
        || status.phase().isTerminal()
        || seen.isWaiting()
        || !status.milestone().equals(Milestone.NONE)) { // an old definition keeps only the message
      return result;
    }
    RemediationProgress blocked =
        status.in(status.phase(), what + "; " + seen.kind().rightsAdvice(), clock.now());
    if (!blocked.equals(status) && term.isOn()) {
      ApiResult written = writes.status(seen.with(""), blocked);
      if (written instanceof Done(JsonNode body)) {
        return Result.trouble(SeenRequest.read(seen.kind(), body), what, trouble.answer());
      }
    }
    return result;
  }

  private Step decide(
      SeenRequest seen, JsonNode object, Optional<ActionHold> busy, List<Outcome> before)
      throws UnreadableException {
    Instant now = clock.now();
    ApiResult nodeAnswer = api.get(RequestPaths.node(seen.node()));
    JsonNode order = order(seen);
    if (nodeAnswer.isNotFound()) {
      return RemediationRules.withoutNode(seen.with(""), order, now);
    }
    if (!(nodeAnswer instanceof Done(JsonNode nodeObject))) {
      throw new UnreadableException("node " + seen.node(), nodeAnswer);
    }
    ObservedNode node = ObservedNode.read(nodeObject);
    RemediationReader.Reading reading = RemediationReader.read(seen.kind(), object);
    RemediationSpec spec = reading.spec().orElse(null);
    if (spec == null) {
      Situation<String, String> refused =
          new Situation<>(seen.with(""), node, order, "", before, now);
      return RemediationRules.refused(refused, reading.refusal());
    }
    KindRemediator<?, ?> remediator = KindRemediator.of(seen.kind(), hooks);
    return decide(remediator, spec, seen, node, order, busy, before, now);
  }

  /** That there is no such kind, or no right to read it, is the same as that there is none. */
  private JsonNode order(SeenRequest seen) throws UnreadableException {
    ApiResult answer = api.get(writes.orderPath(seen.node()));
    if (answer instanceof Done(JsonNode order)) {
      return order;
    }
    if (answer.isNotFound() || answer.isForbidden()) {
      return MissingNode.getInstance();
    }
    throw new UnreadableException("the order to node " + seen.node(), answer);
  }

  private <S extends RemediationSpec, O> Step decide(
      KindRemediator<S, O> remediator,
      RemediationSpec spec,
      SeenRequest seen,
      ObservedNode node,
      JsonNode order,
      Optional<ActionHold> busy,
      List<Outcome> before,
      Instant now)
      throws UnreadableException {
    RemediationRequest<S> request = seen.with(remediator.spec().cast(spec));
    Situation<S, Object> common =
        new Situation<>(request, node, order, uncordonJob(request, node), before, now);
    Optional<ActionHold> hold =
        seen.isWaiting() ? busy.or(() -> gate.hold(request, node, now)) : Optional.empty();
    Optional<Step> step = RemediationRules.common(common, hold);
    if (step.isPresent()) {
      return step.get();
    }
    O observed = remediator.reader().read(api, request, node);
    Situation<S, O> whole = new Situation<>(request, node, order, observed, before, now);
    if (!request.deleting()) {
      return remediator.decider().next(whole);
    }
    return remediator.decider().undo(whole).orElseGet(() -> RemediationRules.release(whole));
  }

  /** The Job that checks the node before it is uncordoned, if the remediation waits for one. */
  private Object uncordonJob(
      RemediationRequest<? extends RemediationSpec> request, ObservedNode node)
      throws UnreadableException {
    boolean waits =
        request.deleting()
            && request.uid().equals(node.annotations().get(Action.Cordon.MARK))
            && request.spec().uncordon().flatMap(UncordonSpec::job).isPresent();
    return waits
        ? HookReader.job(api, request, HookJob.uncordonName(request))
        : NoObservation.NOTHING;
  }

  private Result carryOut(SeenRequest read, Step step) {
    SeenRequest seen = read;
    boolean changed = !step.status().equals(read.status());
    if (changed) {
      if (!term.isOn()) { // whoever has lost the lead writes nothing more (ACT-9)
        return over(seen);
      }
      ApiResult written = writes.status(seen.with(""), step.status());
      if (!(written instanceof Done(JsonNode body))) {
        return new Result(
            seen,
            List.of(),
            Optional.empty(),
            "the status cannot be written: " + written.summary(),
            written instanceof Unanswered,
            written.requestedWait(),
            written.isMissingPermission());
      }
      seen = SeenRequest.read(read.kind(), body);
      finished(read.status(), step.status(), read);
    }
    List<Outcome> outcomes = new ArrayList<>();
    boolean allDone = true;
    for (Action action : step.actions()) {
      if (!term.isOn()) {
        return over(seen);
      }
      ApiResult result = writes.carryOut(action, seen.with(""));
      Outcome outcome = new Outcome(action, result);
      outcomes.add(outcome);
      log(seen, outcome);
      allDone &= outcome.isDone();
      if (!outcome.isDone() && !standsAlone(action)) {
        break;
      }
      seen = after(seen, action, result);
    }
    if (changed || allDone) {
      for (var notice : step.notices()) {
        events.publish(seen, notice);
      }
    }
    return result(seen, step, outcomes, allDone);
  }

  private static Result result(
      SeenRequest seen, Step step, List<Outcome> outcomes, boolean allDone) {
    Outcome last = outcomes.isEmpty() ? null : outcomes.getLast();
    if (last != null && !allDone && !standsAlone(last.action())) {
      return new Result(
          seen,
          outcomes,
          Optional.empty(),
          last.action().getClass().getSimpleName() + ": " + last.result().summary(),
          false,
          last.result().requestedWait(),
          last.result().isMissingPermission());
    }
    return new Result(seen, outcomes, step.again(), "", false, Optional.empty());
  }

  private static Result over(SeenRequest seen) {
    return new Result(
        seen, List.of(), Optional.empty(), "lost leadership", false, Optional.empty());
  }

  private static boolean standsAlone(Action action) {
    return action instanceof Action.Evict || action instanceof Action.DeletePod;
  }

  /** After a write to the remediation itself, its version has changed. */
  private static SeenRequest after(SeenRequest seen, Action action, ApiResult result) {
    return (action instanceof Action.AddFinalizer || action instanceof Action.RemoveFinalizer)
            && result instanceof Done(ObjectNode body)
            && body.has("metadata")
        ? SeenRequest.read(seen.kind(), body)
        : seen;
  }

  private void finished(RemediationProgress before, RemediationProgress now, SeenRequest request) {
    if (!before.phase().isTerminal() && now.phase().isTerminal()) {
      Instant start = now.startTime();
      Duration duration = start == null ? Duration.ZERO : Duration.between(start, clock.now());
      listener.finished(
          request.kind(),
          now.status("Succeeded").equals(Optional.of("True")),
          duration.isNegative() ? Duration.ZERO : duration);
    }
  }

  private void log(SeenRequest seen, Outcome outcome) {
    String action = outcome.action().getClass().getSimpleName();
    LOG.info(
        "remediation step finished remediation=\"{}\" node={} action={} result=\"{}\"",
        seen.ref(),
        seen.node(),
        action,
        outcome.result().summary());
    listener.acted(seen.kind(), action, outcome.isDone());
  }
}
