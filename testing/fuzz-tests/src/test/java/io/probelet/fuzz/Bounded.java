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

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Bounded() {}

  /** What is tried with one input. */
  @FunctionalInterface
  public interface Attempt {
    /** Tries it. */
    void run() throws Exception;
  }

  /**
   * Tries something that must come to an end soon. What took too long is tried again: it may have
   * been the first that needed some classes, which were loaded and instrumented meanwhile.
   */
  public static void run(Attempt attempt) throws Exception {
    if (cpuTime(attempt).compareTo(MAX_CPU_TIME) <= 0) {
      return;
    }
    Duration again = cpuTime(attempt);
    if (again.compareTo(MAX_CPU_TIME) > 0) {
      throw new AssertionError("took " + again + " of CPU time; bound " + MAX_CPU_TIME);
    }
  }

  private static Duration cpuTime(Attempt attempt) throws Exception {
    long begin = THREADS.getCurrentThreadCpuTime();
    attempt.run();
    return Duration.ofNanos(THREADS.getCurrentThreadCpuTime() - begin);
  }

  /** Holds something true. */
  public static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
