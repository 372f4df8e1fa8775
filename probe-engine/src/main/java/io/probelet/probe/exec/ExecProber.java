package io.probelet.probe.exec;

import io.probelet.health.GoDuration;
import io.probelet.health.ShortText;
import io.probelet.probe.EnvExpansion;
import io.probelet.probe.EnvExpansion.TooLargeException;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.ProberError;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.ExecResult.Displaced;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.ExecResult.TimedOut;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs a command in the container and decides by how it ended (H-9). */
public final class ExecProber implements Prober<Exec> {
  /**
   * The runtime enforces the timeout. A command without result this much later, queueing included,
   * is a prober error, which says nothing about the container.
   */
  static final Duration RUNTIME_GRACE = Duration.ofSeconds(10);

  /** Characters of a command that a message has room for. */
  private static final int MAX_SHOWN = 256;

  private final ProbeLoop loop;
  private final ExecutorService blocking;
  private final ContainerRuntime runtime;

  /**
   * Creates a prober for one loop.
   *
   * @param loop where outcomes come back
   * @param blocking runs the blocking calls, one virtual thread each
   * @param runtime runs the commands
   */
  public ExecProber(ProbeLoop loop, ExecutorService blocking, ContainerRuntime runtime) {
    this.loop = loop;
    this.blocking = blocking;
    this.runtime = runtime;
  }

  @Override
  public void probe(
      Exec handler, ProbeTarget target, Duration timeout, Consumer<ProbeOutcome> done) {
    Attempt attempt = new Attempt(loop.time().nanoTime(), done);
    List<String> command;
    try {
      command = EnvExpansion.expand(handler.command(), target.container().env());
    } catch (TooLargeException tooLarge) { // no kernel would start it, so it decides nothing
      attempt.end(new ProberError(Verdict.Reason.BAD_TARGET, tooLarge.text()));
      return;
    }
    Future<?> call =
        blocking.submit(() -> {
          Verdict verdict = run(target, handler.command(), command, timeout);
          loop.execute(() -> attempt.end(verdict));
        });
    ProbeLoop.Timer patience =
        loop.schedule(
            timeout.plus(RUNTIME_GRACE).toNanos(),
            () -> {
              call.cancel(true);
              attempt.end(
                  new ProberError(
                      Verdict.Reason.RUNTIME,
                      "the command, including its wait for a slot, had no result within "
                          + GoDuration.format(timeout.plus(RUNTIME_GRACE))));
            });
    attempt.patience = patience;
  }

  private Verdict run(
      ProbeTarget target, List<String> asWritten, List<String> command, Duration timeout) {
    try {
      ExecResult result =
          runtime.exec(target.pod(), target.containerId(), command, timeout, Verdict.OUTPUT_LIMIT);
      return switch (result) {
        case Exited(int exitCode, String output) when exitCode == 0 -> new Success(output);
        case Exited(int exitCode, String output) when output.isBlank() ->
            new Failure("command exited with code " + exitCode, true, Cause.EXIT_CODE, exitCode);
        case Exited(int exitCode, String output) ->
            new Failure(output, true, Cause.EXIT_CODE, exitCode);
        case TimedOut ignored ->
            Failure.indefinite(
                    "command timed out: \"%s\" timed out after %s"
                        .formatted(shown(asWritten), GoDuration.format(timeout)))
                .by(Cause.TIMEOUT);
        case Displaced(Duration held) -> // W-22: it might still have succeeded
            new ProberError(
                Verdict.Reason.NODE_BUDGET,
                "command killed after %s of %s, because other pods waited for its slot"
                    .formatted(GoDuration.format(held), GoDuration.format(timeout)));
      };
    } catch (ContainerRuntimeException unable) {
      return new ProberError(Verdict.Reason.RUNTIME, String.valueOf(unable.getMessage()));
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
      return new ProberError(Verdict.Reason.RUNTIME, "the runtime is unresponsive");
    } catch (Throwable bug) { // W-11: the caller must always get an outcome
      return new ProberError(Verdict.Reason.INTERNAL, "exec failed: " + bug);
    }
  }

  /** As its author wrote it: what variables make of it may be a secret. */
  private static String shown(List<String> command) {
    return ShortText.of(String.join(" ", command), MAX_SHOWN)
        .replaceAll("\\p{Cntrl}", " ")
        .replace("\\", "\\\\")
        .replace("\"", "\\\"");
  }

  /** One call; ends once, by its answer or by our patience. */
  private final class Attempt {
    private final long started;
    private final Consumer<ProbeOutcome> done;
    private ProbeLoop.Timer patience = () -> {};
    private boolean over;

    Attempt(long started, Consumer<ProbeOutcome> done) {
      this.started = started;
      this.done = done;
    }

    void end(Verdict verdict) {
      if (!over) {
        over = true;
        patience.cancel();
        done.accept(new ProbeOutcome(verdict, ProbeTimings.of(loop.time().nanoTime() - started)));
      }
    }
  }
}
