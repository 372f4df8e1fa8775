package io.probelet.web.events;

import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.api.RecentEvent;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.events.EventLog.Entry;
import io.probelet.web.events.EventLog.Subject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Records what happens to containers when it happens, once for each streak of failures (L-2). */
public final class RecentEvents implements ProbeListener {
  private final TimeSource time;
  private final EventLog log;
  private final Instant begun;

  /** Each is touched on its probe's loop only. */
  private final Map<ProbeSubject, Streak> streaks = new ConcurrentHashMap<>();

  /** Failures of one probe without a recovery between them. */
  private static final class Streak {
    private @Nullable Entry failed;
    private @Nullable Entry error;
    private @Nullable Entry decided;
    private String decidedId = "";
    private long failures;
    private long beganNanos;
  }

  /** Creates an empty record. */
  public RecentEvents(TimeSource time) {
    this.time = time;
    log = new EventLog(time);
    begun = time.wallTime();
  }

  /**
   * {@return the events that happened last, oldest first by when they happened first}
   *
   * @param wanted how many at most
   */
  public List<RecentEvent> newest(int wanted) {
    return log.newest(wanted);
  }

  /**
   * Records an event of the agent itself.
   *
   * @param reason one word in UpperCamelCase
   */
  public void agent(String reason, String message) {
    log.record(Subject.AGENT, reason, message);
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    switch (probe.outcome().verdict()) {
      case Verdict.Success _, Verdict.Warning _ -> {
        Streak streak = streaks.get(subject);
        if (streak != null && probe.consecutive() >= probe.threshold()) {
          recovered(subject, streak);
        }
      }
      case Verdict.Failure failure -> failed(probe, failure.message());
      case Verdict.ProberError error -> {
        Streak streak = streak(subject);
        String message = error.reason().label() + ": " + error.message();
        if (streak.error == null) {
          streak.error = log.record(about(subject), "ProbeError", message);
        } else {
          log.again(streak.error, message);
        }
      }
    }
  }

  private Streak streak(ProbeSubject subject) {
    return streaks.computeIfAbsent(
        subject,
        _ -> {
          Streak begins = new Streak();
          begins.beganNanos = time.nanoTime();
          return begins;
        });
  }

  private void failed(Probed probe, String message) {
    Streak streak = streak(probe.subject());
    Subject about = about(probe.subject());
    streak.failures++;
    if (streak.failed == null) {
      streak.failed = log.record(about, "ProbeFailed", message);
    } else {
      log.again(streak.failed, message);
    }
    if (probe.consecutive() != probe.threshold()) {
      return;
    }
    String reached = probe.threshold() + " failures in a row: " + message;
    if (streak.decided != null && streak.decidedId.equals(probe.containerId())) {
      log.again(streak.decided, reached); // on hold: the count began again
    } else {
      streak.decided = log.record(about, "ProbeThresholdReached", reached);
      streak.decidedId = probe.containerId();
    }
  }

  private void recovered(ProbeSubject subject, Streak streak) {
    streaks.remove(subject);
    Duration lasted = Duration.ofNanos(time.nanoTime() - streak.beganNanos);
    String after =
        streak.failures == 0
            ? "succeeded after errors"
            : "succeeded after "
                + streak.failures
                + (streak.failures > 1 ? " failures" : " failure");
    log.record(about(subject), "ProbeRecovered", after + " in " + lasted.toSeconds() + "s");
  }

  @Override
  public void discarded(Discarded discarded) {
    if (discarded.first()) {
      log.record(about(discarded.subject()), "ProbesHeldBack", discarded.message());
    }
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    ProbeEvent event = decision.event();
    log.record(container(decision), event.reason(), event.message() + ": " + decision.message());
  }

  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    boolean kills = decision.event().reason().equals(ProbeEvent.KILLING);
    log.record(container(decision), kills ? "FailedKillPod" : "FailedEviction", why);
  }

  /**
   * Records that a container is kept though a probe would have stopped it, or no longer.
   *
   * @param decision which and why it was to be stopped
   * @param reason one word in UpperCamelCase
   */
  public void kept(RestartDecision decision, String reason, String message) {
    log.record(container(decision), reason, message);
  }

  /**
   * Records why a container was stopped.
   *
   * @param pod its pod
   * @param container its name
   * @param cause in one or two sentences
   */
  public void cause(PodRef pod, String container, String cause) {
    log.record(new Subject(pod.namespace(), pod.name(), container, ""), "RestartCause", cause);
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    ContainerObservation is = now.observation();
    ContainerObservation was = before == null ? null : before.observation();
    boolean another = was == null || was.state() != is.state() || !was.id().equals(is.id());
    Subject about = new Subject(now.pod().namespace(), now.pod().name(), now.name(), "");
    switch (is.state()) {
      case RUNNING -> {
        Instant startedAt = is.startedAt();
        if (another && startedAt != null && !startedAt.isBefore(begun)) {
          String which = is.restartCount() > 0 ? "restart " + is.restartCount() : "first start";
          log.record(about, "ContainerStarted", startedAt, which);
        }
      }
      case TERMINATED -> {
        if (another && was != null) { // else it ended before the agent began
          log.record(about, "ContainerExited", ended(is));
        }
      }
      case WAITING -> {
        boolean known =
            was != null && was.state() == State.WAITING && was.reason().equals(is.reason());
        if (!is.reason().isEmpty() && !known) {
          Instant next = is.nextStart();
          log.record(
              about,
              "ContainerWaiting",
              is.reason() + (next == null ? "" : ", next start at " + Rfc3339.text(next)));
        }
      }
    }
  }

  private static String ended(ContainerObservation is) {
    int signal = new Termination(is.exitCode(), 0, is.reason(), "", null).signal();
    return "exited with code "
        + is.exitCode()
        + (signal > 0 ? ", as signal " + signal + " does" : "")
        + (is.reason().isEmpty() ? "" : " (" + is.reason() + ")");
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    streaks.remove(subject);
  }

  @Override
  public void podRemoved(PodRef pod) {
    log.record(new Subject(pod.namespace(), pod.name(), "", ""), "PodRemoved", "no longer probed");
  }

  private static Subject container(RestartDecision decision) {
    return new Subject(
        decision.subject().pod().namespace(),
        decision.subject().pod().name(),
        decision.subject().container(),
        "");
  }

  private static Subject about(ProbeSubject subject) {
    return new Subject(
        subject.pod().namespace(),
        subject.pod().name(),
        subject.container(),
        subject.kind().label().toLowerCase(Locale.ROOT));
  }
}
