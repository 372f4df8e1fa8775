package io.probelet.benchmarks;

import java.io.IOException;

/** What is probed; it counts who comes. */
interface Target extends AutoCloseable {
  /** {@return connections taken so far} */
  long connections() throws IOException;

  /** {@return CPU time so far of a process of its own, 0 where it is part of the harness} */
  long cpuMicros();

  @Override
  void close();
}
