package io.probelet.simulation.node;

import io.probelet.monitor.node.NodeSources;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node of the simulated world: its machine, its container runtime and kubelet, its files and its
 * kernel's log. It starts and kills processes such as the agent, and is rebooted, frozen and
 * suspended as a whole.
 */
public final class SimulatedNode {
  private static final Duration SYNC = Duration.ofSeconds(5);

  private final Simulation world;
  private final String name;
  private final RandomGenerator random;
  private final SimulatedRuntime runtime;
  private final Kubelet kubelet;
  private final NodeFiles files;
  private final KernelLog log;
  private final NodeTruth truth = new NodeTruth();
  private final SimulatedBus bus;
  private final List<SimulatedProcess> processes = new ArrayList<>();
  private final List<Runnable> onBoot = new ArrayList<>();
  private Machine machine;
  private String bootId = "";
  private int boots;
  private boolean off;
  private boolean kubeletBroken;

  /**
   * Creates a node that boots at once.
   *
   * @param number from 0 to 250, for the addresses of its pods
   * @param api where its kubelet reports it
   * @param scripts decide how its containers live
   */
  public SimulatedNode(
      Simulation world, String name, int number, SimulatedApiServer api, Kubelet.Scripts scripts) {
    this.world = world;
    this.name = name;
    random = world.random("node/" + name);
    machine = new Machine(world, name);
    runtime = new SimulatedRuntime(world, machine);
    kubelet = new Kubelet(world, name, "10.1." + number + ".", api, runtime, machine, scripts);
    files = new NodeFiles(() -> machine.wall());
    log = new KernelLog(() -> machine);
    bus = new SimulatedBus(world, this);
    runtime.onEnd(this::ended);
    world.after(Duration.ZERO, () -> boot(false));
    sync();
  }

  private void ended(ContainerInstance instance) {
    if (instance.reason().equals("OOMKilled")) {
      log.kernel(KernelLog.Problem.OUT_OF_MEMORY.text());
    }
  }

  private void sync() {
    world.after(
        SYNC,
        () -> {
          files.sync();
          sync();
        });
  }

  private void boot(boolean again) {
    boots++;
    off = false;
    bootId = "%08x-0000-4000-8000-%012x".formatted(random.nextInt(), boots);
    files.write("/proc/sys/kernel/random/boot_id", bootId + "\n");
    files.write("/proc/uptime", "0.00 0.00\n");
    for (String resource : List.of("cpu", "io", "memory")) {
      String averages = " avg10=0.00 avg60=0.00 avg300=0.00 total=0\n";
      files.write("/proc/pressure/" + resource, "some" + averages + "full" + averages);
    }
    log.booted();
    if (!kubeletBroken) {
      kubelet.start(machine, bootId, again);
    }
    onBoot.forEach(Runnable::run);
    world.trace().add(world.now(), name, "booted " + bootId);
  }

  /** {@return its name} */
  public String name() {
    return name;
  }

  /** {@return its machine; another after each boot} */
  public Machine machine() {
    return machine;
  }

  /** {@return its container runtime} */
  public SimulatedRuntime runtime() {
    return runtime;
  }

  /** {@return its kubelet} */
  public Kubelet kubelet() {
    return kubelet;
  }

  /** {@return its files} */
  public NodeFiles files() {
    return files;
  }

  /** {@return its kernel's log} */
  public KernelLog log() {
    return log;
  }

  /** {@return what is wrong with it} */
  public NodeTruth truth() {
    return truth;
  }

  /** {@return its system bus} */
  public SimulatedBus bus() {
    return bus;
  }

  /** Restarts its kubelet. */
  public void restartKubelet(Duration downtime) {
    kubelet.kill();
    String boot = bootId;
    world.after(
        downtime,
        () -> {
          if (!off && !kubeletBroken && boot.equals(bootId)) {
            kubelet.start(machine, bootId, false);
          }
        });
  }

  /** Ends its kubelet, which neither a restart nor a reboot starts again until it is repaired. */
  public void breakKubelet() {
    kubeletBroken = true;
    kubelet.kill();
  }

  /** Repairs its kubelet, and starts it. */
  public void repairKubelet() {
    kubeletBroken = false;
    restartKubelet(Duration.ZERO);
  }

  /** {@return what the node monitor of a process of this node reads} */
  public NodeSources sources(SimulatedProcess process) {
    return new SimulatedSources(this, process);
  }

  /** {@return the kernel's identifier of the current boot} */
  public String bootId() {
    return bootId;
  }

  /** {@return whether it is powered off} */
  public boolean isOff() {
    return off;
  }

  /** {@return how often it has booted} */
  public int boots() {
    return boots;
  }

  /** Adds what happens at each boot, such as the start of the agent. */
  public void onBoot(Runnable action) {
    onBoot.add(action);
  }

  /** {@return a process on this node that has no thread yet} */
  public SimulatedProcess process(String process) {
    SimulatedProcess started = new SimulatedProcess(machine, process);
    processes.removeIf(SimulatedProcess::isKilled);
    processes.add(started);
    return started;
  }

  /** Kills a process between two of its steps, perhaps within a write of a file. */
  public void kill(SimulatedProcess process) {
    process.kill();
    if (random.nextInt(4) == 0) {
      files.tearWrite(random);
    }
  }

  private Stream<SimulatedProcess> all() {
    return Stream.concat(processes.stream(), Stream.of(kubelet.process()));
  }

  /**
   * Reboots it.
   *
   * @param takes how long until it boots
   * @param power whether it loses power, and with it recent writes, instead of shutting down
   */
  public void reboot(Duration takes, boolean power) {
    if (off) {
      return;
    }
    off = true;
    world.trace().add(world.now(), name, power ? "loses power" : "reboots");
    all().forEach(SimulatedProcess::kill);
    processes.clear();
    if (power) {
      files.losePower(random);
    } else {
      files.sync();
    }
    Machine next = new Machine(world, name);
    runtime.booted(next);
    machine = next;
    world.after(takes, () -> boot(true));
  }

  /** Freezes all its processes for a time, its clocks run on. */
  public void freeze(Duration length) {
    List<SimulatedProcess> frozen = all().toList();
    frozen.forEach(SimulatedProcess::freeze);
    world.trace().add(world.now(), name, "frozen");
    world.after(length, () -> frozen.forEach(SimulatedProcess::thaw));
  }

  /** Suspends it for a time, as a laptop: its monotonic clock stands still. */
  public void suspend(Duration length) {
    Machine asleep = machine;
    List<SimulatedProcess> frozen = all().toList();
    if (off || asleep.isSuspended()) {
      return;
    }
    frozen.forEach(SimulatedProcess::freeze);
    asleep.suspend();
    world.trace().add(world.now(), name, "suspended");
    world.after(
        length,
        () -> {
          asleep.resume();
          frozen.forEach(SimulatedProcess::thaw);
        });
  }

  /** Gives most of its containers the same trouble at the same time. */
  public void disturb(Behavior behavior, Duration length, double part) {
    Spell spell = new Spell(world.now(), world.now() + length.toNanos(), behavior);
    for (ScriptedPod pod : runtime.pods()) {
      for (ScriptedContainer container : pod.containers()) {
        if (random.nextDouble() < part) {
          container.disturb(spell);
        }
      }
    }
  }

  /** {@return a running pod of it at random; null if it has none} */
  public @Nullable ScriptedPod anyPod() {
    List<ScriptedPod> pods = runtime.pods();
    return pods.isEmpty() ? null : pods.get(random.nextInt(pods.size()));
  }
}
