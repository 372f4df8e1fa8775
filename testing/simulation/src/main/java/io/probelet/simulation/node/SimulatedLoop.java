package io.probelet.simulation.node;

import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * An event loop of a simulated process: a thread of it that runs tasks in their order and timers at
 * the ends of slots of 3 ms, as {@code NettyLoop} does. A killed process runs none of them, a
 * frozen one runs them late.
 */
public final class SimulatedLoop implements ProbeLoop {
  private static final long SLOT_NANOS = Duration.ofMillis(3).toNanos();

  private final SimulatedProcess process;
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final Thread thread;

  /**
   * Starts a loop.
   *
   * @param process whose thread it is
   * @param name of the thread
   */
  public SimulatedLoop(SimulatedProcess process, String name) {
    this.process = process;
    thread = process.ofVirtual().name(name).start(this::run);
  }

  private void run() {
    while (true) {
      Runnable task = tasks.poll();
      if (task == null) {
        LockSupport.park(this);
      } else {
        run(task);
      }
    }
  }

  private void run(Runnable task) {
    try {
      task.run();
    } catch (RuntimeException bug) { // as Netty's loops do; the simulation reports it
      thread.getUncaughtExceptionHandler().uncaughtException(thread, bug);
    }
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
    LockSupport.unpark(thread);
  }

  @Override
  public Timer at(long dueNanos, Runnable task) {
    long due = Math.max(dueNanos, process.nanoTime());
    return exactlyAt(due + Math.floorMod(-due, SLOT_NANOS), task);
  }

  /**
   * Runs a task at a moment, not rounded to slots: what comes from the network.
   *
   * @return a handle to cancel it
   */
  Timer exactlyAt(long dueNanos, Runnable task) {
    PlannedTask planned = new PlannedTask(task);
    process.at(dueNanos, () -> execute(planned));
    return planned;
  }

  /** A task that may be canceled, also after it is due and before its turn. */
  private static final class PlannedTask implements Runnable, Timer {
    private Runnable task;

    PlannedTask(Runnable task) {
      this.task = task;
    }

    @Override
    public void run() {
      task.run();
    }

    @Override
    public void cancel() {
      task = () -> {};
    }
  }

  @Override
  public List<LongSupplier> processorWaits() {
    return List.of(process::waitedNanos);
  }

  @Override
  public TimeSource time() {
    return process;
  }
}
