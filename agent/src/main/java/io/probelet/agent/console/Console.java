package io.probelet.agent.console;

import io.probelet.health.LineLimit;
import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs one line per change of a container: {@code web/nginx readiness failed 2/3: connection
 * refused}. Failures are logged up to the threshold and then at growing intervals; level DEBUG logs
 * every probe. The number of lines per probe and container is limited (L-1).
 */
public final class Console implements ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);

  /** Burst of lines about the states of one container, followed by one line per minute. */
  static final int CONTAINER_BURST = 20;

  private static final int LONGEST_TEXT = 300;

  private final TimeSource time;
  private final RepeatLimit reminders;

  /** Each entry is used only on its probe's loop. */
  private final Map<ProbeSubject, FailureStreak> streaks = new ConcurrentHashMap<>();

  /** Each entry is used only on its pod's loop. */
  private final Map<Container, LineLimit> containers = new ConcurrentHashMap<>();

  /** Terminations have their own limit, which a flapping probe cannot exhaust. */
  private record Container(PodRef pod, String name, boolean ends) {}

  private record Repeated(ProbeSubject subject, String what) {}

  /** Creates a console without history. */
  public Console(TimeSource time) {
    this.time = time;
    reminders = new RepeatLimit(time);
  }

  @Override
  public void probed(Probed probe) {
    if (LOG.isDebugEnabled()) {
      say(Level.DEBUG, probe.subject(), everyProbe(probe));
      return;
    }
    switch (probe.outcome().verdict()) {
      case Verdict.Success _ -> succeeded(probe);
      case Verdict.Warning warning -> {
        succeeded(probe);
        limited(new Repeated(probe.subject(), "warning"), probe, "warning", warning.output());
      }
      case Verdict.Failure failure -> failed(probe, failure.message());
      case Verdict.ProberError error -> notProbed(probe, error);
    }
  }

  private void succeeded(Probed probe) {
    FailureStreak streak = streaks.get(probe.subject());
    if (streak != null) {
      streak
          .succeeded(probe.consecutive(), probe.threshold(), time.nanoTime())
          .ifPresent(line -> say(Level.INFO, probe.subject(), line));
    }
  }

  private void failed(Probed probe, String message) {
    long now = time.nanoTime();
    streaks
        .computeIfAbsent(probe.subject(), _ -> new FailureStreak(now))
        .failed(probe.containerId(), probe.consecutive(), probe.threshold(), now)
        .ifPresent(line -> say(Level.WARN, probe.subject(), line + reason(message)));
  }

  private void notProbed(Probed probe, Verdict.ProberError error) {
    String what = "could not be probed (" + error.reason().label() + ")";
    switch (error.reason()) {
      case STALLED -> {} // StallLog logs it once for the whole agent
      // affects the whole agent, so one limit covers all probes
      case LOCAL_SHORTAGE, COLD_START -> limited(what, probe, what, error.message());
      case BAD_TARGET, RUNTIME, INCOMPLETE_ANSWER, INTERNAL, POD_BUDGET, NODE_BUDGET ->
          limited(new Repeated(probe.subject(), what), probe, what, error.message());
    }
  }

  private void limited(Object key, Probed probe, String what, String message) {
    reminders
        .due(key)
        .ifPresent(heldBack -> {
          String more = heldBack > 0 ? " (and " + heldBack + " more since the last line)" : "";
          say(Level.WARN, probe.subject(), what + more + reason(message));
        });
  }

  private static String everyProbe(Probed probe) {
    String count = " " + probe.consecutive() + "/" + probe.threshold();
    String took = String.format(Locale.ROOT, " in %.2fms", probe.duration().toNanos() / 1e6);
    Verdict verdict = probe.outcome().verdict();
    return switch (verdict) {
          case Verdict.Success _ -> "ok" + count + took;
          case Verdict.Warning _ -> "warning" + count + took;
          case Verdict.Failure _ -> "failed" + count + took;
          case Verdict.ProberError error ->
              "could not be probed (" + error.reason().label() + ")" + took;
        }
        + reason(verdict.text());
  }

  @Override
  public void discarded(Discarded discarded) {
    if (discarded.first()) {
      say(
          Level.WARN,
          discarded.subject(),
          "held back (" + discarded.reason().label() + ")" + reason(discarded.message()));
    }
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    decided(
        restart(decision)
            .addKeyValue("reason", decision.event().reason())
            .addKeyValue("grace_seconds", decision.grace().toSeconds()),
        decision.subject().pod(),
        decision.subject().container(),
        decision.event().reason().toLowerCase(Locale.ROOT)
            + ", grace "
            + decision.grace().toSeconds()
            + "s: "
            + decision.event().message()
            + reason(decision.message()));
  }

  @Override
  public void stopFailed(RestartDecision decision, String why, Duration retryAfter) {
    decided(
        restart(decision)
            .addKeyValue("reason", reasonText(why))
            .addKeyValue("retry_seconds", retryAfter.toSeconds()),
        decision.subject().pod(),
        decision.subject().container(),
        "could not be stopped, next attempt in " + retryAfter.toSeconds() + "s" + reason(why));
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    List<String> news =
        before == null ? ContainerLog.first(now) : ContainerLog.between(before, now);
    if (news.isEmpty()) {
      return;
    }
    boolean ends = now.observation().state() == ContainerObservation.State.TERMINATED;
    long nanos = time.nanoTime();
    LineLimit lines =
        containers.computeIfAbsent(
            new Container(now.pod(), now.name(), ends),
            _ -> new LineLimit(CONTAINER_BURST, FailureStreak.REFILL, nanos));
    for (String each : news) {
      lines
          .allow(nanos)
          .ifPresent(leftOut -> {
            String line = each + FailureStreak.leftOut(leftOut);
            if (ends) {
              decided(
                  about(Level.INFO, now.pod()).addKeyValue("container", now.name()),
                  now.pod(),
                  now.name(),
                  line);
            } else {
              say(Level.INFO, now.pod(), now.name(), line);
            }
          });
    }
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    streaks.remove(subject);
    reminders.forget(
        what -> what instanceof Repeated repeated && repeated.subject().equals(subject));
  }

  @Override
  public void podRemoved(PodRef pod) {
    containers.keySet().removeIf(container -> container.pod().equals(pod));
    say(about(Level.INFO, pod).addMarker(RestartDecision.LOG_MARKER), label(pod) + " removed");
  }

  private static void say(Level level, ProbeSubject subject, String what) {
    String kind = kind(subject);
    say(
        about(level, subject.pod())
            .addKeyValue("container", subject.container())
            .addKeyValue("probe", kind),
        label(subject.pod()) + "/" + subject.container() + " " + kind + " " + what);
  }

  private static void say(Level level, PodRef pod, String container, String what) {
    say(
        about(level, pod).addKeyValue("container", container),
        label(pod) + "/" + container + " " + what);
  }

  /** Logs a restart or a termination, which the limit of lines per pod never suppresses. */
  private static void decided(LoggingEventBuilder line, PodRef pod, String container, String what) {
    say(line.addMarker(RestartDecision.LOG_MARKER), label(pod) + "/" + container + " " + what);
  }

  private static LoggingEventBuilder restart(RestartDecision decision) {
    return about(Level.WARN, decision.subject().pod())
        .addKeyValue("container", decision.subject().container())
        .addKeyValue("probe", kind(decision.subject()));
  }

  private static String kind(ProbeSubject subject) {
    return subject.kind().label().toLowerCase(Locale.ROOT);
  }

  private static void say(LoggingEventBuilder line, String text) {
    line.log(text);
  }

  private static LoggingEventBuilder about(Level level, PodRef pod) {
    return LOG.atLevel(level)
        .addKeyValue("namespace", pod.namespace())
        .addKeyValue("pod", pod.name())
        .addKeyValue("pod_uid", pod.uid());
  }

  private static String label(PodRef pod) {
    return pod.namespace().equals("default") ? pod.name() : pod.toString();
  }

  private static String reason(String text) {
    String line = reasonText(text);
    return line.isEmpty() ? "" : ": " + line;
  }

  /** Text from a target, on one line and without control characters. */
  private static String reasonText(String text) {
    return OneLine.of(text, LONGEST_TEXT);
  }
}
