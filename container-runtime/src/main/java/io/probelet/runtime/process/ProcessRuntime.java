package io.probelet.runtime.process;

import io.probelet.health.FailureReason;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.process.Account;
import io.probelet.process.PasswdFile;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessGuard;
import io.probelet.process.Programs;
import io.probelet.runtime.confine.Confiner;
import io.probelet.runtime.confine.ControlGroups;
import io.probelet.runtime.confine.OwnPrivileges;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the containers of pods as processes of this machine, restarts them by the kubelet's rules,
 * and ends them all when it is closed.
 *
 * <ul>
 *   <li>Each container is a session and process group of its own. TERM and KILL go to the whole
 *       group, and what is left of the group when its first process ends is killed. A descendant
 *       that makes a session of its own (a daemon) leaves the group and is not followed.
 *   <li>If the agent is killed, even by SIGKILL, a guard process ends the containers.
 *   <li>All pods share the machine's network: their IP is 127.0.0.1.
 *   <li>The environment of a container is what its manifest says, {@code HOSTNAME} (the pod's name)
 *       and, so that programs are found, the agent's {@code PATH}, {@code HOME}, {@code TMPDIR},
 *       {@code LANG}, {@code LC_ALL} and {@code TZ}; nothing else of the agent's environment, which
 *       may hold secrets.
 *   <li>A preStop hook runs before TERM, its command as an exec probe would: in the container's
 *       environment and directory, as its user and held to the same.
 *   <li>What its confinement asks is enforced with setpriv(1) and control groups; a container for
 *       which that is not possible does not start.
 *   <li>Output, both streams, goes through a pipe to one log per container, whose size is bounded.
 * </ul>
 */
public final class ProcessRuntime implements ContainerRuntime {
  private static final Logger log = LoggerFactory.getLogger(ProcessRuntime.class);

  /** How long a killed process may take to disappear; it does so at once unless it hangs in I/O. */
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(10);

  /** The folders of system programs, whatever this program's PATH contains. */
  private static final String USUAL = ":/usr/bin:/bin";

  private final Map<PodRef, PodRunner> pods = new ConcurrentHashMap<>();
  private final Map<String, ContainerInstance> instances = new ConcurrentHashMap<>();
  private final Reports reports = new Reports();
  private final AtomicBoolean closed = new AtomicBoolean();
  private final ProcessGuard guard;
  private final ContainerExec exec;
  private final LongAdder droppedOutput = new LongAdder();
  private final RunnerTools tools;

  private ProcessRuntime(
      ProcessSettings settings,
      TimeSource time,
      ProcessGroups groups,
      HookRunner hooks,
      ProcessGuard guard,
      OwnPrivileges own) {
    this.guard = guard;
    ProcessLauncher launcher = new ProcessLauncher(groups, guard);
    exec = new ContainerExec(launcher);
    ControlGroups controlGroups = new ControlGroups();
    Confiner confiner =
        new Confiner(
            own,
            ProcessRuntime::account,
            // By absolute path, because the manifest can set PATH for its processes.
            Programs.find("setpriv", settings.agentEnvironment().getOrDefault("PATH", "") + USUAL),
            controlGroups::shortfall);
    tools =
        new RunnerTools(
            settings,
            time,
            launcher,
            confiner,
            controlGroups,
            reports,
            instances,
            hooks,
            this::hook,
            droppedOutput);
  }

  /**
   * Starts a runtime without pods.
   *
   * @param hooks runs preStop hooks; must work until the runtime is closed
   * @return a runtime to be closed by the caller
   * @throws ContainerRuntimeException if this machine lacks native access for Java, {@code /bin/sh}
   *     or {@code setsid}
   */
  public static ProcessRuntime open(ProcessSettings settings, TimeSource time, HookRunner hooks)
      throws ContainerRuntimeException {
    try {
      ProcessGroups groups = ProcessGroups.load();
      OwnPrivileges own = OwnPrivileges.read();
      return new ProcessRuntime(settings, time, groups, hooks, new ProcessGuard(), own);
    } catch (IOException failed) {
      throw new ContainerRuntimeException(
          "cannot run local processes, which need /proc, setsid (util-linux) in PATH and"
              + " /bin/sh: "
              + failed.getMessage(),
          failed);
    }
  }

  private static Optional<Account> account(int user) {
    try {
      return PasswdFile.SYSTEM.byId(user).filter(account -> account.gid() <= Integer.MAX_VALUE);
    } catch (IOException unreadable) {
      log.warn("cannot find user {}: {}", user, FailureReason.withFile(unreadable));
      return Optional.empty();
    }
  }

  /**
   * Runs a pod. A pod that already runs, or is still ending, stays unchanged; after listeners are
   * notified that it is gone, it can be run again.
   *
   * @throws IllegalStateException if the runtime is closed
   */
  public void add(LocalPod pod) {
    if (closed.get()) {
      throw new IllegalStateException("the runtime is closed; cannot run pod " + pod.ref());
    }
    PodRunner runner = new PodRunner(pod, tools);
    PodRunner kept =
        pods.compute(pod.ref(), (_, known) -> known == null || known.hasLeft() ? runner : known);
    if (kept.equals(runner)) {
      CompletableFuture<Void> _ = runner.gone().thenRun(() -> pods.remove(pod.ref(), runner));
      runner.handle(new PodEvent.Added());
      if (closed.get()) {
        runner.handle(new PodEvent.Removed());
      }
    } else {
      runner.close();
    }
  }

  /**
   * Ends a pod within its grace period: regular containers together, then sidecars in reverse
   * order. Listeners are notified at once, and again after the end.
   *
   * @param pod the pod; an unknown pod counts as gone
   * @return completed when all processes of the pod have ended; a replacement that needs its ports
   *     can start then
   */
  public CompletableFuture<Void> remove(PodRef pod) {
    PodRunner runner = pods.get(pod);
    if (runner == null) {
      return CompletableFuture.completedFuture(null);
    }
    runner.handle(new PodEvent.Removed());
    return runner.gone();
  }

  /**
   * Records that the startup probe of a container succeeded, so that containers after a sidecar can
   * start (D-5). It has no effect for containers without a startup probe.
   *
   * @param containerId the container; ignored if it has ended
   */
  public void started(String containerId) {
    ContainerInstance instance = instances.get(containerId);
    if (instance != null) {
      instance.pod().handle(new PodEvent.StartedUp(containerId));
    }
  }

  @Override
  public void watch(RuntimeListener listener) {
    reports.watch(listener);
  }

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    return run(containerId, command, timeout, outputLimit);
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException {
    return run(containerId, command, within, 0);
  }

  private ExecResult run(
      String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    ContainerInstance instance = instances.get(containerId);
    if (instance == null || !instance.running()) {
      throw new ContainerRuntimeException("container " + containerId + " does not run");
    }
    return exec.run(instance, command, timeout, outputLimit);
  }

  @Override
  public boolean runs(String containerId) {
    ContainerInstance instance = instances.get(containerId);
    return instance != null && instance.running();
  }

  @Override
  public ContainerEvidence evidence(String containerId) {
    ContainerInstance instance = instances.get(containerId);
    return instance == null ? ContainerEvidence.NONE : instance.evidence();
  }

  /** {@return how many bytes of containers' output were dropped and are in no log} */
  public long droppedOutput() {
    return droppedOutput.sum();
  }

  /**
   * {@inheritDoc}
   *
   * <p>Its preStop hook runs first (D-7), within the grace period; TERM then gets at least two
   * seconds.
   */
  @Override
  public void stop(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException {
    stop(containerId, new PodEvent.StopAsked(containerId, grace));
  }

  /**
   * Stops a container and all others of its pod, each with its preStop hook and within the grace
   * period. They start again in their order (D-23), unless the container's policy is Never. Waits
   * as {@link #stop} does.
   *
   * @param containerId which container
   * @param grace time until KILL, zero or more
   * @throws ContainerRuntimeException if it could not be stopped
   * @throws InterruptedException if the caller gave up waiting
   */
  public void restartPod(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException {
    stop(containerId, new PodEvent.StopAsked(containerId, grace, true));
  }

  private void stop(String containerId, PodEvent.StopAsked event)
      throws ContainerRuntimeException, InterruptedException {
    ContainerInstance instance = instances.get(containerId);
    if (instance == null) {
      return;
    }
    instance.pod().handle(event);
    if (!instance.awaitSettled(event.grace().plus(PodLifecycle.LAST_GRACE).plus(KILL_TIMEOUT))) {
      throw new ContainerRuntimeException(
          "container %s is still running %d s after KILL"
              .formatted(containerId, KILL_TIMEOUT.toSeconds()));
    }
  }

  /**
   * Ends all pods concurrently, each within its grace period, and waits for that. If the thread is
   * interrupted meanwhile, all remaining processes are killed at once.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    Duration longest = KILL_TIMEOUT;
    for (PodRunner runner : pods.values()) {
      runner.handle(new PodEvent.Removed());
      Duration timeout = runner.longestEnd().plus(KILL_TIMEOUT);
      longest = longest.compareTo(timeout) < 0 ? timeout : longest;
    }
    CompletableFuture<?> allGone =
        CompletableFuture.allOf(
            pods.values().stream().map(PodRunner::gone).toArray(CompletableFuture[]::new));
    try {
      allGone.get(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException stuck) {
      log.error(
          "pods still running after the shutdown limit pods={} limit={}", pods.keySet(), longest);
    } catch (InterruptedException hurry) {
      instances.values().forEach(instance -> instance.process().kill());
      Thread.currentThread().interrupt();
    } catch (ExecutionException impossible) {
      throw new AssertionError("an end is never exceptional", impossible);
    }
    guard.close();
  }
}
