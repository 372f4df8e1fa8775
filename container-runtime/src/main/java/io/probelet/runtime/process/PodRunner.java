package io.probelet.runtime.process;

import io.probelet.health.Alarm;
import io.probelet.health.FailureReason;
import io.probelet.health.OneLine;
import io.probelet.health.PrivateFiles;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.probe.EnvExpansion.TooLargeException;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.hook.HookEnd;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.process.ProcessGroup;
import io.probelet.runtime.confine.ConfinementPlan.Enforced;
import io.probelet.runtime.confine.ConfinementPlan.Refused;
import io.probelet.runtime.process.ContainerCommand.Refusal;
import io.probelet.runtime.process.PodEffect.Launch;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the effects of the rules for one pod and feeds the results back, one event at a time. It
 * contains no rules.
 */
final class PodRunner {
  private static final Logger log = LoggerFactory.getLogger(PodRunner.class);

  /** A pod has only a few events at a time. */
  private static final int MAX_WAITING = 10_000;

  private final LocalPod pod;
  private final PodLifecycle lifecycle;
  private final RunnerTools tools;
  private final SerialLoop loop;
  private final Alarm wakeUp;
  private final CompletableFuture<Void> gone = new CompletableFuture<>();

  /** Set before listeners are notified, because a listener may run the pod again at once. */
  private volatile boolean left;

  // Used only by tasks of the loop.
  private PodLife life;
  private final Map<String, OutputLog> logs = new HashMap<>();

  PodRunner(LocalPod pod, RunnerTools tools) {
    this.pod = pod;
    this.tools = tools;
    lifecycle = new PodLifecycle(tools.settings().backOff());
    loop =
        SerialLoop.startVirtual(
            Threads.MACHINE,
            "pod-" + pod.ref(),
            MAX_WAITING,
            bug ->
                log.error("internal error while running a pod, continuing pod={}", pod.ref(), bug));
    wakeUp = loop.alarm(() -> step(new PodEvent.Tick()));
    life = PodLife.of(pod);
  }

  /** Adds an event; it is processed after earlier ones. */
  void handle(PodEvent event) {
    submit(() -> step(event));
  }

  private void submit(Runnable task) {
    if (!loop.offer(task) && !loop.isClosed()) {
      log.error(
          "too many pending tasks of a pod, one was dropped pod={} limit={}",
          pod.ref(),
          MAX_WAITING);
    }
  }

  /** Ends a runner that never received a pod. */
  void close() {
    loop.close();
  }

  /** {@return completed when all processes of the pod have ended} */
  CompletableFuture<Void> gone() {
    return gone.copy();
  }

  /**
   * {@return whether all processes of the pod have ended, even if some listeners do not know yet}
   */
  boolean hasLeft() {
    return left;
  }

  /** Maximum time from the pod's removal to its end. */
  Duration longestEnd() {
    return pod.terminationGracePeriod().plus(PodLifecycle.LAST_GRACE);
  }

  private void step(PodEvent first) {
    loop.requireInLoop();
    Queue<PodEvent> events = new ArrayDeque<>(List.of(first));
    for (PodEvent event = events.poll(); event != null; event = events.poll()) {
      PodLifecycle.Step step = lifecycle.step(life, event, EventTime.of(tools.time()));
      life = step.life();
      for (PodEffect effect : step.effects()) {
        switch (effect) {
          case Launch launch -> events.add(launch(launch.container(), launch.attempt()));
          case PodEffect.RunHook it -> run(it);
          case PodEffect.Terminate it -> process(it.id()).ifPresent(ProcessGroup::terminate);
          case PodEffect.Kill it -> process(it.id()).ifPresent(ProcessGroup::kill);
          case PodEffect.RestartAll it ->
              log.info(
                  "restarting all containers of the pod pod={} container={}",
                  pod.ref(),
                  it.container());
          case PodEffect.Report it -> tools.reports().observed(withLogs(it.observation()));
          case PodEffect.WakeAt it ->
              wakeUp.set(Duration.ofNanos(it.nanos() - tools.time().nanoTime()));
          case PodEffect.Gone _ -> leave();
        }
      }
    }
  }

  private PodObservation withLogs(PodObservation seen) {
    Map<String, ContainerObservation> containers = new LinkedHashMap<>();
    seen.containers()
        .forEach((name, each) -> {
          String log = tools.settings().logFile(pod.ref(), name).toAbsolutePath().toString();
          containers.put(name, each.with(each.details().loggingTo(log)));
        });
    return new PodObservation(
        seen.pod(), seen.phase(), seen.deleting(), seen.ready(), seen.ips(), containers);
  }

  private void run(PodEffect.RunHook it) {
    ProbeTarget target = new ProbeTarget(pod.ref(), it.container(), it.id(), PodLife.IP);
    CompletableFuture<Void> _ =
        tools
            .hooks()
            .run(it.hook(), target, it.within(), tools.hookCommands())
            .thenAccept(end -> {
              boolean stillThere = process(it.id()).filter(ProcessGroup::isAlive).isPresent();
              if (stillThere && !(end instanceof HookEnd.Done)) {
                log.warn(
                    "preStop failed, stopping anyway pod={} container={} reason=\"{}\"",
                    pod.ref(),
                    it.container().name(),
                    end.problem());
              }
              handle(new PodEvent.HookEnded(it.id()));
            });
  }

  private PodEvent launch(LocalContainer container, int attempt) {
    return switch (tools.confiner().plan(container.confinement())) {
      case Refused no -> refuse(container, attempt, Refusal.unconfined(no.message()));
      case Enforced plan -> launch(container, attempt, plan);
    };
  }

  private PodEvent launch(LocalContainer container, int attempt, Enforced plan) {
    ContainerCommand command;
    try {
      command =
          ContainerCommand.of(
              container, pod.ref().name(), tools.settings().agentEnvironment(), plan.identity());
    } catch (TooLargeException tooLarge) {
      return refuse(container, attempt, new Refusal(128, tooLarge.text()));
    }
    Optional<Refusal> refusal = command.refusal(plan.identity());
    if (refusal.isPresent()) {
      return refuse(container, attempt, refusal.get());
    }
    Confined confined;
    try {
      confined = tools.confined(plan);
    } catch (IOException unlimited) {
      return refuse(
          container, attempt, Refusal.unconfined("resources.limits: " + unlimited.getMessage()));
    }
    ProcessGroup process;
    try {
      process = launch(command, confined, log(container).start());
    } catch (IOException failed) {
      confined.release();
      return refuse(container, attempt, new Refusal(128, FailureReason.withFile(failed)));
    }
    String id = id(container, attempt, process.pid());
    ContainerInstance instance = new ContainerInstance(id, this, command, confined, process);
    tools.instances().put(id, instance);
    process.whenEnded(exitCode -> ended(instance, exitCode));
    log.debug(
        "container started pod={} container={} container_id={}", pod.ref(), container.name(), id);
    return new PodEvent.Launched(container.name(), id);
  }

  private ProcessGroup launch(ContainerCommand command, Confined confined, OutputStream output)
      throws IOException {
    try {
      return tools.launcher().container(command, confined, output);
    } catch (IOException failed) {
      output.close(); // nobody reads the process's output
      throw failed;
    }
  }

  private PodEvent refuse(LocalContainer container, int attempt, Refusal refusal) {
    log.warn(
        "container cannot start pod={} container={} reason={} message=\"{}\"",
        pod.ref(),
        container.name(),
        refusal.reason(),
        refusal.message());
    String line = "probelet: cannot start: " + refusal.message() + "\n";
    try (OutputStream output = log(container).start()) {
      output.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException alsoFailed) {
      log.warn("cannot write container log: {}", FailureReason.withFile(alsoFailed));
    }
    return new PodEvent.Refused(
        container.name(),
        id(container, attempt, 0),
        refusal.exitCode(),
        refusal.reason(),
        OneLine.of(refusal.message(), Termination.MAX_MESSAGE));
  }

  private OutputLog log(LocalContainer container) throws IOException {
    PrivateFiles.createFolders(tools.settings().logDir());
    return logs.computeIfAbsent(
        container.name(), name -> tools.log(tools.settings().logFile(pod.ref(), name)));
  }

  private void ended(ContainerInstance instance, int exitCode) {
    boolean outOfMemory = instance.confined().outOfMemory();
    instance.ended();
    submit(() -> {
      log.debug(
          "container ended pod={} container_id={} exit_code={}",
          pod.ref(),
          instance.id(),
          exitCode);
      tools.instances().remove(instance.id());
      step(new PodEvent.Exited(instance.id(), exitCode, outOfMemory));
      instance.settle();
    });
  }

  private String id(LocalContainer container, int attempt, long pid) {
    String uid = pod.ref().uid();
    return "process://%s/%s/%d-%d"
        .formatted(uid.substring(0, Math.min(8, uid.length())), container.name(), attempt, pid);
  }

  private Optional<ProcessGroup> process(String id) {
    return Optional.ofNullable(tools.instances().get(id)).map(ContainerInstance::process);
  }

  private void leave() {
    left = true;
    tools.reports().gone(pod.ref());
    gone.complete(null);
    loop.close();
  }
}
