package io.probelet.probe.hook;

import io.probelet.health.TimeSource;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops containers of a runtime without hooks: runs the preStop hook first, and then gives the
 * container the rest of its grace period, at least {@link #MIN_GRACE} (D-7). A retried stop does
 * not run the hook again.
 */
public final class PreStopStopper implements ContainerStopper {
  /** What a container has between TERM and KILL whatever came before, as the kubelet gives it. */
  public static final Duration MIN_GRACE = Duration.ofSeconds(2);

  private static final Logger LOG = LoggerFactory.getLogger(PreStopStopper.class);

  private final ContainerRuntime runtime;
  private final HookRunner hooks;
  private final TimeSource time;
  private final BiConsumer<RestartDecision, String> failed;

  /** When the grace of containers is over that have been stopped, but have not ended yet. */
  private final Map<String, Long> deadlines = new ConcurrentHashMap<>();

  /**
   * Creates a stopper.
   *
   * @param runtime where the containers are
   * @param hooks carries out the hooks
   * @param time measures what a hook took
   * @param failed notified of each hook that failed, and why
   */
  public PreStopStopper(
      ContainerRuntime runtime,
      HookRunner hooks,
      TimeSource time,
      BiConsumer<RestartDecision, String> failed) {
    this.runtime = runtime;
    this.hooks = hooks;
    this.time = time;
    this.failed = failed;
  }

  /**
   * {@return the grace period, or the least there is}
   *
   * @param grace of any length
   */
  public static Duration least(Duration grace) {
    return grace.compareTo(MIN_GRACE) < 0 ? MIN_GRACE : grace;
  }

  @Override
  public void stop(RestartDecision decision)
      throws ContainerRuntimeException, InterruptedException {
    PreStopHook hook = decision.target().container().preStop();
    Duration grace = decision.grace();
    if (hook != null && grace.isPositive()) {
      grace = afterHook(hook, decision);
    }
    runtime.stop(decision.containerId(), least(grace));
    deadlines.remove(decision.containerId());
  }

  /** Runs the hook once, and returns the rest of the grace period. */
  private Duration afterHook(PreStopHook hook, RestartDecision decision)
      throws ContainerRuntimeException, InterruptedException {
    String id = decision.containerId();
    Long earlier = deadlines.get(id);
    if (earlier == null && runtime.runs(id)) {
      long deadline = time.nanoTime() + decision.grace().toNanos();
      deadlines.put(id, deadline);
      earlier = deadline;
      run(hook, decision);
    }
    return earlier == null ? decision.grace() : Duration.ofNanos(earlier - time.nanoTime());
  }

  private void run(PreStopHook hook, RestartDecision decision) throws InterruptedException {
    HookEnd end;
    try {
      end = hooks.run(hook, decision.target(), decision.grace(), runtime::hook).get();
    } catch (ExecutionException impossible) {
      throw new AssertionError("a hook's end is never exceptional", impossible);
    }
    if (!(end instanceof HookEnd.Done)) {
      LOG.warn(
          "preStop failed, stopping anyway pod={} container={} reason=\"{}\"",
          decision.subject().pod(),
          decision.subject().container(),
          end.problem());
      failed.accept(decision, end.problem());
    }
  }
}
