package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * One thread with timers, on which workers live without locks: a Netty event loop in production, a
 * virtual clock in tests.
 */
public interface ProbeLoop extends Executor {
  /**
   * Runs a task on the loop after everything that was handed in before.
   *
   * @param task must not block
   */
  @Override
  void execute(Runnable task);

  /**
   * Runs a task on the loop once, at a moment.
   *
   * @param dueNanos a reading of the monotonic clock of {@link #time()}; one that is past means as
   *     soon as possible
   * @param task must not block
   * @return a handle to call it off
   */
  Timer at(long dueNanos, Runnable task);

  /**
   * Runs a task on the loop once, after a while.
   *
   * @param delayNanos nanoseconds from now; zero or less means as soon as possible
   * @param task must not block
   * @return a handle to call it off
   */
  default Timer schedule(long delayNanos, Runnable task) {
    return at(time().nanoTime() + Math.max(0, delayNanos), task);
  }

  /**
   * Makes a timer for a task that runs again and again.
   *
   * @param task must not block
   * @return not set yet
   */
  default RepeatedTimer timer(Runnable task) {
    return new RepeatedTimer() {
      private Timer next = () -> {};

      @Override
      public void set(long dueNanos) {
        next.cancel();
        next = at(dueNanos, task);
      }

      @Override
      public void cancel() {
        next.cancel();
      }
    };
  }

  /** {@return the clocks the loop goes by} */
  TimeSource time();

  /**
   * {@return nanoseconds in which the loop waited for a CPU, from different kernel counters that
   * may overlap} Each grows, or stays unchanged if it cannot be read. Call it on the loop's thread.
   * Empty without counters.
   */
  default List<LongSupplier> processorWaits() {
    return List.of();
  }

  /**
   * {@return loaded classes plus milliseconds of compiling} Only its growth has a meaning. Call it
   * on the loop's thread.
   */
  default LongSupplier codePreparation() {
    return () -> 0;
  }

  /** A task that has not run yet; to be called off on the loop. */
  @FunctionalInterface
  interface Timer {
    /** Calls the task off; does nothing if it ran already. */
    void cancel();
  }

  /** A task that runs once each time its timer has been set; on the loop only. */
  interface RepeatedTimer extends Timer {
    /**
     * Has the task run at a moment, instead of when it was to run so far.
     *
     * @param dueNanos as with {@link #at}
     */
    void set(long dueNanos);
  }
}
