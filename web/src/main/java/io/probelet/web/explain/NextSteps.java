package io.probelet.web.explain;

import io.probelet.health.GoDuration;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.engine.ProbeSnapshot.Obstacle;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.explain.RestartForecast.Consequence;
import io.probelet.web.explain.RestartForecast.Held;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What happens next with a probe, in sentences: a pure function of its state. Times in them are
 * absolute, so that they change only when something does.
 */
final class NextSteps {
  private static final String STARTUP_DONE =
      "Succeeded: the container has started, and this instance is not probed again.";

  private final ProbeSnapshot probe;
  private final ContainerObservation container;
  private final Consequence consequence;
  private final List<String> sentences = new ArrayList<>();

  private NextSteps(ProbeSnapshot probe, ContainerObservation container, Consequence consequence) {
    this.probe = probe;
    this.container = container;
    this.consequence = consequence;
  }

  /**
   * {@return what happens next}
   *
   * @param probe how it is, with its newest outcome at least
   * @param container how its instance is
   * @param consequence what follows if it is a startup or liveness probe that fails
   */
  static List<String> of(
      ProbeSnapshot probe, ContainerObservation container, Consequence consequence) {
    return new NextSteps(probe, container, consequence).read();
  }

  private List<String> read() {
    boolean discarded =
        !probe.history().isEmpty() && probe.history().getLast().outcome() == Outcome.ERROR;
    if (discarded) {
      sentences.add("The last probe could not run and does not count.");
    }
    if (probe.obstacle() == Obstacle.NONE) {
      running();
    } else {
      waiting();
    }
    return sentences;
  }

  private void waiting() {
    ProbeSpec spec = probe.spec();
    switch (probe.obstacle()) {
      case NO_INSTANCE ->
          sentences.add("Waiting for an instance of the container; none has been seen yet.");
      case NOT_RUNNING -> {
        sentences.add("Waiting for the container to run.");
        if (backsOff()) {
          sentences.add(backOff());
        }
      }
      case POD_ENDING -> sentences.add("The pod is terminating and no longer probed.");
      case INITIAL_DELAY ->
          sentences.add(
              "Waiting for the initialDelay of " + GoDuration.format(spec.initialDelay()) + ".");
      case NOT_STARTED -> sentences.add("Waiting for the startup probe to succeed.");
      case STARTED -> sentences.add(STARTUP_DONE);
      case DECIDED -> decided();
      case NONE -> throw new IllegalStateException("nothing keeps it from probing");
    }
  }

  private void decided() {
    if (probe.result() == ProbeResult.SUCCESS) {
      sentences.add(STARTUP_DONE);
      return;
    }
    String failed = "Failed " + times(probe.spec().failureThreshold());
    FailureEffect effect = consequence.effect();
    if (container.running()) {
      sentences.add(failed + ", so " + effect.words() + ".");
    } else if (backsOff()) {
      sentences.add(failed + ", and was stopped.");
      sentences.add(backOff());
    } else {
      sentences.add(
          failed
              + ", and was stopped"
              + (effect == FailureEffect.STOP ? "; it is not started again." : "."));
    }
    if (effect != FailureEffect.STOP) {
      sentences.add("The next instance is probed again.");
    }
  }

  private boolean backsOff() {
    return container.nextStart() != null || container.reason().equals("CrashLoopBackOff");
  }

  private String backOff() {
    Instant next = container.nextStart();
    return "The container is in back-off and starts again "
        + (next == null ? "when the kubelet decides." : "at " + time(next) + ".");
  }

  private void running() {
    ProbeResult last = probe.lastOutcome();
    if (consequence.kept() != null && restarts() && last != ProbeResult.SUCCESS) {
      sentences.add(
          "Failed "
              + times(probe.spec().failureThreshold())
              + " at "
              + time(consequence.kept())
              + "; the restart was suppressed and the count was reset.");
    } else if (last == null) {
      sentences.add("This instance has not been probed yet.");
    }
    if (last == ProbeResult.FAILURE) {
      afterFailure();
    } else {
      afterSuccess(last == ProbeResult.SUCCESS ? probe.consecutive() : 0);
    }
  }

  private void afterFailure() {
    ProbeSpec spec = probe.spec();
    int missing = spec.failureThreshold() - probe.consecutive();
    if (restarts()) {
      // With nothing missing it is asked again whether to restart it: it was kept until now.
      then(failures(Math.max(1, missing), true));
      sentences.add(
          probe.kind() == ProbeKind.STARTUP
              ? "One success and it has started."
              : "One success resets the count.");
      return;
    }
    if (probe.result() == ProbeResult.SUCCESS) {
      sentences.add(failures(missing, true) + " in a row and it is no longer ready.");
    } else {
      sentences.add(successes(spec.successThreshold(), false) + " in a row and it is ready.");
    }
    if (probe.result() != ProbeResult.SUCCESS && !spec.recoveryTime().isZero()) {
      sentences.add(
          "If it was ready before, it must also succeed for "
              + GoDuration.format(spec.recoveryTime())
              + ".");
    }
  }

  private void afterSuccess(int successes) {
    ProbeSpec spec = probe.spec();
    int missing = Math.max(1, spec.successThreshold() - successes);
    Instant recovers = probe.recoversAt();
    if (recovers != null) {
      sentences.add(
          "It is ready at " + time(recovers) + " if no probe fails until then (recoveryTime).");
    } else if (probe.result() != ProbeResult.SUCCESS) {
      String become =
          switch (probe.kind()) {
            case STARTUP -> "it has started";
            case READINESS -> "it is ready";
            case LIVENESS -> "it is alive";
          };
      sentences.add(successes(missing, successes > 0) + " in a row and " + become + ".");
    }
    if (probe.result() == ProbeResult.SUCCESS || probe.kind() == ProbeKind.STARTUP) {
      String failures = failures(spec.failureThreshold(), false);
      if (restarts()) {
        then(failures);
      } else {
        sentences.add(failures + " in a row and it is no longer ready.");
      }
    }
  }

  private boolean restarts() {
    return probe.kind() != ProbeKind.READINESS;
  }

  /** What so many failures come to. */
  private void then(String failures) {
    FailureEffect effect = consequence.effect();
    if (consequence.held().isEmpty()) {
      sentences.add(failures + " in a row and " + effect.words() + consequence.unless() + ".");
      return;
    }
    Held held = consequence.held().get();
    sentences.add(failures + " in a row and " + effect.held() + ": " + held.why() + ".");
    if (held.until() != null) {
      sentences.add("On hold until " + time(held.until()) + " or earlier.");
    }
  }

  private static String time(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String failures(int count, boolean more) {
    return number(count) + (more ? " more" : "") + (count == 1 ? " failure" : " failures");
  }

  private static String successes(int count, boolean more) {
    return number(count) + (more ? " more" : "") + (count == 1 ? " success" : " successes");
  }

  private static String number(int count) {
    return switch (count) {
      case 1 -> "One";
      case 2 -> "Two";
      case 3 -> "Three";
      case 4 -> "Four";
      case 5 -> "Five";
      default -> Integer.toString(count);
    };
  }

  private static String times(int count) {
    return count == 1 ? "once" : count + " times in a row";
  }
}
