package io.probelet.probe.engine;

import io.probelet.health.TimeSource;
import java.util.concurrent.Executor;

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
   * Runs a task on the loop once.
   *
   * @param delayNanos nanoseconds from now; zero or less means as soon as possible
   * @param task must not block
   * @return a handle to call it off
   */
  Timer schedule(long delayNanos, Runnable task);

  /** {@return the clocks the loop goes by} */
  TimeSource time();

  /** A task that has not run yet. */
  @FunctionalInterface
  interface Timer {
    /** Calls the task off; does nothing if it ran already. */
    void cancel();
  }
}
