package io.probelet.simulation.node;

import io.probelet.monitor.bus.SystemBus;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The system bus of a simulated node: its units, their restarts, and its reboot. It records the
 * requests of processes for rules.
 */
public final class SimulatedBus {
  private static final String KUBELET = "kubelet.service";
  private static final String RUNTIME = "containerd.service";
  private static final String ACTIVE = "active";
  private static final Duration CALL = Duration.ofMillis(5);
  private static final Duration RESTART = Duration.ofSeconds(2);
  private static final Duration SHUTDOWN = Duration.ofSeconds(3);
  private static final Duration BOOT = Duration.ofSeconds(40);

  private final Simulation world;
  private final SimulatedNode node;
  private final Map<String, String> units = new TreeMap<>();
  private final List<Action> actions = new ArrayList<>();
  private final List<Consumer<Action>> listeners = new ArrayList<>();

  /**
   * A request that is carried out.
   *
   * @param at when, in the world's time
   * @param process who asked
   * @param bootId the node's boot then
   * @param what {@code reboot}, or the unit that is restarted
   */
  public record Action(long at, String process, String bootId, String what) {}

  SimulatedBus(Simulation world, SimulatedNode node) {
    this.world = world;
    this.node = node;
    units.put(KUBELET, ACTIVE);
    units.put(RUNTIME, ACTIVE);
  }

  /** {@return the requests that were carried out, the oldest first} */
  public List<Action> actions() {
    return List.copyOf(actions);
  }

  /** Adds a listener for requests that are carried out. */
  public void onAction(Consumer<Action> listener) {
    listeners.add(listener);
  }

  /** Sets a unit's state, such as {@code failed}; a restart makes it active. */
  public void unit(String name, String state) {
    units.put(name, state);
  }

  /** {@return a connection of a process} */
  public SystemBus connect(SimulatedProcess process) {
    return new Connection(process);
  }

  private void act(String process, String what) {
    Action action = new Action(world.now(), process, node.bootId(), what);
    actions.add(action);
    listeners.forEach(each -> each.accept(action));
    world.trace().add(world.now(), node.name(), process + " asks for " + what);
  }

  private void restartUnit(String process, String unit) {
    act(process, unit);
    units.put(unit, ACTIVE);
    switch (unit) {
      case KUBELET -> node.restartKubelet(RESTART);
      case RUNTIME -> node.runtime().restart(RESTART);
      default -> {} // nothing else of the node depends on it
    }
  }

  private final class Connection implements SystemBus {
    private final SimulatedProcess process;

    Connection(SimulatedProcess process) {
      this.process = process;
    }

    private void call() throws IOException {
      try {
        process.sleep(CALL);
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", closed);
      }
    }

    @Override
    public List<Unit> units(List<String> names) throws IOException {
      call();
      return names.stream()
          .map(name -> {
            String state = units.get(name);
            return new Unit(
                name,
                state == null ? "not-found" : "loaded",
                state == null ? "inactive" : state,
                0);
          })
          .toList();
    }

    @Override
    public void restart(String unit) throws IOException {
      call();
      if (!units.containsKey(unit)) {
        throw new IOException("RestartUnit: Unit " + unit + " not found.");
      }
      restartUnit(process.name(), unit);
    }

    @Override
    public void reboot(boolean kexec) throws IOException {
      call();
      act(process.name(), "reboot");
      String boot = node.bootId();
      world.after(
          SHUTDOWN,
          () -> {
            if (node.bootId().equals(boot)) {
              node.reboot(BOOT, false);
            }
          });
    }

    @Override
    public void close() {
      // nothing is open
    }
  }
}
