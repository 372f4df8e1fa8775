package io.probelet.fuzz;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;

/**
 * What every fuzz target holds its subject to: no error that it does not declare, which Jazzer
 * sees, and an end within a bounded time, which is measured here. Memory is bounded by the JVM's
 * heap.
 */
public final class Bounded {
  /**
   * For one input of some KiB, by code that is instrumented, on a busy machine. What takes longer
   * grows faster than its input.
   */
  private static final Duration MAX_CPU_TIME = Duration.ofSeconds(2);

  /** Whether the classes have been loaded and instrumented, which no input is to pay for. */
  private static volatile boolean warm;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Bounded() {}

  /** What is tried with one input. */
  @FunctionalInterface
  public interface Attempt {
    /** Tries it. */
    void run() throws Exception;
  }

  /** Tries something that must come to an end soon; the very first is tried twice. */
  public static void run(Attempt attempt) throws Exception {
    if (!warm) {
      warm = true;
      attempt.run();
    }
    long begin = THREADS.getCurrentThreadCpuTime();
    attempt.run();
    Duration taken = Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - begin);
    if (taken.compareTo(MAX_CPU_TIME) > 0) {
      throw new AssertionError("took " + taken + " of CPU time; bound " + MAX_CPU_TIME);
    }
  }

  /** Holds something true. */
  public static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
