package io.probelet.probe.hook;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.PodRef;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.Prober;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.Faults;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.http.HttpProber;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.SystemNames;
import io.probelet.probe.net.TlsContexts;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult.Displaced;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.ExecResult.TimedOut;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Carries out preStop hooks (D-7), each until it ends or its time is over. Methods may be called
 * from any thread.
 */
public final class HookRunner {
  private final ProbeLoop loop;
  private final ExecutorService blocking;
  private final Prober<HttpGet> http;
  private final HookLimits limits;

  // Touched on the loop only.
  private final Map<PodRef, Integer> underWay = new HashMap<>();
  private int all;

  /**
   * Creates a runner.
   *
   * @param loop keeps the time
   * @param blocking runs the blocking calls, one virtual thread each
   * @param http sends requests, on the same loop
   * @param limits how many hooks may be under way
   */
  public HookRunner(
      ProbeLoop loop, ExecutorService blocking, Prober<HttpGet> http, HookLimits limits) {
    this.loop = loop;
    this.blocking = blocking;
    this.http = http;
    this.limits = limits;
  }

  /**
   * Creates a runner with a prober of its own.
   *
   * @param loop where requests live; closed by its owner
   * @param userAgent what requests call themselves
   * @param limits how many hooks may be under way
   * @return a runner that needs no closing
   */
  public static HookRunner on(NetLoop loop, String userAgent, HookLimits limits) {
    Dialer dialer = new Dialer(loop, new SystemNames(), new TlsContexts(loop.time()));
    return new HookRunner(
        loop.probeLoop(),
        Executors.newThreadPerTaskExecutor(
            loop.time().threads().ofVirtual().name("hook-", 0).factory()),
        new HttpProber(dialer, userAgent),
        limits);
  }

  /**
   * Carries out a hook.
   *
   * @param hook what to do
   * @param target the container it belongs to
   * @param within after which it is ended, greater than zero
   * @param commands runs commands in the container
   * @return how it ended; never exceptional
   */
  public CompletableFuture<HookEnd> run(
      PreStopHook hook, ProbeTarget target, Duration within, HookCommand commands) {
    CompletableFuture<HookEnd> end = new CompletableFuture<>();
    loop.execute(() -> {
      if (begin(target.pod(), end)) {
        begun(hook, target, within, commands, end);
      }
    });
    return end;
  }

  private boolean begin(PodRef pod, CompletableFuture<HookEnd> end) {
    int ofPod = underWay.getOrDefault(pod, 0);
    if (ofPod >= limits.pod() || all >= limits.node()) {
      end.complete(
          new HookEnd.Failed(
              ofPod >= limits.pod()
                  ? "the pod already runs %d hooks, the maximum".formatted(ofPod)
                  : "the node already runs %d hooks, the maximum".formatted(all)));
      return false;
    }
    all++;
    underWay.put(pod, ofPod + 1);
    var unused = end.thenRun(() -> loop.execute(() -> ended(pod)));
    return true;
  }

  private void ended(PodRef pod) {
    all--;
    underWay.computeIfPresent(pod, (key, count) -> count > 1 ? count - 1 : null);
  }

  private void begun(
      PreStopHook hook,
      ProbeTarget target,
      Duration within,
      HookCommand commands,
      CompletableFuture<HookEnd> end) {
    switch (hook) {
      case PreStopHook.Exec(List<String> command) -> {
        Future<?> call =
            blocking.submit(
                () -> end.complete(exec(target.containerId(), command, within, commands)));
        var unused = end.thenRun(() -> call.cancel(true));
      }
      case PreStopHook.Request(HttpGet request) -> request(request, target, within, end);
      case PreStopHook.Sleep(Duration duration) ->
          schedule(duration, end, () -> end.complete(new HookEnd.Done()));
      case PreStopHook.Refused(String why) -> end.complete(new HookEnd.Failed(why));
    }
    if (!end.isDone()) { // after a sleep that takes as long: that one is done
      schedule(within, end, () -> end.complete(new HookEnd.OutOfTime()));
    }
  }

  private void schedule(Duration delay, CompletableFuture<HookEnd> end, Runnable task) {
    ProbeLoop.Timer timer = loop.schedule(delay.toNanos(), task);
    var unused = end.thenRun(() -> loop.execute(timer::cancel));
  }

  private static HookEnd exec(
      String containerId, List<String> command, Duration within, HookCommand commands) {
    try {
      return switch (commands.run(containerId, command, within)) {
        case Exited(int exitCode, String ignored) when exitCode == 0 -> new HookEnd.Done();
        case Exited(int exitCode, String ignored) ->
            new HookEnd.Failed("command exited with code " + exitCode);
        case TimedOut ignored -> new HookEnd.OutOfTime();
        case Displaced ignored -> new HookEnd.Failed("command killed in favor of another pod's");
      };
    } catch (ContainerRuntimeException unable) {
      return new HookEnd.Failed(String.valueOf(unable.getMessage()));
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
      return new HookEnd.OutOfTime();
    } catch (Throwable bug) { // the caller must always get an end
      return new HookEnd.Failed("hook failed: " + bug);
    }
  }

  /**
   * Redirects are followed as a probe's are, and not charged to the pod (W-13): a stop sends ten
   * requests at most, and the next one comes after a back-off.
   */
  private void request(
      HttpGet wanted, ProbeTarget target, Duration within, CompletableFuture<HookEnd> end) {
    HttpGet request = wanted.with(HttpExpectation.ANY_ANSWER);
    ProbeTarget uncharged =
        new ProbeTarget(target.pod(), target.container(), target.containerId(), target.podIp());
    try {
      http.probe(request, uncharged, within, outcome -> end.complete(end(outcome.verdict())));
    } catch (Throwable bug) { // the caller must always get an end
      Faults.rethrowIfFatal(bug);
      end.complete(new HookEnd.Failed("hook failed: " + bug));
    }
  }

  private static HookEnd end(Verdict verdict) {
    return verdict.healthy() ? new HookEnd.Done() : new HookEnd.Failed(verdict.text());
  }
}
