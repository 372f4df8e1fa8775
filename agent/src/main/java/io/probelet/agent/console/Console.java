package io.probelet.agent.console;

import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
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
 * Logs what happens to containers, one line per change: {@code web/nginx readiness failed 2/3:
 * connection refused}. Failures are logged up to their threshold and then once a minute; at level
 * DEBUG every probe is logged.
 */
public final class Console implements ProbeListener {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);
  private static final long REMINDER_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int LONGEST_TEXT = 300;

  private final TimeSource time;
  private final RepeatLimit reminders;
  private final Map<ProbeSubject, Trouble> troubles = new ConcurrentHashMap<>();

  /** A run of failures; touched on its probe's loop only. */
  private static final class Trouble {
    private int failures;
    private long loggedNanos;
  }

  private record Repeated(ProbeSubject subject, String what) {}

  /**
   * Creates a console that has said nothing yet.
   *
   * @param time the clocks to go by
   */
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
    Trouble trouble = troubles.get(probe.subject());
    switch (probe.outcome().verdict()) {
      case Verdict.Success _ -> {
        if (trouble != null) {
          recovering(probe, trouble);
        }
      }
      case Verdict.Warning warning -> {
        if (trouble != null) {
          recovering(probe, trouble);
        }
        limited(new Repeated(probe.subject(), "warning"), probe, "warning", warning.output());
      }
      case Verdict.Failure failure -> failed(probe, failure.message());
      case Verdict.ProberError error -> notProbed(probe, error);
    }
  }

  private void recovering(Probed probe, Trouble trouble) {
    boolean decided = probe.consecutive() >= probe.threshold();
    String after = " after " + trouble.failures + (trouble.failures > 1 ? " failures" : " failure");
    say(
        Level.INFO,
        probe.subject(),
        decided ? "ok again" + after : "ok " + probe.consecutive() + "/" + probe.threshold());
    if (decided) {
      troubles.remove(probe.subject());
    }
  }

  private void failed(Probed probe, String message) {
    Trouble trouble = troubles.computeIfAbsent(probe.subject(), _ -> new Trouble());
    trouble.failures = probe.consecutive();
    if (probe.consecutive() <= probe.threshold()) {
      trouble.loggedNanos = time.nanoTime();
      say(
          Level.WARN,
          probe.subject(),
          "failed " + probe.consecutive() + "/" + probe.threshold() + reason(message));
    } else if (time.nanoTime() - trouble.loggedNanos >= REMINDER_NANOS) {
      trouble.loggedNanos = time.nanoTime();
      say(
          Level.WARN,
          probe.subject(),
          "still failing, " + probe.consecutive() + " in a row" + reason(message));
    }
  }

  private void notProbed(Probed probe, Verdict.ProberError error) {
    String what = "could not be probed (" + error.reason().label() + ")";
    switch (error.reason()) {
      case STALLED -> {} // logged for the agent as a whole, by StallLog
      // This befalls the agent as a whole, and then every probe it makes.
      case LOCAL_SHORTAGE, COLD_START -> limited(what, probe, what, error.message());
      case BAD_TARGET, RUNTIME, INCOMPLETE_ANSWER, INTERNAL, POD_BUDGET, NODE_BUDGET ->
          limited(new Repeated(probe.subject(), what), probe, what, error.message());
    }
  }

  private void limited(Object key, Probed probe, String what, String message) {
    reminders
        .due(key)
        .ifPresent(heldBack -> {
          String more = heldBack > 0 ? " (and " + heldBack + " more since the last)" : "";
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
    say(
        Level.WARN,
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
    say(
        Level.WARN,
        decision.subject().pod(),
        decision.subject().container(),
        "could not be stopped, next attempt in " + retryAfter.toSeconds() + "s" + reason(why));
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    List<String> news =
        before == null ? ContainerLog.first(now) : ContainerLog.between(before, now);
    for (String each : news) {
      say(Level.INFO, now.pod(), now.name(), each);
    }
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    troubles.remove(subject);
    reminders.forget(
        what -> what instanceof Repeated repeated && repeated.subject().equals(subject));
  }

  @Override
  public void podRemoved(PodRef pod) {
    say(about(Level.INFO, pod), label(pod) + " removed");
  }

  private static void say(Level level, ProbeSubject subject, String what) {
    String kind = subject.kind().label().toLowerCase(Locale.ROOT);
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

  /** What a target says, on one line and without what would move a terminal's cursor. */
  private static String reason(String text) {
    String line = OneLine.of(text, LONGEST_TEXT);
    return line.isEmpty() ? "" : ": " + line;
  }
}
