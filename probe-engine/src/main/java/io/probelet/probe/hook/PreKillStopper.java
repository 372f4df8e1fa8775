package io.probelet.probe.hook;

import io.probelet.health.GoDuration;
import io.probelet.health.Threads;
import io.probelet.probe.EnvExpansion;
import io.probelet.probe.EnvExpansion.TooLargeException;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.hook.PreKillListener.Report;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Runs a command in a container before it is stopped, so that a hang leaves a trace such as a dump
 * of its threads (D-24). The stop follows whatever comes of it. A retried stop does not run the
 * command again. A stop of a whole pod first waits for the commands in its other containers.
 */
public final class PreKillStopper implements ContainerStopper {
  /** Bytes that are kept of an output. */
  public static final int MAX_OUTPUT = 16 << 10;

  /** The longest delay of a stop. */
  public static final Duration LONGEST = Duration.ofSeconds(10);

  /** Beyond the timeout of the command itself, for a runtime that answers late. */
  private static final Duration LEEWAY = Duration.ofSeconds(2);

  private final ContainerStopper next;
  private final ContainerRuntime runtime;
  private final PreKillListener listener;
  private final Threads threads;
  private final Duration leeway;
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final Map<String, Running> running = new ConcurrentHashMap<>();

  /** A command in a container of a pod. */
  private record Running(PodRef pod, CompletableFuture<Void> over) {}

  /**
   * Creates a stopper.
   *
   * @param next stops the container
   * @param runtime runs the command
   * @param listener takes what comes of it
   * @param threads where the command is waited for
   */
  public PreKillStopper(
      ContainerStopper next, ContainerRuntime runtime, PreKillListener listener, Threads threads) {
    this(next, runtime, listener, threads, LEEWAY);
  }

  PreKillStopper(
      ContainerStopper next,
      ContainerRuntime runtime,
      PreKillListener listener,
      Threads threads,
      Duration leeway) {
    this.next = next;
    this.runtime = runtime;
    this.listener = listener;
    this.threads = threads;
    this.leeway = leeway;
  }

  @Override
  public void stop(RestartDecision decision)
      throws ContainerRuntimeException, InterruptedException {
    if (!decision.preKill().isEmpty() && asked.add(decision.containerId())) {
      runFirst(decision);
    }
    if (decision.restartsPod()) {
      awaitOthers(decision.subject().pod());
    }
    next.stop(decision);
    asked.remove(decision.containerId());
  }

  private void runFirst(RestartDecision decision) throws InterruptedException {
    CompletableFuture<Void> over = new CompletableFuture<>();
    running.put(decision.containerId(), new Running(decision.subject().pod(), over));
    try {
      listener.ended(decision, bounded(decision));
    } finally {
      running.remove(decision.containerId());
      over.complete(null);
    }
  }

  /** Each of them ends by itself after {@link #LONGEST}. */
  private void awaitOthers(PodRef pod) throws InterruptedException {
    for (Running each : running.values()) {
      if (each.pod().equals(pod)) {
        try {
          each.over().get();
        } catch (ExecutionException impossible) {
          throw new AssertionError("a command's end is never exceptional", impossible);
        }
      }
    }
  }

  /** A command may wait for a slot of its runtime; the stop does not wait for it that long. */
  private Report bounded(RestartDecision decision) throws InterruptedException {
    CompletableFuture<Report> report = new CompletableFuture<>();
    Thread command = threads.ofVirtual().name("pre-kill").start(() -> run(decision, report));
    try {
      return threads.get(report, LONGEST.plus(leeway));
    } catch (TimeoutException late) {
      return timedOut("");
    } catch (ExecutionException failed) {
      return new Report("failed: " + failed.getCause(), "");
    } finally {
      command.interrupt();
    }
  }

  private void run(RestartDecision decision, CompletableFuture<Report> report) {
    try {
      report.complete(run(decision));
    } catch (Throwable failed) { // the stop must not wait for a report that never comes
      report.completeExceptionally(failed);
    }
  }

  private Report run(RestartDecision decision) throws InterruptedException {
    try {
      if (!runtime.runs(decision.containerId())) {
        return new Report("not run: the container has ended", "");
      }
      List<String> command =
          EnvExpansion.expand(decision.preKill(), decision.target().container().env());
      ExecResult result =
          runtime.exec(
              decision.subject().pod(), decision.containerId(), command, LONGEST, MAX_OUTPUT);
      return switch (result) {
        case ExecResult.Exited(int code, String output) -> new Report("exit code " + code, output);
        case ExecResult.TimedOut(String output) -> timedOut(output);
        case ExecResult.Displaced ignored ->
            new Report("killed, because other pods waited for its slot", "");
      };
    } catch (TooLargeException tooLarge) {
      return new Report("not run: " + tooLarge.text(), "");
    } catch (ContainerRuntimeException unable) {
      return new Report("failed: " + unable.getMessage(), "");
    }
  }

  private static Report timedOut(String output) {
    return new Report("timed out after " + GoDuration.format(LONGEST), output);
  }
}
