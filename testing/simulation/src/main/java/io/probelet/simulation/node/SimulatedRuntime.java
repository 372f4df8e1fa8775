package io.probelet.simulation.node;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The container runtime of a simulated node. It outlives the processes that use it, which reach it
 * through {@link #connect} over calls that may be slow or lost.
 */
public final class SimulatedRuntime {
  private static final int KILLED = 137;
  private static final int TERMINATED = 143;

  /** How many of ten hanging containers ignore TERM. */
  private static final int DEAF_OF_TEN = 7;

  private final Simulation world;
  private Machine machine;
  private final Map<PodRef, ScriptedPod> pods = new LinkedHashMap<>();
  private final Map<String, ScriptedPod> podsByIp = new LinkedHashMap<>();
  private final List<Runnable> watchers = new ArrayList<>();
  private final List<Consumer<ContainerInstance>> endListeners = new ArrayList<>();
  private final List<Consumer<ContainerInstance>> startListeners = new ArrayList<>();
  private final List<Consumer<ContainerStop>> stopListeners = new ArrayList<>();
  private final List<ProbeBegin> probeListeners = new ArrayList<>();
  private final Map<ContainerInstance, List<CompletableFuture<Void>>> ends = new LinkedHashMap<>();
  private final Map<Long, CompletableFuture<?>> calls = new LinkedHashMap<>();
  private long served;
  private RuntimeFaults faults = RuntimeFaults.NONE;
  private boolean down;

  /** Counts its starts: what it planned before a restart does not happen. */
  private int run;

  /**
   * Creates a runtime without pods.
   *
   * @param machine where it runs
   */
  public SimulatedRuntime(Simulation world, Machine machine) {
    this.world = world;
    this.machine = machine;
  }

  /** Sets the faults of calls from now on. */
  public void faults(RuntimeFaults next) {
    faults = next;
  }

  /** Hears of each probe over the network that begins. */
  @FunctionalInterface
  public interface ProbeBegin {
    /**
     * A probe begins.
     *
     * @param process whose probe it is
     * @param instance what is probed; null if nothing has the address
     * @param takes how long it takes if nothing comes between
     */
    void begins(SimulatedProcess process, @Nullable ContainerInstance instance, Duration takes);
  }

  /** {@return ends a listener for each probe that begins} */
  public Runnable onProbe(ProbeBegin listener) {
    probeListeners.add(listener);
    return () -> probeListeners.remove(listener);
  }

  void probeBegins(SimulatedProcess process, @Nullable ContainerInstance instance, Duration takes) {
    List.copyOf(probeListeners).forEach(each -> each.begins(process, instance, takes));
  }

  /** {@return ends a listener for each instance that starts} */
  public Runnable onStart(Consumer<ContainerInstance> listener) {
    startListeners.add(listener);
    return () -> startListeners.remove(listener);
  }

  /** Adds a listener for each instance that ends. */
  public void onEnd(Consumer<ContainerInstance> listener) {
    endListeners.add(listener);
  }

  /** Adds a listener for each request to stop a container that arrives. */
  public void onStop(Consumer<ContainerStop> listener) {
    stopListeners.add(listener);
  }

  /** {@return its pods} */
  public List<ScriptedPod> pods() {
    return List.copyOf(pods.values());
  }

  /** Makes the sandbox of a pod, without containers. */
  public void add(ScriptedPod pod) {
    pods.put(pod.ref(), pod);
    podsByIp.put(pod.ip(), pod);
    changed();
  }

  /** Removes a pod, whose containers end. */
  public void remove(PodRef ref) {
    ScriptedPod pod = pods.remove(ref);
    if (pod != null) {
      podsByIp.remove(pod.ip(), pod);
      kill(pod);
      changed();
    }
  }

  /** Kills all running containers of a pod. */
  void kill(ScriptedPod pod) {
    pod.running().forEach(each -> ended(each, KILLED, "Error"));
  }

  /** Ends an instance, unless it has ended, as if its process had ended by itself. */
  public void crash(ContainerInstance instance, int exitCode, String reason) {
    if (instance.running()) {
      ended(instance, exitCode, reason);
    }
  }

  /** {@return the pod at an address; null if there is none} */
  @Nullable ScriptedPod at(String ip) {
    return podsByIp.get(ip);
  }

  /** {@return whether it does not respond, because it restarts} */
  public boolean isDown() {
    return down;
  }

  /** Creates the next instance of a container, which does not run yet. */
  void create(ScriptedContainer container) {
    container.create();
    changed();
  }

  /** Starts the next instance of a container. */
  public ContainerInstance start(ScriptedContainer container) {
    ContainerInstance instance = container.start();
    trace("started", instance);
    instance
        .life()
        .end()
        .ifPresent(
            end -> world.after(end.after(), () -> crash(instance, end.exitCode(), end.reason())));
    changed();
    List.copyOf(startListeners).forEach(each -> each.accept(instance));
    return instance;
  }

  /** Starts with a boot of its machine; all containers have ended, and no listener is told. */
  void booted(Machine next) {
    run++;
    calls.clear();
    ends.clear();
    watchers.clear();
    for (ScriptedPod pod : pods.values()) {
      pod.running().forEach(each -> each.end(world.now(), machine.wall(), KILLED, "Unknown"));
      pod.containers().forEach(ScriptedContainer::discard);
    }
    machine = next;
    down = false;
  }

  /** Restarts the runtime; its containers run on, and calls under way fail. */
  public void restart(Duration downtime) {
    down = true;
    run++;
    world.trace().add(world.now(), machine.name(), "runtime down");
    List<CompletableFuture<?>> broken = List.copyOf(calls.values());
    calls.clear();
    ends.clear();
    broken.forEach(
        call -> call.completeExceptionally(new ContainerRuntimeException("connection lost")));
    int started = run;
    world.after(
        downtime,
        () -> {
          if (run == started) {
            down = false;
            world.trace().add(world.now(), machine.name(), "runtime up");
            changed();
          }
        });
  }

  /**
   * {@return this runtime as a process sees it}
   *
   * @param process calls on its threads; may be killed
   */
  public ContainerRuntime connect(SimulatedProcess process) {
    return new RuntimeConnection(world, process, this);
  }

  RuntimeFaults.Trip trip(SimulatedProcess process, String method) {
    return faults.next(process.name(), method);
  }

  /** Serves a call that arrives. */
  <T> void serve(CompletableFuture<T> call, Consumer<CompletableFuture<T>> service) {
    if (down) {
      call.completeExceptionally(new ContainerRuntimeException("connection refused"));
      return;
    }
    long number = served++;
    calls.put(number, call);
    var _ = call.whenComplete((_, _) -> calls.remove(number));
    service.accept(call);
  }

  List<PodObservation> list() {
    return pods.values().stream().map(ScriptedPod::observed).toList();
  }

  @Nullable ContainerInstance find(String id) {
    for (ScriptedPod pod : pods.values()) {
      for (ScriptedContainer container : pod.containers()) {
        ContainerInstance found = container.instance(id);
        if (found != null) {
          return found;
        }
      }
    }
    return null;
  }

  void watch(Runnable watcher) {
    watchers.add(watcher);
  }

  void unwatch(Runnable watcher) {
    watchers.remove(watcher);
  }

  private void changed() {
    if (!down) {
      List.copyOf(watchers).forEach(Runnable::run);
    }
  }

  /** TERM, and KILL after the grace period. */
  void stop(
      String process,
      @Nullable ContainerInstance instance,
      Duration grace,
      CompletableFuture<Void> done) {
    if (instance == null) {
      done.complete(null);
      return;
    }
    ContainerStop stop =
        new ContainerStop(
            world.now(), process, instance, instance.running(), instance.isTerminating());
    if (stop.ran()) {
      trace("stop by " + process, instance);
    }
    stopListeners.forEach(each -> each.accept(stop));
    if (!stop.ran()) {
      done.complete(null);
      return;
    }
    ends.computeIfAbsent(instance, _ -> new ArrayList<>()).add(done);
    if (!stop.again()) {
      term(instance);
    }
    instance.terminating(world.now());
    int now = run;
    world.after(
        grace,
        () -> {
          if (run == now) { // a runtime that was restarted has forgotten it
            crash(instance, KILLED, "Error");
          }
        });
  }

  private void term(ContainerInstance instance) {
    boolean hangs = instance.at(world.now()).response() == Behavior.Response.NONE;
    int chance = instance.random().nextInt(10);
    int millis = instance.random().nextInt(20, 2_000);
    int code = instance.random().nextBoolean() ? 0 : TERMINATED;
    if (hangs && chance < DEAF_OF_TEN) {
      return;
    }
    world.after(
        Duration.ofMillis(millis), () -> crash(instance, code, code == 0 ? "Completed" : "Error"));
  }

  private void ended(ContainerInstance instance, int exitCode, String reason) {
    instance.end(world.now(), machine.wall(), exitCode, reason);
    trace("ended with " + exitCode, instance);
    List<CompletableFuture<Void>> waiting = ends.remove(instance);
    if (waiting != null) {
      waiting.forEach(each -> each.complete(null));
    }
    endListeners.forEach(each -> each.accept(instance));
    changed();
  }

  /** Runs a command in a container. */
  void exec(
      @Nullable ContainerInstance instance, Duration timeout, CompletableFuture<ExecResult> done) {
    if (instance == null || !instance.running()) {
      done.completeExceptionally(new ContainerRuntimeException("container is not running"));
      return;
    }
    Behavior behavior = instance.at(world.now());
    Duration takes = between(behavior, instance);
    if (behavior.response() == Behavior.Response.NONE || takes.compareTo(timeout) >= 0) {
      world.after(timeout, () -> done.complete(new ExecResult.TimedOut()));
      return;
    }
    world.after(
        takes,
        () ->
            done.complete(
                !instance.running()
                    ? new ExecResult.Exited(KILLED, "")
                    : behavior.runsRight()
                        ? new ExecResult.Exited(0, "ok")
                        : new ExecResult.Exited(1, "unhealthy")));
  }

  /** {@return a response time of an instance that behaves in a way} */
  static Duration between(Behavior behavior, ContainerInstance instance) {
    long least = behavior.fastest().toNanos();
    return Duration.ofNanos(
        instance.random().nextLong(least, Math.max(least + 1, behavior.slowest().toNanos())));
  }

  private void trace(String what, ContainerInstance instance) {
    world
        .trace()
        .add(
            world.now(),
            machine.name(),
            "%s %s/%s %s"
                .formatted(
                    what,
                    instance.container().pod().ref(),
                    instance.container().spec().name(),
                    instance.id()));
  }
}
